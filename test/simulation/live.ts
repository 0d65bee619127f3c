/** Lives through a history in virtual time, and says what went wrong. */
import { hash } from "node:crypto";
import { createEngine } from "../../core/engine.js";
import { isEngineError, RunFailedError } from "../../core/errors.js";
import type { EngineEvents } from "../../core/events.js";
import type { EngineOptions } from "../../core/options.js";
import type { Plan } from "../../core/plan/plan.js";
import type { EnginePlugin } from "../../core/plugin.js";
import type { CheckpointLimits } from "../../core/state/limits.js";
import type { Machine } from "../../core/testing/simulation/machine.js";
import type { SimulatedProcess } from "../../core/testing/simulation/simulated-process.js";
import type { SimulatedStore } from "../../core/testing/simulation/simulated-store.js";
import { Simulation, type Started } from "../../core/testing/simulation/simulation.js";
import { bucketTraits, filesTraits, NO_FAULTS, redisTraits } from "../../core/testing/simulation/store-traits.js";
import { processExit } from "../../plugins/process-exit.js";
import { secrets } from "../../plugins/secrets.js";
import { calm } from "./calm.ts";
import type { Chapter, Deployer, History } from "./history.ts";
import { JournalWatch } from "./journal-watch.ts";
import type { Props } from "./kinds.ts";
import { atRest, converged, RETRYING, stateIn } from "./oracles.ts";
import { inside, play } from "./play.ts";
import { edited, type Program } from "./program.ts";
import { World } from "./world.ts";

export type Warning = EngineEvents["warning"];

const TRAITS = { files: filesTraits, redis: redisTraits, bucket: bucketTraits } as const;
const PLAN_FILE = "/project/plan.json";

/** Engines that differ in how often they make checkpoints, and in how much of them they keep. */
const SETTINGS: readonly {
  readonly limits?: CheckpointLimits;
  readonly checkpoints?: number;
  readonly histories?: number;
}[] = [
  {},
  { limits: { entries: 4, tail: 4_000, small: 2_000 } },
  { limits: { entries: 64, tail: 1, small: 1_000_000 }, histories: 1 },
  { limits: { entries: 1, tail: 600, small: 1_000_000 }, checkpoints: 1, histories: 0 },
];

const CALM: Deployer = {
  machine: 0,
  delay: 0,
  does: "up",
  concurrency: 64,
  parallel: false,
  lockTimeout: 600_000,
  refresh: false,
  force: false,
  targets: [],
  blows: [],
  mishap: 0,
  behind: 0,
  isWatched: false,
};

/** What happened, and what was wrong with it. */
export interface Lived {
  readonly problems: readonly string[];
  /** Everything that happened, a line each: equal for equal histories. */
  readonly trace: readonly string[];
}

