/** The stage of one history: its machines, its store, its outside world, and their events. */
import { messageOf } from "../../../core/base/index.js";
import type { StateStore, StoreContext } from "../../../core/contract/index.js";
import type { Change, Entry } from "../../../core/state/index.js";
import { WRITES } from "../faults.js";
import type { Machine } from "../simulation/machine.js";
import { bucketTraits, filesTraits, NO_FAULTS, redisTraits } from "../simulation/machine.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";
import type { SimulatedStore } from "../simulation/simulated-store.js";
import { Simulation, type Started } from "../simulation/simulation.js";
import { CALM, type Chapter, type Deployer } from "./history.js";
import type { Problem, SimulatedStoreName, SimulationSubject } from "./options.js";
import { Outside } from "./outside.js";
import type { RunWatch } from "./run.js";

const TRAITS = { files: filesTraits, redis: redisTraits, bucket: bucketTraits } as const;

const HOW =
  "A simulated process may wait only with request() or sleep(), or through the engine. Real events do not reach it.";

/** A process has asked for a session. */
interface Opening {
  readonly process: SimulatedProcess;
  /** Number of its entry in the journal. */
  readonly seq: number;
  /** True if the store has answered that the entry existed before, and its owner is not known yet. */
  isDoubtful: boolean;
}

class StoreWatch {
  /** Attempted writes, a line each. */
  readonly writes: string[] = [];
  readonly #openings: Opening[] = [];
  /** Paths of resources by their uids. */
  readonly #paths = new Map<string, string>();
  readonly #note: (line: string) => void;

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** Called when a handler of the process begins. Returns false if the process holds no session. */
  begins(process: SimulatedProcess): boolean {
    const own = this.#openings.filter((opening) => opening.process === process);
    for (const opening of own) opening.isDoubtful = false;
    return own.length > 0;
  }

  /** Returns true from the moment when another process asks for a later session. */
  isOvertaken(process: SimulatedProcess): boolean {
    const own = this.#openings.filter((opening) => opening.process === process);
    if (own.length === 0) return false;
    const last = Math.max(...own.map(({ seq }) => seq));
    return this.#openings.some(({ seq, isDoubtful }) => seq > last && !isDoubtful);
  }

  /** Returns the client of the store for one process. */
  client(process: SimulatedProcess, inner: StateStore): StateStore {
    return new Proxy(Object.create(inner), {
      get: (_, name) => {
        const member: unknown = Reflect.get(inner, name);
        if (typeof member !== "function") return member;
        if (!WRITES.has(name)) return member.bind(inner);
        return (...args: unknown[]): unknown =>
          this.#write(process, String(name), args, () => member.apply(inner, args));
      },
    });
  }

  #write(process: SimulatedProcess, op: string, [key, text]: readonly unknown[], act: () => unknown): unknown {
    const entries = entriesOf(key, text);
    const { seq } = entries.find(({ open }) => open) ?? {};
    const opening = seq === undefined ? undefined : { process, seq, isDoubtful: false };
    if (opening) this.#openings.push(opening);
    const line = `${op} ${typeof key === "string" ? key : JSON.stringify(key)}${this.#summaryOf(entries)}`;
    this.writes.push(line);
    this.#note(`${process.name} asks the store: ${line}`);
    const answered = (answer: unknown): unknown => {
      // If the request was repeated, the entry may still be its own.
      if (opening && answer === false) opening.isDoubtful = true;
      if (answer === false) this.#note(`${process.name} gets the answer: no ${op} of ${key}`);
      return answer;
    };
    const refused = (error: unknown): never => {
      this.#note(`${process.name} gets the error: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    };
    const answer = act();
    return answer instanceof Promise ? answer.then(answered, refused) : answered(answer);
  }

  #summaryOf(entries: readonly Entry[]): string {
    const parts = entries.flatMap(({ open, ops = [], close }) => [
      ...(open ? ["opens a session"] : []),
      ...ops.map((change) => this.#changeText(change)),
      ...(close ? ["closes the session"] : []),
    ]);
    return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  }

  #changeText(change: Change): string {
    switch (change.op) {
      case "put":
        this.#paths.set(change.record.uid, change.record.key);
        return `${change.record.key} is ${change.record.status}`;
      case "patch":
        return `${this.#paths.get(change.uid) ?? change.uid} is ${change.set?.status ?? "changed"}`;
      case "drop":
        return `${this.#paths.get(change.uid) ?? change.uid} is gone`;
      case "place":
        return "the order";
      case "data":
        return `${change.key} of ${change.owner}`;
      case "forget":
        return `nothing of ${change.owner}`;
    }
  }
}

