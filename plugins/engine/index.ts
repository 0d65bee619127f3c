/** The engine without built-in plugins. */
import type { EngineOptions, Plan, Scope } from "../../core/contract/index.js";
import {
  type EngineParts as AllParts,
  type CoreEngine,
  createEngine as createCoreEngine,
  makeDetachedApp,
} from "../../core/engine/index.js";
import type { Drift } from "../plan/drift.js";
import { loadPlans } from "../plan/load-plans.js";
import { execIn, spawnIn } from "../processes/calls.js";
import { type ReferenceOptions, refer } from "../references/refer.js";
import { tunnelTo } from "../tunnels/tunnel-to.js";

export { type ErrorCode, errorCodes, isUnknown } from "../../core/base/index.js";

/** Parts of an engine: its plugins, and the settings of its ledger. */
export interface EngineParts extends Omit<AllParts, "methods" | "planning"> {}

/**
 * An engine without built-in plugins: a function that makes the root scope of an app, and methods for whole runs. See
 * {@link createEngine}.
 */
export interface Engine extends CoreEngine {
  /**
   * Computes the plan of a run of `program`. It takes no lock, writes nothing, and calls no create, update or delete. A
   * value that only a handler could return is an unknown value in the program; see the guide on plans.
   *
   * @throws EngineError as `engine()` does; `RUN_FAILED` also with the errors that a run would fail with
   */
  plan(appName: string, options: EngineOptions, program: (scope: Scope) => unknown): Promise<Plan>;
  /**
   * Reads every recorded resource, up to `concurrency` at once, and reports the differences from the state. It needs no
   * program, but the types of the resources: import the modules that define them. It takes no lock and changes nothing.
   *
   * @throws EngineError as `engine()` does
   */
  drift(appName: string, options?: EngineOptions): Promise<Drift>;
  /**
   * Returns the outputs that another stage of any app recorded with {@link Scope.outputs}. They are read from the store
   * of the current app, without a lock, a wait or a write. Each stage is read once per run; each call returns its own
   * copy.
   *
   * If the stage is the current one, the result includes the outputs that this run has recorded so far. In the phase
   * `destroy`, outputs that no longer exist are unknown values.
   *
   * @throws EngineError `OUTPUTS_MISSING`; `NO_SCOPE`, `AMBIGUOUS_SCOPE`, `INVALID_NAME`, `INVALID_OPTION`,
   * `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, `STATE_CORRUPT`, `STATE_FORMAT`, `STATE_IDENTITY`, `STORE_FAILED`
   *
   * @example
   * ```ts
   * const network = await engine.ref<{ url: string }>("network", { stage: "prod" });
   * ```
   */
  ref<T = unknown>(appName: string, options?: ReferenceOptions): Promise<T>;
}

/**
 * Creates an engine without built-in plugins: pass the plugins and options that a run needs.
 *
 * @example
 * ```ts
 * const engine = createEngine({ plugins: [audit()] });
 * const app = await engine("my-app", { stage: "dev", stateStore: memoryStore() });
 * ```
 */
export function createEngine(given: EngineParts = {}): Engine {
  const planning = async () => (await loadPlans()).planning;
  const parts: AllParts = { ...given, planning, methods: { exec: execIn, spawn: spawnIn, openTunnel: tunnelTo } };
  const making = (appName: string) => (options: EngineOptions) => makeDetachedApp(parts, appName, options);
  return Object.assign(createCoreEngine(parts), {
    ref: refer,
    plan: async (appName: string, options: EngineOptions, program: (scope: Scope) => unknown): Promise<Plan> =>
      (await loadPlans()).planOf(making(appName), options, program),
    drift: async (appName: string, options: EngineOptions = {}): Promise<Drift> =>
      (await loadPlans()).driftOf(making(appName), options),
  });
}
