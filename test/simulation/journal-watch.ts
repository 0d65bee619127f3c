/**
 * Follows the journal line by line, as it becomes durable: an independent view of the state that the engine relies on.
 */
import { Contents, type Entry } from "../../core/state/index.js";
import type { StoreTraits } from "../../plugins/testing/simulation/machine.js";
import type { SimulatedProcess } from "../../plugins/testing/simulation/simulated-process.js";
import type { StoreWrite } from "../../plugins/testing/simulation/simulated-store.js";
import type { VirtualTime } from "../../plugins/testing/simulation/virtual-time.js";
import type { StageName } from "./history.ts";
import type { Call, Thing, Warden } from "./thing.ts";

const STATUS: Readonly<Record<string, string>> = { create: "creating", update: "updating", delete: "deleting" };

/** An intent that became durable. */
interface Intent {
  readonly session: string;
}

export class JournalWatch implements Warden {
  readonly problems: string[] = [];
  /** The records, as far as their lines count. */
  contents = new Contents();
  /** The session that opened last. */
  newest = "";
  readonly #intents = new Map<string, Intent>();
  readonly #deleters = new Map<string, readonly string[]>();
  /** By uid: the process that changed its record last, and the time. */
  readonly changed = new Map<string, { readonly process: string; readonly at: number }>();
  readonly #sessions = new Map<string, SimulatedProcess>();
  readonly #rests = new Map<string, string>();
  readonly #overtaken = new Set<SimulatedProcess>();
  /** Times at which processes learned that another one has taken over. */
  readonly #knowing = new Map<SimulatedProcess, number>();
  readonly #time: VirtualTime;
  readonly #margin: number;
  #last = 0;

  readonly #fqn: string;

  constructor(time: VirtualTime, { latency }: StoreTraits, stage: StageName = "dev") {
    this.#fqn = `app/${stage}`;
    this.#time = time;
    // The time until it has learned that, and its earlier requests have arrived.
    this.#margin = 4 * latency[1] + 1;
  }

  observe = ({ process, op, key, text }: StoreWrite): void => {
    if (!key.startsWith(`${this.#fqn}/`)) return;
    if (op === "refuse") return this.#refused(process, key, text);
    // Any process may delete entries that others have long folded.
    const known = op === "delete" || beginsAnew(op, key, text) ? undefined : this.#knowing.get(process);
    if (known !== undefined && this.#time.now > known + this.#margin && process.pausedUntil < known) {
      this.problems.push(`trampled: ${process.name} did ${op} ${key} though it knew that it was overtaken`);
    }
    const [, seq] = /\/journal\/(\d{12})$/.exec(key) ?? [];
    if (seq === undefined || (op !== "create" && op !== "append")) return;
    const all = (this.#rests.get(key) ?? "") + text;
    const lines = all.split("\n");
    this.#rests.set(key, lines.pop() ?? "");
    for (const line of lines) this.#take(process, Number(seq), JSON.parse(line) as Entry);
  };

  /** The durable state when a handler begins must contain its intent. */
  begins(process: SimulatedProcess, { phase, fqn, uid, token }: Call): readonly string[] {
    const status = STATUS[phase];
    if (![...this.#sessions.values()].includes(process)) {
      return [`unheld: ${phase} of ${fqn} began in ${process.name}, which had opened no session`];
    }
    if (this.#intents.has(`${status} ${uid} ${token}`)) return [];
    return [`unintended: ${phase} of ${fqn} began in ${process.name}, and no intent was durable`];
  }

  /** The process that has opened the newest session. */
  get holder(): SimulatedProcess | undefined {
    return this.#sessions.get(this.newest);
  }

  isOvertaken(process: SimulatedProcess): boolean {
    return this.#overtaken.has(process);
  }

  isRecorded({ uid, name }: Thing): boolean {
    const record = this.contents.records.get(uid);
    if (!record) return false;
    const { output, status } = record;
    return status !== "ready" || Reflect.get(Object(output), "thing") === name;
  }

  uidsAt(fqn: string): ReadonlySet<string> {
    const found = [...this.contents.records.values()].filter(({ key }) => `${this.#fqn}/${key}` === fqn);
    return new Set(found.map(({ uid }) => uid));
  }

  nameOf(uid: string): string | undefined {
    const record = this.contents.records.get(uid);
    return record && `${this.#fqn}/${record.key}`;
  }

  isSettled(uid: string): boolean {
    return this.contents.records.get(uid)?.output !== undefined;
  }

  deletersOf(uid: string): readonly string[] {
    return this.#deleters.get(uid) ?? [];
  }

  isProtected(uid: string): boolean {
    return this.contents.records.get(uid)?.protect === true;
  }

  /** It found another process's entry in the place of its own. */
  #refused(process: SimulatedProcess, key: string, text: string): void {
    if (!key.includes("/journal/") || !this.#overtaken.has(process)) return;
    const session = (JSON.parse(text.slice(0, text.indexOf("\n"))) as Entry).session;
    if (this.#sessions.get(session) !== process) this.#knowing.set(process, this.#time.now);
  }

  #take(process: SimulatedProcess, seq: number, entry: Entry): void {
    if (entry.open) {
      const before = this.#sessions.get(this.newest);
      if (before && before !== process && !before.isGone) this.#overtaken.add(before);
      this.newest = entry.session;
      // It has started a new session.
      this.#overtaken.delete(process);
      this.#knowing.delete(process);
      this.#sessions.set(entry.session, process);
    }
    // Lines of an older entry that follow a newer entry do not count.
    if (seq < this.#last) {
      if (this.#overtaken.has(process)) this.#knowing.set(process, this.#time.now);
      return;
    }
    this.#last = seq;
    for (const change of entry.ops ?? []) {
      this.contents.apply(change);
      const uid = "record" in change ? change.record.uid : "uid" in change ? change.uid : undefined;
      if (uid !== undefined) this.changed.set(uid, { process: process.name, at: this.#time.now });
      const record = uid === undefined ? undefined : this.contents.records.get(uid);
      if (!record || record.status === "ready") continue;
      if (record.status === "deleting") this.#deleters.set(record.uid, [...this.deletersOf(record.uid), process.name]);
      this.#intents.set(`${record.status} ${record.uid} ${record.token}`, { session: entry.session });
    }
  }
}

/**
 * A process that was overtaken may wait for the other, and then open a session of its own. Before that, it appends
 * nothing to the other's entries.
 */
function beginsAnew(op: StoreWrite["op"], key: string, text: string): boolean {
  if (op === "append" && text === "") return true;
  if (op !== "create" || !key.includes("/journal/")) return false;
  const end = text.indexOf("\n");
  return end > 0 && (JSON.parse(text.slice(0, end)) as Entry).open !== undefined;
}
