/** The engine without built-in plugins. */
import type { EngineOptions, Plan, Scope } from "../../core/contract/index.js";
import {
  type EngineParts as AllParts,
  type CoreEngine,
  createEngine as createCoreEngine,
  makeDetachedApp,
} from "../../core/engine/index.js";
import type { Drift } from "../plan/drift.js";
import { driftOf, planning, planOf } from "../plan/planning.js";
import { execIn, spawnIn } from "../processes/calls.js";
import { type ReferenceOptions, refer } from "../references/refer.js";
import { tunnelTo } from "../tunnels/tunnel-to.js";

export { type ErrorCode, errorCodes, isUnknown } from "../../core/base/index.js";

/** What an engine is made of: its plugins, and how it keeps a ledger. */
export interface EngineParts extends Omit<AllParts, "methods" | "planning"> {}

/** Makes the root scope of an app: see {@link createEngine}. */
export interface Engine extends CoreEngine {
  /**
   * Finds out what a run of `program` would do: no lock is taken, nothing is written, and no create, update or delete is
   * called. What only a handler could tell is an unknown value in the program; see the guide on plans.
   *
   * @throws EngineError as `engine()` does, and `RUN_FAILED` with what a run would fail with, too
   */
  plan(appName: string, options: EngineOptions, program: (scope: Scope) => unknown): Promise<Plan>;
  /**
   * Looks at everything that is recorded, as wide as `concurrency`, and tells what is not as recorded. Needs no program, but
   * the types of the resources: import the modules that define them. Takes no lock and changes nothing.
   *
   * @throws EngineError as `engine()` does
   */
  drift(appName: string, options?: EngineOptions): Promise<Drift>;
  /**
   * What another stage of any app offers by {@link Scope.outputs}, read from the store of the current app. It is only
   * read: no lock, no wait, no write. Read once for each stage and run; each call gives a value of its own.
   *
   * Where the stage is the current one: what is recorded by now, by this run, too. In the phase `destroy` what nobody
   * offers any more is an unknown value.
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
 * An engine without any built-in part: what a run needs comes from `plugins` and options.
 *
 * @example
 * ```ts
 * const engine = createEngine({ plugins: [audit()] });
 * const app = await engine("my-app", { stage: "dev", stateStore: memoryStore() });
 * ```
 */
export function createEngine(given: EngineParts = {}): Engine {
  const parts: AllParts = { ...given, planning, methods: { exec: execIn, spawn: spawnIn, openTunnel: tunnelTo } };
  const making = (appName: string) => (options: EngineOptions) => makeDetachedApp(parts, appName, options);
  return Object.assign(createCoreEngine(parts), {
    ref: refer,
    plan: (appName: string, options: EngineOptions, program: (scope: Scope) => unknown): Promise<Plan> =>
      planOf(making(appName), options, program),
    drift: (appName: string, options: EngineOptions = {}): Promise<Drift> => driftOf(making(appName), options),
  });
}