export async function live(history: History): Promise<Lived> {
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
  readonly #watch = new JournalWatch();
  readonly #world: World;
  readonly #machines: readonly Machine[];
  readonly #told: Warning[] = [];
  #program: Program = [];
  #saved: { readonly plan: Plan; readonly program: Program } | undefined;
  #started = 0;
  /** What is protected and no longer declared keeps the stage from coming to rest. */
  #isHeldUp = false;

  constructor(history: History) {
    this.#history = history;
    this.#simulation = new Simulation(String(history.seed));
    this.#store = this.#simulation.store(TRAITS[history.store]);
    this.#store.observe(this.#watch.observe);
    this.#store.observe(({ process, op, key, text }) => {
      this.#note(`${process.name} ${op} ${key} ${key.includes("/journal/") ? text.trimEnd() : digestOf(text)}`);
    });
    this.#world = new World(this.#simulation, this.#watch, (line) => this.#note(line));
    this.#machines = ["alpha", "beta", "gamma"].map((name) => this.#simulation.machine(name));
  }

  async run(): Promise<void> {
    for (const chapter of this.#history.chapters) {
      await this.#live(chapter);
      if (this.problems.length > 0) return;
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
    const { lostRequest, lostReply, repeated, outage } = chapter;
    const { now } = this.#simulation.time;
    this.#store.faults = { lostRequest, lostReply, repeated };
    this.#store.outage = outage && [now + outage[0], now + outage[0] + outage[1]];
    const runs = chapter.deployers.map((deployer) => ({ deployer, run: this.#deploy(deployer) }));
    await this.#simulation.run();
    this.#store.faults = NO_FAULTS;
    this.#store.outage = undefined;
    for (const { deployer, run } of runs) this.#explain(chapter, deployer, run);
    await this.#check();
  }

  /** Whatever happened: one more run converges, the next does nothing, and a destroy leaves nothing. */
  async #converge(): Promise<void> {
    // What is still on its way arrives before.
    while (this.#simulation.time.step());
    this.#program = calm(this.#program);
    this.#note(`program ${JSON.stringify(this.#program)}`);
    await this.#must("up");
    if (this.problems.length > 0 || this.#isHeldUp) return;
    const state = await stateIn(this.#store);
    this.problems.push(...converged({ program: this.#program, state, things: this.#world.things, told: this.#told }));
    await this.#mustDoNothing("up");
    await this.#mustDoNothing("plan");
    if (this.problems.length > 0) return;
    await this.#must("destroy");
    const { contents } = await stateIn(this.#store);
    const left = [...contents.records.values()];
    // What nobody can tell of keeps what it may rest on.
    const isDoubted = left.some(({ status }) => status === "creating");
    if (left.length > 0 && !isDoubted)
      this.problems.push(`left: ${left.map(({ key }) => key).join(", ")} after all was destroyed`);
  }

  async #must(does: "up" | "destroy"): Promise<void> {
    const run = this.#deploy({ ...CALM, does });
    await this.#simulation.run();
    const errors = errorsOf(run).filter(
      (error) => !isEngineError(error, "UNRESOLVED") && !isEngineError(error, "PROTECTED"),
    );
    this.#isHeldUp ||= errorsOf(run).some((error) => isEngineError(error, "PROTECTED"));
    for (const error of errors) this.problems.push(`failed: a calm ${does} failed: ${nameOf(error)}`);
    if (!run.outcome) this.problems.push(`stuck: a calm ${does} did not end`);
    await this.#check();
  }

  async #mustDoNothing(does: "up" | "plan"): Promise<void> {
    const before = this.trace.length;
    const calls = this.#world.calls.length;
    const run = this.#deploy({ ...CALM, does });
    await this.#simulation.run();
    for (const error of errorsOf(run)) this.problems.push(`failed: an unchanged ${does} failed: ${nameOf(error)}`);
    const writes = this.trace.slice(before).filter((line) => /^\S+ \S+ (create|append|set|delete) /.test(line));
    const made = this.#world.calls.slice(calls).filter(({ phase }) => phase !== "read");
    const isResting = [...(await stateIn(this.#store)).contents.records.values()].every(
      ({ status }) => status === "ready",
    );
    if (!isResting) return;
    for (const { phase, fqn } of made) this.problems.push(`idle: an unchanged ${does} called ${phase} of ${fqn}`);
    for (const line of writes)
      this.problems.push(`idle: an unchanged ${does} wrote ${line.split(" ").slice(2, 4).join(" ")}`);
    if (does === "plan" && run.outcome && "value" in run.outcome) {
      const { actions } = run.outcome.value as Plan;
      for (const { action, fqn, reason } of actions)
        this.problems.push(`planned: ${action} of ${fqn}, though nothing is to be done: ${reason}`);
    }
  }

  #drift({ drift }: Chapter): void {
    for (const { id, gone } of drift) {
      for (const thing of this.#world.things.values()) {
        if (thing.kind !== "verified" || !thing.fqn.endsWith(`/${id}`)) continue;
        if (gone) this.#world.remove(thing.name);
        else thing.value = "changed by somebody";
      }
    }
  }

  #deploy(deployer: Deployer): Started<unknown> {
    const { machine: at, delay, blows } = deployer;
    const machine = this.#machines[at % this.#machines.length] as Machine;
    const name = `p${++this.#started}-${deployer.does}`;
    const program = deployer.behind > 0 ? this.#program.slice(0, -deployer.behind) : this.#program;
    return this.#simulation.start(name, { machine, delay, blows }, (process) => {
      const random = process.chance("world");
      process.belongings.set("world", this.#world);
      this.#world.enter(process, { mishap: deployer.mishap, random });
      return this.#main(deployer, program, process);
    });
  }

  async #main(deployer: Deployer, program: Program, process: SimulatedProcess): Promise<unknown> {
    const { does } = deployer;
    const engine = createEngine({
      ...SETTINGS[this.#history.limits % SETTINGS.length],
      plugins: [
        this.#listening(process),
        ...(deployer.isWatched ? [processExit()] : []),
        ...(this.#history.password ? [secrets()] : []),
      ],
    });
    const stage = {
      engine,
      world: this.#world,
      process: process.name,
      hasSecrets: this.#history.password,
      isUp: does === "up" || does === "apply",
    };
    process.belongings.set("inside", (props: Props, uid: string) => inside(stage, props, uid));
    const saved = this.#saved;
    if (does === "apply" && !saved) return undefined;
    if (saved) process.machine.files.set(PLAN_FILE, JSON.stringify(saved.plan));
    const options: EngineOptions = {
      ...this.#optionsOf(deployer, process),
      ...(does === "apply" ? { planFile: PLAN_FILE } : {}),
    };
    if (does === "plan") {
      const plan = await engine.plan("app", options, (root) => play(stage, root, program));
      this.#saved = { plan: JSON.parse(JSON.stringify(plan)), program };
      return plan;
    }
    const app = await engine("app", options);
    const played = does === "apply" && saved ? saved.program : program;
    await app.run(() => play(stage, app, played)).catch(() => {});
    await app.finalize();
    return "done";
  }

  #optionsOf(deployer: Deployer, process: SimulatedProcess): EngineOptions {
    const { does, concurrency, parallel, lockTimeout, refresh, force, targets, isWatched } = deployer;
    const phase = does === "destroy" || does === "read" ? does : "up";
    return {
      stage: "dev",
      phase,
      env: {},
      ...(isWatched ? {} : { argv: [] }),
      rootDir: "/project",
      profile: process.name,
      stateStore: this.#store.client(process, process.chance("store")),
      concurrency,
      destroyStrategy: parallel ? "parallel" : "sequential",
      lockTimeout,
      ...(does === "read" ? {} : { refresh, force }),
      ...(targets.length > 0 && phase === "up" ? { target: targets.map((id) => `**/${id}`) } : {}),
      ...(this.#history.password ? { password: "open sesame" } : {}),
      logger: { info() {}, error() {} },
    };
  }

  #listening(process: SimulatedProcess): EnginePlugin {
    return {
      name: "listening",
      apply: ({ events }) => {
        events.on("warning", (warning) => {
          this.#told.push(warning);
          this.#note(`${process.name} warns ${warning.code} ${warning.fqn ?? ""}`);
        });
        events.on("resource:retained", ({ fqn }) => this.#release(fqn));
        events.on("resource:retrying", ({ fqn, message }) => this.#told.push({ code: RETRYING, message, fqn }));
      },
    };
  }

  /** What is retained is nobody's from now on. */
  #release(fqn: string): void {
    for (const thing of this.#world.things.values()) if (thing.fqn === fqn) thing.released = true;
  }

  /** A failure must be one that was asked for. */
  #explain(chapter: Chapter, deployer: Deployer, run: Started<unknown>): void {
    const { process, outcome } = run;
    this.trace.push(
      `${process.name} ${outcome ? ("error" in outcome ? nameOf(outcome.error) : "done") : (process.endedBy ?? "stuck")}`,
    );
    if (!outcome && process.endedBy === undefined) this.problems.push(`stuck: ${process.name} did not end`);
    for (const error of errorsOf(run)) {
      if (!this.#isExpected(error, chapter, deployer))
        this.problems.push(`unexpected: ${process.name}: ${nameOf(error)}`);
    }
  }

  #isExpected(error: unknown, chapter: Chapter, { does, blows, mishap, targets }: Deployer): boolean {
    const { code = "", message = "" }: { code?: string; message?: string } = Object(error);
    const isShaken = chapter.lostRequest + chapter.lostReply + chapter.repeated > 0 || chapter.outage !== undefined;
    switch (code) {
      case "STATE_LOCKED":
      case "STATE_MOVED":
      case "UNRESOLVED":
      case "PROTECTED":
      case "DEPENDENTS_LEFT_OUT":
      case "ALIAS_CONFLICT":
        return true;
      case "FENCED":
        return chapter.deployers.length > 1 || isShaken;
      case "PLAN_STALE":
      case "PLAN_MISMATCH":
        return does === "apply";
      case "NOT_RECORDED":
      case "KIND_MISMATCH":
      case "READ_ONLY":
        return does === "read";
      case "STORE_FAILED":
        return isShaken;
      case "ABORTED":
        return (
          blows.some(({ what }) => what === "SIGINT" || what === "SIGTERM") || isShaken || chapter.deployers.length > 1
        );
      case "TIMEOUT":
        return true;
      case "UNKNOWN_VALUE":
        return targets.length > 0;
      case "HANDLER_FAILED":
        return (
          /: (no|lost the reply to) /.test(message) &&
          (mishap > 0 || /already exists|is there to be changed|aborted|it throws/.test(message))
        );
      default:
        return message.startsWith("no program");
    }
  }

  async #check(): Promise<void> {
    this.problems.push(
      ...this.#simulation.problems.splice(0),
      ...this.#world.problems.splice(0),
      ...this.#watch.problems.splice(0),
    );
    const state = await stateIn(this.#store);
    this.#watch.contents = state.contents.copy();
    this.problems.push(...atRest({ state, things: this.#world.things, told: this.#told, calls: this.#world.calls }));
    for (const process of this.#simulation.processes) {
      if (process.endedBy === undefined && process.listeners > 0)
        this.problems.push(`listeners: ${process.name} left ${process.listeners}`);
    }
  }
}

function errorsOf({ outcome }: Started<unknown>): readonly unknown[] {
  if (!outcome || !("error" in outcome)) return [];
  const { error } = outcome;
  return error instanceof RunFailedError ? error.errors : [error];
}

function nameOf(error: unknown): string {
  if (isEngineError(error)) return `${error.code} ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Checkpoints are long, and say nothing that the journal does not. */
function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}
