/** Runs a history in the world of users, and returns the promises of the guide that it broke. */
import { messageOf } from "../../../core/base/index.js";
import type { Machine } from "../../../plugins/testing/simulation/machine.js";
import { NO_FAULTS } from "../../../plugins/testing/simulation/machine.js";
import type { SimulatedStore } from "../../../plugins/testing/simulation/simulated-store.js";
import { Simulation, type Started } from "../../../plugins/testing/simulation/simulation.js";
import { CALM } from "../calm.ts";
import { deploy, type Ground } from "../deploy.ts";
import { errorsOf, nameOf } from "../expected.ts";
import type { Chapter, Deployer, History } from "../history.ts";
import { JournalWatch } from "../journal-watch.ts";
import type { Lived } from "../live.ts";
import { stateIn } from "../oracles.ts";
import { edited, type Program } from "../program.ts";
import { secretsIn, shortened } from "../secrets-in-clear.ts";
import { TRAITS } from "../traits.ts";
import { Ending } from "./ending.ts";
import { isExpected } from "./expected.ts";
import { hasName } from "./kinds.ts";
import { atRest, emptied, isForetold, lastAlone } from "./promises.ts";
import { withSentence } from "./sentences.ts";
import { keepCopies } from "./settle.ts";
import { UsersWorld } from "./world.ts";

