/** Runs a history in virtual time, and returns its violations. */
import { isEngineError, messageOf } from "../../core/base/index.js";
import type { Plan } from "../../core/contract/index.js";
import type { Machine } from "../../plugins/testing/simulation/machine.js";
import { NO_FAULTS } from "../../plugins/testing/simulation/machine.js";
import type { SimulatedStore } from "../../plugins/testing/simulation/simulated-store.js";
import { Simulation, type Started } from "../../plugins/testing/simulation/simulation.js";
import { CALM, calm } from "./calm.ts";
import { deploy, type Ground } from "./deploy.ts";
import { errorsOf, isExpected, isInPlaceOfDeleted, isOfCreateBegunBefore, isOfLostDelete, nameOf } from "./expected.ts";
import type { Chapter, Deployer, History } from "./history.ts";
import { JournalWatch } from "./journal-watch.ts";
import { liveWithMoves } from "./moves/live.ts";
import { atRest, converged, keptPlan, leftBehind, needsPerson, stateIn } from "./oracles.ts";
import { edited, type Program } from "./program.ts";
import { secretsIn, shortened } from "./secrets-in-clear.ts";
import { TRAITS } from "./traits.ts";
import { liveAmongUsers } from "./users/live.ts";
import { World } from "./world.ts";

/** The events of a history, and their violations. */
export interface Lived {
  readonly problems: readonly string[];
  /** All events, a line each: equal for equal histories. */
  readonly trace: readonly string[];
}