/** Returns the journal entries that a text adds; none if the key is not of a journal. */
function entriesOf(key: unknown, text: unknown): readonly Entry[] {
  if (typeof key !== "string" || typeof text !== "string" || !/\/journal\/\d{12}$/.test(key)) return [];
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

export class SimulatedStage implements RunWatch {
  readonly problems: Problem[] = [];
  /** Events, a line each. */
  readonly trace: string[] = [];
  /** Calls of handlers that change a resource, e.g. `create of inbox`. */
  readonly changes: string[] = [];
  /** Number of handler calls. */
  calls = 0;
  readonly simulation: Simulation;
  readonly outside: Outside;
  readonly #machines: readonly Machine[];
  readonly #store: SimulatedStore;
  readonly #stores = new StoreWatch((line) => this.note(line));
  #storeName = "";
  /** Handlers that have begun and not ended, by process. */
  readonly #underWay = new Map<SimulatedProcess, string[]>();

  constructor(seed: number, store: SimulatedStoreName) {
    this.simulation = new Simulation(String(seed));
    this.#machines = ["alpha", "beta", "gamma"].map((name) => this.simulation.machine(name));
    this.#store = this.simulation.store(TRAITS[store]);
    this.outside = new Outside({
      simulation: this.simulation,
      note: (line) => this.note(line),
      isOvertaken: (process) => this.#stores.isOvertaken(process),
      onStray: ({ process, what }) => this.onStray(process, what),
    });
  }

  /** Name of the store that was used last. */
  get storeName(): string {
    return this.#storeName;
  }

  /** Writes that processes have requested, a line each. */
  get writes(): readonly string[] {
    return this.#stores.writes;
  }

  get runs(): number {
    return this.simulation.processes.length;
  }

  note(line: string): void {
    this.trace.push(`${this.simulation.time.now.toFixed(3)} ${line}`);
  }

  problem(kind: string, text: string): void {
    if (!this.problems.some((other) => other.text === text)) this.problems.push({ kind, text });
  }

  /** Creates a process that begins when the simulation continues. */
  start<T>(
    name: string,
    { machine, delay, blows, lost }: Omit<Deployer, "name" | "does" | "program">,
    main: (process: SimulatedProcess) => Promise<T>,
  ): Started<T> {
    const on = this.#machines[machine % this.#machines.length] ?? this.simulation.machine("another");
    return this.simulation.start(name, { machine: on, delay, blows }, (process) => {
      this.note(`${name} begins`);
      this.outside.enter(process, lost);
      process.onEnd(() => {
        if (process.endedBy !== undefined) this.note(`${name} ended by ${process.endedBy}`);
      });
      return main(process);
    });
  }

  /** Runs the started processes until none is left. */
  async finish(runs: readonly Started<unknown>[], { storeFaults, outage }: Omit<Chapter, "deployers">): Promise<void> {
    const { now } = this.simulation.time;
    this.#store.faults = { lostRequest: storeFaults, lostReply: storeFaults, repeated: storeFaults };
    this.#store.outage = outage && [now + outage[0], now + outage[0] + outage[1]];
    try {
      await this.simulation.run();
    } catch (error) {
      this.problem(
        "endless",
        `${messageOf(error)} These processes did not end: ${runs.map(({ process }) => process.name).join(", ")}.`,
      );
    }
    this.#store.faults = NO_FAULTS;
    this.#store.outage = undefined;
    for (const run of runs) this.#end(run);
    for (const problem of this.simulation.problems.splice(0)) this.problem("rejection", `${problem}.`);
  }

  /** Runs a process without faults to its end. */
  async calmly<T>(name: string, main: (process: SimulatedProcess) => Promise<T>): Promise<Started<T>> {
    const run = this.start(name, CALM, main);
    await this.finish([run], { storeFaults: 0, outage: undefined });
    return run;
  }

  /** Returns a client of the store. */
  connect(process: SimulatedProcess, subject: SimulationSubject, context: StoreContext): StateStore {
    const store = subject.store?.(context) ?? this.#store.client(process, process.chance("store"));
    this.#storeName = store.name;
    return this.#stores.client(process, store);
  }

  /** Reports that a process waits for a real event; call it while its code runs. */
  refuse(process: SimulatedProcess, what: string, waitsFor: string, where: string): void {
    if (process.isGone) return;
    this.note(`${process.name} ${what} waits for ${waitsFor}`);
    this.problem("real", `${process.name}: ${what} waits for ${waitsFor} of the real machine, at ${where}. ${HOW}`);
    process.kill("the simulation");
  }

  onStray(process: SimulatedProcess, what: string): void {
    this.problem("real", `${process.name}: ${what} waited for a real event, and continued out of turn. ${HOW}`);
    process.kill("the simulation");
  }

  onCall(process: SimulatedProcess, what: string, phase: string): void {
    this.calls++;
    this.note(`${process.name} ${what}: the handler begins`);
    this.#underWay.set(process, [...(this.#underWay.get(process) ?? []), what]);
    if (phase === "read") return;
    this.changes.push(what);
    if (this.#stores.begins(process)) return;
    this.problem("unheld", `${process.name}: ${what} began before the process had opened a session.`);
  }

  onReturn(process: SimulatedProcess, what: string, how: "done" | "failed"): void {
    this.note(`${process.name} ${what}: the handler ${how === "done" ? "is done" : "has failed"}`);
    const all = this.#underWay.get(process) ?? [];
    this.#underWay.set(process, all.toSpliced(all.indexOf(what), 1));
  }

  isRunning(process: SimulatedProcess | undefined): boolean {
    return process !== undefined && this.simulation.current === process && !process.isGone;
  }

  #end({ process, outcome }: Started<unknown>): void {
    if (process.endedBy !== undefined) return;
    this.note(`${process.name} ${outcome === undefined ? "is stuck" : "error" in outcome ? "has failed" : "is done"}`);
    if (outcome) return;
    const waiting = this.#underWay.get(process) ?? [];
    const what = waiting.length > 0 ? waiting.join(", ") : "its program, a plugin or its store";
    this.problem("stuck", `${process.name} never ended. It waits for an event that never happens, in ${what}. ${HOW}`);
  }
}
