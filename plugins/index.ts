/**
 * The engine with its built-in plugins: command-line arguments, environment, the file store, console output,
 * telemetry, and what happens when the process ends.
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

/** {@link Engine} with the environment and secrets at hand. */
export interface DefaultEngine extends Engine {
  /** Reads an environment variable. @throws EngineError `ENV_MISSING` naming a variable that is unset or empty */
  readonly env: Readonly<Record<string, string>>;
  /** Makes secrets: values that are encrypted where they are recorded, and shown to nobody by accident. */
  readonly secret: SecretFunction;
}

/**
 * Creates the root scope of an app, with all built-in plugins.
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
  // First who catches what the others throw.
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

/** The environment that the current app was given, else that of the process. */
function currentEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    return currentScope()[INTERNALS].options.env ?? process.env;
  } catch {
    return process.env; // No app is live: a program may read variables before it calls engine().
  }
}