export async function live(history: History): Promise<Lived> {
  if (history.world === "users") return liveAmongUsers(history);
  if (history.world === "moves") return liveWithMoves(history);
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
  readonly #watch: JournalWatch;
  readonly #world: World;
  readonly #ground: Ground;
  readonly #machines: readonly Machine[];
  #program: Program = [];
  #started = 0;
  /** A protected resource that is no longer declared prevents an unchanged run. */
  #isHeldUp = false;

  constructor(history: History) {
    this.#history = history;
    this.#simulation = new Simulation(String(history.seed));
    const traits = TRAITS[history.store];
    this.#store = this.#simulation.store(traits);
    this.#watch = new JournalWatch(this.#simulation.time, traits);
    this.#store.observe(this.#watch.observe);
    this.#store.observe(({ process, op, key, text }) => {
      if (op === "refuse") return;
      this.#note(`${process.name} ${op} ${key} ${shortened(key, text)}`);
    });
    this.#world = new World(this.#simulation, this.#watch, (line) => this.#note(line));
    this.#ground = {
      history,
      store: this.#store,
      world: this.#world,
      told: [],
      deeds: [],
      saved: undefined,
      note: (line) => this.#note(line),
    };
    this.#machines = ["alpha", "beta", "gamma"].map((name) => this.#simulation.machine(name));
  }

  async run(): Promise<void> {
    for (const chapter of this.#history.chapters) {
      await this.#live(chapter);
      if (this.problems.length > 0) return;
      if (chapter.crash !== undefined) return this.#recover();
    }
    await this.#converge();
  }

  #note(line: string): void {
    this.trace.push(`${this.#simulation.time.now.toFixed(3)} ${line}`);
  }

  async #live(chapter: Chapter): Promise<void> {
    this.#program = edited(this.#program, chapter.edits);
    this.#note(`program ${JSON.stringify(this.#program)}`);
    this.#drift(chapter);
    const { lostRequest, lostReply, repeated, outage, crash } = chapter;
    const now = this.#simulation.time.now;
    this.#store.faults = { lostRequest, lostReply, repeated };
    this.#store.outage = outage && [now + outage[0], now + outage[0] + outage[1]];
    const runs = chapter.deployers.map((deployer) => ({ deployer, run: this.#deploy(deployer) }));
    const cancel = crash === undefined ? () => {} : this.#simulation.time.at(now + crash, () => this.#crash());
    await this.#simulation.run();
    cancel();
    this.#store.faults = NO_FAULTS;
    this.#store.outage = undefined;
    for (const { deployer, run } of runs) this.#explain(chapter, deployer, run);
    await this.#check(crash !== undefined);
  }

  /** The power of all machines fails at once: data that was not synced may be lost. */
  #crash(): void {
    this.#note("the power fails");
    for (const process of this.#simulation.processes) process.kill("power loss");
    for (const machine of this.#machines) {
      if (this.#store.traits.isLocal) this.#store.loseUnsynced(machine, this.#simulation.random);
      machine.restart();
    }
    this.#world.forgetResults();
  }

  /**
   * The newest results may be missing without a trace; the remaining state is consistent, and a run can continue from
   * it.
   */
  async #recover(): Promise<void> {
    const run = this.#deploy({ ...CALM, refresh: true });
    await this.#simulation.run();
    if (!run.outcome) this.problems.push("stuck: a run after a power loss did not end");
    const codes = errorsOf(run).map((error) => (isEngineError(error) ? error.code : nameOf(error)));
    for (const code of codes) {
      if (code.startsWith("STATE_") || code === "FENCED")
        this.problems.push(`failed: a run after a power loss: ${code}`);
    }
    await stateIn(this.#store);
  }

  /**
   * Whatever happened: one more run does what its plan says and converges, the next changes nothing, a destroy leaves
   * nothing.
   */
  async #converge(): Promise<void> {
    // Requests in flight arrive before.
    while (this.#simulation.time.step());
    this.#program = calm(this.#program);
    this.#note(`program ${JSON.stringify(this.#program)}`);
    if (needsPerson(this.#program, await stateIn(this.#store))) return;
    const heard = this.#ground.told.length;
    const planned = this.#deploy({ ...CALM, does: "plan" });
    await this.#simulation.run();
    // A plan only mentions the contents of a recovery file.
    const isWhole = !this.#ground.told.slice(heard).some(({ code }) => code === "RECOVERY_LEFT");
    const up = await this.#must("up");
    if (this.problems.length > 0 || this.#isHeldUp) return;
    const hasFailed = errorsOf(up).length > 0;
    // A run that failed at earlier pending work has pruned nothing.
    if (hasFailed) await this.#must("up");
    const state = await stateIn(this.#store);
    const { told, deeds } = this.#ground;
    this.problems.push(...converged({ program: this.#program, state, things: this.#world.things, told }));
    if (isWhole && !hasFailed && planned.outcome && "value" in planned.outcome) {
      const own = deeds.filter(({ process }) => process === up.process.name);
      this.problems.push(...keptPlan(planned.outcome.value as Plan, own, state.contents));
    }
    for (const does of ["up", "plan"] as const) await this.#mustDoNothing(does);
    if (this.problems.length > 0) return;
    await this.#must("destroy");
    this.problems.push(...leftBehind(await stateIn(this.#store)));
  }

  async #must(does: "up" | "destroy"): Promise<Started<unknown>> {
    const called = this.#world.calls.length;
    // As many deletes at once as the order allows, so that a missing order shows.
    const run = this.#deploy({ ...CALM, does, parallel: does === "destroy" });
    await this.#simulation.run();
    const errors = errorsOf(run);
    const calls = this.#world.calls.slice(called);
    const isDue = (error: unknown): boolean =>
      isEngineError(error, "UNRESOLVED") ||
      isEngineError(error, "PROTECTED") ||
      isOfCreateBegunBefore(error, errors) ||
      isOfLostDelete(error) ||
      isInPlaceOfDeleted(error, calls);
    this.#isHeldUp ||= errors.some(
      (error) => isEngineError(error, "PROTECTED") || isOfCreateBegunBefore(error, errors) || isOfLostDelete(error),
    );
    for (const error of errors) {
      if (!isDue(error)) this.problems.push(`failed: a calm ${does} failed: ${nameOf(error)}`);
    }
    if (!run.outcome) this.problems.push(`stuck: a calm ${does} did not end`);
    await this.#check();
    return run;
  }

  async #mustDoNothing(does: "up" | "plan"): Promise<void> {
    const [lines, calls] = [this.trace.length, this.#world.calls.length];
    const run = this.#deploy({ ...CALM, does });
    await this.#simulation.run();
    for (const error of errorsOf(run)) this.problems.push(`failed: an unchanged ${does} failed: ${nameOf(error)}`);
    const { records } = (await stateIn(this.#store)).contents;
    if ([...records.values()].some(({ status }) => status !== "ready")) return;
    const writes = this.trace.slice(lines).filter((line) => /^\S+ \S+ (create|append|set|delete) /.test(line));
    const made = this.#world.calls.slice(calls).filter(({ phase }) => phase !== "read");
    for (const { phase, fqn } of made) this.problems.push(`idle: an unchanged ${does} called ${phase} of ${fqn}`);
    for (const line of writes) this.problems.push(`idle: an unchanged ${does} wrote ${line.split(" ", 4).join(" ")}`);
    if (does === "up" || !run.outcome || !("value" in run.outcome)) return;
    for (const { action, fqn, reason } of (run.outcome.value as Plan).actions) {
      this.problems.push(`planned: ${action} of ${fqn}, though nothing is to be done: ${reason}`);
    }
  }

  #drift({ drift, foreign = [] }: Chapter): void {
    for (const { id, scope } of foreign) this.#world.foreign.make(["app", scope, id, "dev"].filter(Boolean).join("-"));
    for (const { id, gone } of drift) {
      for (const thing of this.#world.things.values()) {
        // Children are read only if their parent's handler is called.
        if (thing.kind !== "verified" || thing.parent !== undefined || !thing.fqn.endsWith(`/${id}`)) continue;
        if (gone) this.#world.things.delete(thing.name);
        else Object.assign(thing, { value: "changed by somebody", isDoubtful: true });
      }
    }
  }

  #deploy(deployer: Deployer): Started<unknown> {
    const { machine: at, delay, blows, behind, does } = deployer;
    const machine = this.#machines[at % this.#machines.length] as Machine;
    const program = behind > 0 ? this.#program.slice(0, -behind) : this.#program;
    return this.#simulation.start(`p${++this.#started}-${does}`, { machine, delay, blows }, (process) =>
      deploy(this.#ground, deployer, program, process),
    );
  }

  /** A failure must be one that was requested. */
  #explain(chapter: Chapter, deployer: Deployer, run: Started<unknown>): void {
    const { process, outcome } = run;
    const end = outcome && ("error" in outcome ? nameOf(outcome.error) : "done");
    this.#note(`${process.name} ${end ?? process.endedBy ?? "stuck"}`);
    if (!outcome && process.endedBy === undefined) this.problems.push(`stuck: ${process.name} did not end`);
    const pruned = this.#world.pruned.get(process.name);
    if (pruned && errorsOf(run).some((error) => /^(create|update|adopt|replace) of /.test(messageOf(error))))
      this.problems.push(pruned);
    for (const error of errorsOf(run)) {
      if (!isExpected(error, chapter, deployer)) this.problems.push(`unexpected: ${process.name}: ${nameOf(error)}`);
    }
  }

  async #check(hasCrashed = false): Promise<void> {
    const { things, calls, problems } = this.#world;
    for (const found of [this.#simulation.problems, problems, this.#watch.problems])
      this.problems.push(...found.splice(0));
    const state = await stateIn(this.#store);
    this.#watch.contents = state.contents.copy();
    const rest = { state, things, told: this.#ground.told, calls, hasCrashed };
    this.problems.push(...atRest(rest), ...secretsIn(this.trace));
    for (const { name, endedBy, listeners, belongings } of this.#simulation.processes) {
      if (endedBy !== undefined) continue;
      if (listeners > 0) this.problems.push(`listeners: ${name} left ${listeners}`);
      const live = belongings.get("live-roots@1") as ReadonlySet<unknown> | undefined;
      if (live && live.size > 0) this.problems.push(`live: ${name} ended with ${live.size} live apps`);
    }
  }
}
