/** Runs of the whole engine on a store that each of them makes for itself, as processes do. */
import type { EngineOptions, Scope, StateStoreOption } from "../../../core/contract/index.js";
import { engine } from "../../../plugins/index.js";
import { type Recorder, recorder } from "./apps.js";

export interface Run extends Pick<Recorder, "events"> {
  /** e.g. `created a`, in the order of their ends. */
  readonly actions: readonly string[];
  readonly warnings: readonly string[];
}

export interface Runs {
  run(program: (app: Scope) => unknown, options?: EngineOptions): Promise<Run>;
  destroy(): Promise<Run>;
}

/** @param rootDir folder for a recovery file */
export function runsOn(stateStore: StateStoreOption, rootDir: string): Runs {
  const runs: Runs = {
    async run(program, options = {}) {
      const watcher = recorder();
      const fixed = { stage: "dev", argv: [], env: {}, logger: { info() {}, error() {} }, rootDir };
      const app = await engine("shop", { ...fixed, ...options, stateStore, plugins: [watcher.plugin] });
      // finalize() rethrows the program's rejection.
      await app.run(async () => program(app)).catch(() => {});
      await app.finalize();
      const actions = watcher.actions().map((action) => action.replace("shop/dev/", ""));
      return { events: watcher.events, actions, warnings: watcher.warnings() };
    },
    destroy: () => runs.run(() => {}, { phase: "destroy" }),
  };
  return runs;
}
