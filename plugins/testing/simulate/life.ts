/** Lives through one history in virtual time, and reports its problems. */
import { messageOf, RunFailedError } from "../../../core/base/index.js";
import type { Plan, ResourceRecord, StoreContext } from "../../../core/contract/index.js";
import { ledgerKeys, load } from "../../../core/state/index.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";
import type { Started } from "../simulation/simulation.js";
import { CALM, type Chapter, type Deployer, type History, randomHistory } from "./history.js";
import type { Problem, SimulatedRecord, SimulationMoment, SimulationSubject } from "./options.js";
import { APP, deploy, plan, ROOT_DIR, type RunSettings, STAGE } from "./run.js";
import type { SimulatedStage } from "./stage.js";

const READER: StoreContext = { appName: APP, stage: STAGE, rootDir: ROOT_DIR, profile: undefined, warn() {} };

type Main<T> = (process: SimulatedProcess, settings: RunSettings) => Promise<T>;

/** Follows the chapters of a history, then checks that the stage can come to rest again. */
class Life {
  readonly #stage: SimulatedStage;
  readonly #subject: SimulationSubject;
  readonly #history: History;

  constructor(stage: SimulatedStage, subject: SimulationSubject, history: History) {
    this.#stage = stage;
    this.#subject = subject;
    this.#history = history;
  }

  /** Ends with the first problem. */
  async live(): Promise<void> {
    const program = this.#subject.programs.length - 1;
    const run = { ...CALM, does: "up", program } as const;
    const steps = [
      ...this.#history.chapters.map((chapter) => () => this.#trouble(chapter)),
      () => this.#calm("run", { ...run, name: "calm run" }, deploy),
      () => this.#check("converged"),
      () => this.#idle("run", { ...run, name: "idle run" }, deploy),
      () => this.#idle("plan", { ...run, name: "idle plan" }, plan),
      () => this.#calm("destroy", { ...run, name: "calm destroy", does: "destroy" }, deploy),
      () => this.#check("destroyed"),
    ];
    for (const step of steps) {
      await step();
      if (this.#stage.problems.length > 0) return;
    }
  }

  async #trouble(chapter: Chapter): Promise<void> {
    const runs = chapter.deployers.map((deployer) =>
      this.#stage.start(deployer.name, deployer, (process) => deploy(process, this.#settings(process, deployer))),
    );
    await this.#stage.finish(runs, chapter);
    await this.#check("underway");
  }

  async #calm<T>(does: string, deployer: Deployer, main: Main<T>): Promise<T | undefined> {
    // Requests to the store that are still on their way arrive first.
    while (this.#stage.simulation.time.step());
    const { outcome } = await this.#stage.calmly(deployer.name, (process) =>
      main(process, this.#settings(process, deployer)),
    );
    for (const error of errorsOf(outcome)) {
      this.#stage.problem(`calm ${does}`, `A ${does} without any fault has failed: ${nameOf(error)}`);
    }
    return outcome && "value" in outcome ? outcome.value : undefined;
  }

  /** A run in which nothing has changed since the last one. */
  async #idle(does: string, deployer: Deployer, main: Main<Plan | void>): Promise<void> {
    const { changes, writes } = this.#stage;
    const before = { changes: changes.length, writes: writes.length };
    const made = await this.#calm(does, deployer, main);
    const problem = (kind: string, text: string): void =>
      this.#stage.problem(`idle ${kind}`, `A ${does} that had nothing to do ${text}.`);
    for (const call of changes.slice(before.changes)) problem("call", `has called ${call}`);
    for (const write of writes.slice(before.writes)) problem("write", `has written to the store: ${write}`);
    for (const { action, fqn, reason } of made?.actions ?? []) problem("plan", `would ${action} ${fqn}: ${reason}`);
  }

  /** Checks that the state can be loaded, and that the outside world agrees with it. */
  async #check(when: SimulationMoment["when"]): Promise<void> {
    const { outcome } = await this.#stage.calmly("check", async (process) => {
      const store = this.#stage.connect(process, this.#subject, READER);
      const loaded = await load({ store, keys: ledgerKeys(APP, STAGE), app: APP, stage: STAGE, keep: 3 });
      await store.close?.();
      return [...loaded.contents.records.values()].map(recordOf);
    });
    for (const error of errorsOf(outcome)) this.#stage.problem("load", `The state cannot be read: ${nameOf(error)}`);
    if (!outcome || !("value" in outcome)) return;
    if (when === "destroyed") {
      for (const { path, status } of outcome.value)
        this.#stage.problem("left", `A destroy has left ${path}, which is ${status}.`);
    }
    try {
      await this.#subject.check?.({ when, records: outcome.value });
    } catch (error) {
      this.#stage.problem("check", `check (${when}): ${messageOf(error)}`);
    }
  }

  #settings(process: SimulatedProcess, deployer: Deployer): RunSettings {
    return {
      subject: this.#subject,
      deployer,
      limits: this.#history.limits,
      watch: this.#stage,
      connect: (context) => this.#stage.connect(process, this.#subject, context),
    };
  }
}

/** The events and problems of a history. */
export interface Lived {
  readonly history: History;
  /** Name of the store. */
  readonly store: string;
  readonly problems: readonly Problem[];
  readonly trace: readonly string[];
  readonly runs: number;
  readonly calls: number;
}

export interface LifeSettings {
  readonly stage: SimulatedStage;
  /** The greatest probability that a request is lost. */
  readonly lost: number;
  /** Default: the history that follows from the seed. */
  readonly history?: History;
}

export async function live(subject: SimulationSubject, { stage, lost, history }: LifeSettings): Promise<Lived> {
  const lived = history ?? randomHistory(stage.simulation.random.fork("history"), subject.programs.length, lost);
  await new Life(stage, subject, lived).live();
  const { problems, trace, runs, calls } = stage;
  return { history: lived, store: stage.storeName, problems, trace, runs, calls };
}

function recordOf(record: ResourceRecord): SimulatedRecord {
  const { key: path, kind, uid, status, physicalName, output, replaced = false } = record;
  return { path, kind, uid, status, physicalName, output, isReplaced: replaced };
}

function errorsOf(outcome: Started<unknown>["outcome"]): readonly unknown[] {
  if (!outcome || !("error" in outcome)) return [];
  const { error } = outcome;
  return error instanceof RunFailedError ? error.errors : [error];
}

function nameOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? `${String(error.code)}: ` : "";
  return `${code}${messageOf(error)}`;
}