export async function liveAmongUsers(history: History): Promise<Lived> {
  const life = new Life(history);
  try {
    await life.run();
  } catch (error) {
    life.problems.push(`crashed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  return { problems: [...new Set(life.problems)].map(withSentence), trace: life.trace };
}

/** A process of a life, and its program. */
export interface Deployed {
  readonly deployer: Deployer;
  readonly program: Program;
  readonly run: Started<unknown>;
}

export class Life {
  readonly problems: string[] = [];
  readonly trace: string[] = [];
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  readonly watch: JournalWatch;
  readonly world: UsersWorld;
  readonly ground: Ground;
  readonly #history: History;
  readonly #machines: readonly Machine[];
  readonly #versions: Program[] = [];
  program: Program = [];
  /** Number of the user's commands on the state. */
  commands = 0;
  #started = 0;
  #hasCrashed = false;

  constructor(history: History) {
    this.#history = history;
    this.simulation = new Simulation(String(history.seed));
    const traits = TRAITS[history.store];
    this.store = this.simulation.store(traits);
    this.watch = new JournalWatch(this.simulation.time, traits);
    this.world = new UsersWorld(this.simulation, this.watch, (line) => this.note(line));
    this.store.observe((write) => {
      this.watch.observe(write);
      this.world.settled(this.watch.contents.records.values());
      if (write.op === "refuse") return;
      this.note(`${write.process.name} ${write.op} ${write.key} ${shortened(write.key, write.text)}`);
    });
    this.ground = {
      history,
      store: this.store,
      world: this.world,
      told: [],
      deeds: [],
      saved: undefined,
      note: (line) => this.note(line),
    };
    this.#machines = ["alpha", "beta", "gamma"].map((name) => this.simulation.machine(name));
  }

  async run(): Promise<void> {
    for (const chapter of this.#history.chapters) {
      await this.#live(chapter);
      if (this.problems.length > 0) return;
      if (chapter.crash !== undefined) return this.#recover();
    }
    await new Ending(this).run();
  }

  note(line: string): void {
    this.trace.push(`${this.simulation.time.now.toFixed(3)} ${line}`);
  }

  async #live(chapter: Chapter): Promise<void> {
    const before = chapter.reverts ? (this.#versions.at(-chapter.reverts) ?? []) : this.program;
    this.#versions.push(this.program);
    this.program = edited(before, chapter.edits);
    this.note(`program ${JSON.stringify(this.program)}`);
    this.note(`refusals ${JSON.stringify(chapter.refusals ?? [])}`);
    await this.#meddle(chapter);
    if (chapter.keepsCopies) await keepCopies(this);
    const [first] = chapter.deployers;
    const isForeseen = chapter.isForeseen === true && first?.does === "up" && chapter.deployers.length === 1;
    // Requests of a killed run arrive before the plan is made; otherwise the run would find another state.
    if (isForeseen) while (this.simulation.time.step());
    const plan = isForeseen ? await this.deploy({ ...first, ...UNDISTURBED, does: "plan" }) : undefined;
    const { lostRequest, lostReply, repeated } = chapter;
    this.store.faults = { lostRequest, lostReply, repeated };
    this.world.refusals = chapter.refusals ?? [];
    const opened = this.watch.newest;
    const runs = chapter.deployers.map((deployer) => this.start(deployer));
    const { time } = this.simulation;
    const cancel = chapter.crash === undefined ? () => {} : time.at(time.now + chapter.crash, () => this.#crash());
    await this.simulation.run();
    cancel();
    this.store.faults = NO_FAULTS;
    this.world.refusals = [];
    for (const one of runs) this.#explain(chapter, one);
    await this.check();
    const { contents } = await stateIn(this.store);
    if (plan && runs[0]) this.problems.push(...isForetold(plan, runs[0], this.ground.deeds, contents));
    const { watch, world } = this;
    if (watch.newest !== opened) this.problems.push(...lastAlone({ runs, watch, world, contents }));
    for (const one of runs) this.problems.push(...emptied(one, contents));
  }

  /** Runs one process to its end. */
  async deploy(deployer: Deployer): Promise<Deployed> {
    const deployed = this.start(deployer);
    await this.simulation.run();
    const { process, outcome } = deployed.run;
    if (!outcome) this.problems.push(`stuck: ${process.name} did not end`);
    await this.check();
    return deployed;
  }

  start(deployer: Deployer): Deployed {
    const { machine: at, delay, blows, behind, does, own = [] } = deployer;
    const machine = this.#machines[at % this.#machines.length] as Machine;
    const program = edited(behind > 0 ? this.program.slice(0, -behind) : this.program, own);
    const name = `p${++this.#started}-${does}`;
    const run = this.simulation.start(name, { machine, delay, blows }, (process) =>
      deploy(this.ground, deployer, program, process),
    );
    return { deployer, program, run };
  }

  /** Others create, change and delete resources. */
  async #meddle({ drift, foreign = [] }: Chapter): Promise<void> {
    const { records } = (await stateIn(this.store)).contents;
    const ours = new Set(
      [...records.values()].flatMap(({ physicalName, output }) => [
        physicalName,
        String(Reflect.get(Object(output), "thing")),
      ]),
    );
    for (const { id, scope } of foreign) {
      const name = ["app", scope, id, "dev"].filter(Boolean).join("-");
      // A recorded name, or that of a pending resource, cannot be another program's.
      if (!ours.has(name)) this.world.foreign.make(name);
    }
    for (const { id, gone, tag } of drift) {
      for (const thing of this.world.things.values()) {
        if (thing.parent !== undefined || !thing.fqn.endsWith(`/${id}`) || hasName(thing.kind)) continue;
        if (tag !== undefined && thing.kind === "tagged") thing.tag = tag;
        if (tag !== undefined || thing.kind !== "verified") continue;
        if (gone) this.world.things.delete(thing.name);
        else Object.assign(thing, { value: "changed by somebody", isDoubtful: true });
      }
    }
  }

  /** A failure must be one that was requested. */
  #explain(chapter: Chapter, { deployer, run }: Deployed): void {
    const { process, outcome } = run;
    const end = outcome && ("error" in outcome ? nameOf(outcome.error) : "done");
    this.note(`${process.name} ${end ?? process.endedBy ?? "stuck"}`);
    if (!outcome && process.endedBy === undefined) this.problems.push(`stuck: ${process.name} did not end`);
    const pruned = this.world.pruned.get(process.name);
    if (pruned && errorsOf(run).some((error) => /^(create|update|adopt|replace) of /.test(messageOf(error))))
      this.problems.push(pruned);
    for (const error of errorsOf(run)) {
      if (!isExpected(error, chapter, deployer)) this.problems.push(`unexpected: ${process.name}: ${nameOf(error)}`);
    }
  }

  /** The power of all machines fails at once: data that was not synced may be lost. */
  #crash(): void {
    this.note("the power fails");
    this.#hasCrashed = true;
    for (const process of this.simulation.processes) process.kill("power loss");
    for (const machine of this.#machines) {
      if (this.store.traits.isLocal) this.store.loseUnsynced(machine, this.simulation.random);
      machine.restart();
    }
    this.world.forgetResults();
  }

  /**
   * The newest results may be missing without a trace. The remaining state is consistent, and a run continues from it.
   */
  async #recover(): Promise<void> {
    const { run } = await this.deploy({ ...CALM, refresh: true });
    for (const error of errorsOf(run)) {
      const { code = "" }: { code?: string } = Object(error);
      if (code.startsWith("STATE_") || code === "FENCED") this.problems.push(`failed: after a power loss: ${code}`);
    }
  }

  async check(): Promise<void> {
    const hasCrashed = this.#hasCrashed;
    const { told } = this.ground;
    const { things, calls, problems } = this.world;
    for (const found of [this.simulation.problems, problems, this.watch.problems])
      this.problems.push(...found.splice(0));
    const state = await stateIn(this.store);
    this.watch.contents = state.contents.copy();
    const { processes } = this.simulation;
    const killed = new Set(processes.flatMap(({ name, endedBy }) => (endedBy === undefined ? [] : name)));
    this.problems.push(...atRest({ state, things, told, calls, hasCrashed, killed }), ...secretsIn(this.trace));
    for (const { name, endedBy, listeners, belongings } of processes) {
      if (endedBy !== undefined) continue;
      if (listeners > 0) this.problems.push(`listeners: ${name} left ${listeners}`);
      const live = belongings.get("live-roots@1") as ReadonlySet<unknown> | undefined;
      if (live && live.size > 0) this.problems.push(`live: ${name} ended with ${live.size} live apps`);
    }
  }
}

const UNDISTURBED = { blows: [], mishap: 0, again: [], delay: 0, machine: 0, calls: false } as const satisfies Partial<
  typeof CALM
>;
