/** Runs a program in a simulated process: its engine, its options, and the outcome of its handlers. */

import { EngineError } from "../../../core/base/index.js";
import type {
  EngineOptions,
  EnginePlugin,
  HandlerCallContext,
  Plan,
  Scope,
  StateStore,
  StoreContext,
} from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import type { CheckpointLimits } from "../../../core/state/index.js";
import { createEngine, type Engine } from "../../engine/index.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";
import type { Deployer } from "./history.js";
import type { SimulationSubject } from "./options.js";
import { never, running } from "./outside.js";

/** Settings of checkpoints: how often they are made, and how many are kept. */
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

const SILENT = { info() {}, error() {} };

export const APP = "app";
export const STAGE = "dev";
export const ROOT_DIR = "/project";

/** Observes a run. */
export interface RunWatch {
  /** A handler begins. */
  onCall(process: SimulatedProcess, what: string, phase: HandlerCallContext["phase"]): void;
  /** A handler has ended. */
  onReturn(process: SimulatedProcess, what: string, how: "done" | "failed"): void;
  /** Code continues that has waited for a real event. */
  onStray(process: SimulatedProcess, what: string): void;
  /** Returns true if the running code belongs to this process. */
  isRunning(process: SimulatedProcess): boolean;
}

export interface RunSettings {
  readonly subject: SimulationSubject;
  readonly deployer: Deployer;
  /** Number of the checkpoint settings of the history. */
  readonly limits: number;
  readonly watch: RunWatch;
  /** Returns a client of the store. */
  connect(context: StoreContext): StateStore;
}

/** Deploys a version of the program, or destroys the stage. */
export async function deploy(process: SimulatedProcess, settings: RunSettings): Promise<void> {
  const { subject, deployer, watch } = settings;
  const engine = engineOf(process, settings);
  const app = await engine(APP, optionsOf(process, settings));
  const program = deployer.does === "up" ? programOf(subject, deployer) : () => {};
  // finalize() rejects with the program's error.
  await app.run(() => inside(process, "the program", watch, async () => program(app))).catch(() => {});
  await app.finalize();
}

/** Makes the plan of a run of the program. */
export function plan(process: SimulatedProcess, settings: RunSettings): Promise<Plan> {
  const { subject, deployer, watch } = settings;
  const program = programOf(subject, deployer);
  return engineOf(process, settings).plan(APP, optionsOf(process, settings), (app) =>
    inside(process, "the program", watch, async () => program(app)),
  );
}

function programOf({ programs }: SimulationSubject, { program }: Deployer): (app: Scope) => unknown {
  const found = programs[program];
  if (!found) throw new Error(`There is no program ${program}.`);
  return found;
}

function engineOf(process: SimulatedProcess, { subject, limits, watch }: RunSettings): Engine {
  const plugins = [watching(process, watch), ...(subject.plugins?.() ?? [])];
  return createEngine({ ...SETTINGS[limits % SETTINGS.length], plugins });
}

function optionsOf(process: SimulatedProcess, { subject, deployer, connect }: RunSettings): EngineOptions {
  const { does, concurrency, lockTimeout } = deployer;
  const interruption = new AbortController();
  const reason = new EngineError("ABORTED", "The simulation sent SIGINT.");
  process.process.on("SIGINT", () => interruption.abort(reason));
  return {
    argv: [],
    env: {},
    logger: SILENT,
    concurrency,
    lockTimeout,
    ...subject.options,
    stage: STAGE,
    phase: does,
    rootDir: ROOT_DIR,
    stateStore: connect,
    signal: interruption.signal,
  };
}

function watching(process: SimulatedProcess, watch: RunWatch): EnginePlugin {
  return definePlugin({
    name: "simulate",
    apply({ hooks }) {
      hooks.handler.tapPromise("simulate", async ({ fqn, phase }, next) => {
        const what = `${phase} of ${fqn.split("/").slice(2).join("/")}`;
        watch.onCall(process, what, phase);
        let how: "done" | "failed" = "failed";
        try {
          const output = await inside(process, what, watch, next);
          how = "done";
          return output;
        } finally {
          watch.onReturn(process, what, how);
        }
      });
    },
  });
}

/** Runs code of the author. Ignores its result if it has waited for a real event. */
async function inside<T>(process: SimulatedProcess, what: string, watch: RunWatch, code: () => Promise<T>): Promise<T> {
  try {
    return await running.run({ process, what }, code);
  } finally {
    if (!watch.isRunning(process)) {
      if (!process.isGone) watch.onStray(process, what);
      // Neither the value nor the error may reach an engine that is gone.
      await never();
    }
  }
}
