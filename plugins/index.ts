/**
 * The engine with its built-in plugins: command-line arguments, environment, the file store, console output,
 * telemetry, and handling of the end of the process.
 */

import { currentScope, INTERNALS } from "../core/contract/index.js";
import { askTerminal } from "./ask-terminal/index.js";
import { cliArgs } from "./cli-args/index.js";
import { confirmDeletes } from "./confirm-deletes/index.js";
import { consoleOutput } from "./console-output/index.js";
import { createEngine, type Engine } from "./engine/index.js";
import { envAccess } from "./env-options/env-access.js";
import { envOptions } from "./env-options/index.js";
import { processExit } from "./process-exit/index.js";
import { processes } from "./processes/index.js";
import { builtInKinds } from "./resources/built-in-kinds.js";
import { type SecretFunction, secretFunction } from "./secrets/api.js";
import { secrets } from "./secrets/index.js";
import { stateStore } from "./state-store/index.js";
import { telemetry } from "./telemetry/index.js";
import { providerKinds } from "./terraform/provider-kinds.js";

export { type MemoryStore, memoryStore } from "../adapters/memory/index.js";
export {
  type Action,
  EngineError,
  isEngineError,
  type Phase,
  type ResourceRef,
  RunFailedError,
  type RunSummary,
} from "../core/base/index.js";
export {
  type Context,
  type CreateContext,
  type DeleteContext,
  type EngineOptions,
  type ExecOptions,
  type ExecResult,
  type FinalizeOptions,
  type Forecast,
  type Growing,
  type Handler,
  type HandlersDefinition,
  type Input,
  type KeyCommand,
  type Logger,
  type OutputsContext,
  PartlyDeleted,
  type PendingResource,
  type Plan,
  type PlanContext,
  type PlannedAction,
  type PlannedDeletion,
  type PropertyChange,
  type PropPath,
  type ReadContext,
  type ResourceOptions,
  type ResourceType,
  type RetryPolicy,
  Scope,
  type ScopeOptions,
  type SpawnOptions,
  type StandardSchema,
  type StateStore,
  type StateStoreOption,
  type StoreContext,
  type StoreFactory,
  type TelemetryEvent,
  type TelemetrySink,
  type TunnelOptions,
  type UpdateContext,
  type WriteOptions,
} from "../core/contract/index.js";
export type { UpResult } from "../core/engine/index.js";
export { definePlugin } from "../core/plugin/index.js";
export { Resource } from "../core/resource/index.js";
export type { Drift, DriftedResource } from "./plan/drift.js";
export type { ReferenceOptions } from "./references/refer.js";
export type { SecretEnv, SecretFunction } from "./secrets/api.js";
export { isSecret, Secret } from "./secrets/secret.js";

/** An {@link Engine} that also reads environment variables and makes secrets. */
export interface DefaultEngine extends Engine {
  /**
   * Environment variables of the run. Reading one that is unset or empty throws. @throws EngineError `ENV_MISSING`,
   * which names the variable
   */
  readonly env: Readonly<Record<string, string>>;
  /** Makes secrets: values that the state holds encrypted, and that are hidden when they are printed or serialised. */
  readonly secret: SecretFunction;
}

/**
 * Starts a run of an app and resolves with its root scope. This engine has all built-in plugins.
 *
 * The first parameter is the name of the app; {@link EngineOptions} follow, such as `stage`, `phase` and `stateStore`.
 * Command-line arguments and environment variables supply options that are not passed. The root scope becomes the
 * current scope, in which the program declares its resources.
 *
 * A run lasts from this call to the end of {@link Scope.finalize | app.finalize()}. Each awaited declaration creates,
 * updates, replaces or leaves its resource unchanged, by comparing it with the recorded state. `finalize()` then
 * deletes recorded resources that are no longer declared. Call it as the last statement of the program: without it,
 * nothing is deleted, and the process exits with code 1.
 *
 * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `STATE_LOCKED`, `STATE_CORRUPT`, …
 *
 * @example
 * ```ts
 * const app = await engine("my-app");
 * const site = await Folder("site", { path: "public" });
 * await File("index", { path: `${site.path}/index.html`, content: "<h1>hello</h1>" });
 * await app.finalize();
 * ```
 */
export const engine: DefaultEngine = Object.assign(
  // processExit comes first, because it handles the errors that the other plugins throw.
  createEngine({
    plugins: [
      processExit(),
      cliArgs(),
      envOptions(),
      secrets(),
      stateStore(),
      processes(),
      consoleOutput(),
      askTerminal(),
      confirmDeletes(),
      builtInKinds(),
      providerKinds(),
      telemetry({ connect: async (project) => (await import("../adapters/posthog/index.js")).posthogSink(project) }),
    ],
  }),
  { env: envAccess(currentEnvironment), secret: secretFunction(currentEnvironment) },
);

/** Returns the environment of the current app, or that of the process if no app is live. */
function currentEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    return currentScope()[INTERNALS].options.env ?? process.env;
  } catch {
    return process.env; // No app is live: a program may read variables before it calls engine().
  }
}
