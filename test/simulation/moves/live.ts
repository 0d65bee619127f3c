/** Runs a history of two stages, between which records move, and returns its violations. */
import { isEngineError } from "../../../core/base/index.js";
import { type Machine, NO_FAULTS } from "../../../plugins/testing/simulation/machine.js";
import type { SimulatedStore } from "../../../plugins/testing/simulation/simulated-store.js";
import { Simulation, type Started } from "../../../plugins/testing/simulation/simulation.js";
import { CALM } from "../calm.ts";
import { deploy, type Ground } from "../deploy.ts";
import { errorsOf, isExpected, nameOf } from "../expected.ts";
import type { Chapter, Deployer, History, StageName } from "../history.ts";
import type { Lived } from "../live.ts";
import { atRest, converged, leftBehind, stateIn } from "../oracles.ts";
import { edited, type Program, type Step } from "../program.ts";
import { secretsIn, shortened } from "../secrets-in-clear.ts";
import { TRAITS } from "../traits.ts";
import { World } from "../world.ts";
import { UNITS } from "./random-history.ts";
import { Wardens } from "./wardens.ts";

const STAGES = ["dev", "next"] as const;

export async function liveWithMoves(history: History): Promise<Lived> {
  const life = new Life(history);
  try {
    await life.run();
  } catch (error) {
    life.problems.push(`crashed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  return { problems: [...new Set(life.problems)], trace: life.trace };
}

class Life {
  readonly problems: string[] = [];
  readonly trace: string[] = [];
  readonly #history: History;
  readonly #simulation: Simulation;
  readonly #store: SimulatedStore;
  readonly #wardens: Wardens;
  readonly #world: World;
  readonly #ground: Ground;
  readonly #machines: readonly Machine[];
  /** All that either program declares. */
  #program: Program = [];
  /** The stages whose programs declare each unit: those that have records of it, or had the last one. */
  readonly #homes = new Map<string, ReadonlySet<StageName>>(UNITS.map((unit) => [unit, new Set(["dev"])]));
  #started = 0;

  constructor(history: History) {
    this.#history = history;
    this.#simulation = new Simulation(String(history.seed));
    const traits = TRAITS[history.store];
    this.#store = this.#simulation.store(traits);
    this.#wardens = new Wardens(this.#simulation.time, traits);
    this.#store.observe(this.#wardens.observe);
    const note = (line: string): void => void this.trace.push(`${this.#simulation.time.now.toFixed(3)} ${line}`);
    this.#store.observe(({ process, op, key, text }) => {
      if (op !== "refuse") note(`${process.name} ${op} ${key} ${shortened(key, text)}`);
    });
    this.#world = new World(this.#simulation, this.#wardens, note);
    this.#ground = { history, store: this.#store, world: this.#world, told: [], deeds: [], saved: undefined, note };
    this.#machines = ["alpha", "beta", "gamma"].map((name) => this.#simulation.machine(name));
  }

  async run(): Promise<void> {
    for (const chapter of this.#history.chapters) {
      await this.#live(chapter);
      if (this.problems.length > 0) return;
    }
    for (const stage of STAGES) {
      await this.#calmly({ ...CALM, does: "destroy", stage });
      this.problems.push(...leftBehind(await stateIn(this.#store, stage)));
    }
  }

  async #live(chapter: Chapter): Promise<void> {
    this.#program = edited(this.#program, chapter.edits);
    const before = await this.#dataCount();
    const { lostRequest, lostReply, repeated, outage } = chapter;
    const deployers = chapter.deployers.map((one) => this.#directed(one));
    const now = this.#simulation.time.now;
    this.#store.faults = { lostRequest, lostReply, repeated };
    this.#store.outage = outage && [now + outage[0], now + outage[0] + outage[1]];
    const runs = deployers.map((deployer) => ({ deployer, run: this.#start(deployer, deployers) }));
    await this.#simulation.run();
    this.#store.faults = NO_FAULTS;
    this.#store.outage = undefined;
    // Requests in flight arrive before.
    while (this.#simulation.time.step());
    for (const { deployer, run } of runs) this.#explain(chapter, deployer, run);
    await this.#finish(chapter);
    if (this.problems.length > 0) return;
    await this.#settle();
    const hasOnlyMoved = chapter.edits.length === 0 && deployers.every(({ does }) => does === "move");
    const data = await this.#dataCount();
    if (hasOnlyMoved && data !== before) this.problems.push(`data: a move made ${data} values of ${before}`);
    const calls = this.#world.calls.length;
    for (const stage of STAGES) await this.#calmly({ ...CALM, stage });
    const made = this.#world.calls.slice(calls).filter(({ phase }) => phase !== "read");
    // Each program finds its resources as they were, and every secret.
    for (const { phase, fqn } of hasOnlyMoved ? made : []) {
      this.problems.push(`idle: a run after a move called ${phase} of ${fqn}`);
    }
    const { things } = this.#world;
    const { told } = this.#ground;
    for (const stage of STAGES) {
      const state = await stateIn(this.#store, stage);
      this.problems.push(...converged({ program: this.#programOf(stage), state, things, told }));
    }
  }

  /** Most moves begin where their resources are. */
  #directed(deployer: Deployer): Deployer {
    const { does, stage = "dev", targets } = deployer;
    const units = targets.length > 0 ? targets : UNITS;
    const isThere = units.some((unit) => this.#homes.get(unit)?.has(stage));
    return does !== "move" || isThere ? deployer : { ...deployer, stage: stage === "dev" ? "next" : "dev" };
  }

  /** The user runs the command again that the refusal of a stage names. */
  async #finish(chapter: Chapter): Promise<void> {
    for (const stage of STAGES) {
      const refusal = await stateIn(this.#store, stage).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal === undefined) continue;
      const [, names = "", from] =
        /: engine state move (.*) --app app --stage (dev|next) --to-stage (?:dev|next)$/.exec(nameOf(refusal)) ?? [];
      this.#ground.note(`the user runs the move of ${names} from ${from} again`);
      if (!isEngineError(refusal, "STATE_INCOMPLETE") || (from !== "dev" && from !== "next"))
        return void this.problems.push(`unreadable: app/${stage}: ${nameOf(refusal)}`);
      const targets = names === "--all" ? [] : names.split(" ");
      const deployer: Deployer = { ...CALM, does: "move", stage: from, targets };
      const run = this.#start(deployer);
      await this.#simulation.run();
      this.#explain(chapter, deployer, run);
    }
  }

  /** Checks both states, and learns where the records are. */
  async #settle(): Promise<void> {
    const { things, calls, problems } = this.#world;
    const { told } = this.#ground;
    for (const found of [this.#simulation.problems, problems, this.#wardens.problems])
      this.problems.push(...found.splice(0));
    const states = await Promise.all(STAGES.map((stage) => stateIn(this.#store, stage)));
    const uids = states.map(({ contents }) => new Set(contents.records.keys()));
    for (const [at, state] of states.entries()) {
      this.#wardens.at(STAGES[at] as StageName).contents = state.contents.copy();
      const others = uids[1 - at] as ReadonlySet<string>;
      const own = new Map([...things].filter(([, { uid }]) => !others.has(uid)));
      this.problems.push(...atRest({ state, things: own, told, calls, hasCrashed: false }));
      for (const uid of at === 0 ? others : []) {
        if (uids[0]?.has(uid)) this.problems.push(`twice: ${uid} is recorded in both stages`);
      }
    }
    this.problems.push(...secretsIn(this.trace));
    for (const unit of UNITS) {
      const has = (at: number): boolean =>
        [...(states[at]?.contents.records.values() ?? [])].some(({ key }) => key.split("/")[0] === unit);
      const homes = STAGES.filter((_, at) => has(at));
      if (homes.length > 0) this.#homes.set(unit, new Set(homes));
    }
  }

  /** Counts the values of scopes, in both stages. */
  async #dataCount(): Promise<number> {
    const states = await Promise.all(STAGES.map((stage) => stateIn(this.#store, stage)));
    return states.filter(({ contents }) => contents.data.get("/x")?.has("k")).length;
  }

  #programOf(stage: StageName, isDeclared = (unit: string) => this.#homes.get(unit)?.has(stage) === true): Program {
    return this.#program.filter((step) => isDeclared(unitOf(step)));
  }

  async #calmly(deployer: Deployer): Promise<void> {
    const run = this.#start(deployer);
    await this.#simulation.run();
    if (!run.outcome) this.problems.push(`stuck: a calm ${deployer.does} did not end`);
    for (const error of errorsOf(run)) this.problems.push(`failed: a calm ${deployer.does} failed: ${nameOf(error)}`);
    await this.#settle();
  }

  #start(deployer: Deployer, all: readonly Deployer[] = []): Started<unknown> {
    const { machine: at, delay, blows, behind, does, stage = "dev" } = deployer;
    const machine = this.#machines[at % this.#machines.length] as Machine;
    const moves = behind === 0 ? [] : all.filter((one) => one.does === "move");
    const isDeclared = (unit: string): boolean => {
      const moved = moves.findLast(({ targets }) => targets.length === 0 || targets.includes(unit));
      return moved ? moved.stage !== stage : this.#homes.get(unit)?.has(stage) === true;
    };
    const program = this.#programOf(stage, isDeclared);
    const name = `p${++this.#started}-${does}-${stage}`;
    return this.#simulation.start(name, { machine, delay, blows }, (process) =>
      deploy(this.#ground, deployer, program, process),
    );
  }

  /** A failure must be one that was requested. */
  #explain(chapter: Chapter, deployer: Deployer, run: Started<unknown>): void {
    const { process, outcome } = run;
    const end = outcome && ("error" in outcome ? nameOf(outcome.error) : "done");
    this.#ground.note(`${process.name} ${end ?? process.endedBy ?? "stuck"}`);
    if (!outcome && process.endedBy === undefined) this.problems.push(`stuck: ${process.name} did not end`);
    for (const error of errorsOf(run)) {
      if (!isExpected(error, chapter, deployer)) this.problems.push(`unexpected: ${process.name}: ${nameOf(error)}`);
    }
  }
}

function unitOf(step: Step): string {
  return step.do === "declare" ? step.id : step.do === "scope" ? step.name : "";
}
