/**
 * The engine with its built-in plugins: command-line arguments, environment, the file store, console output,
 * telemetry, and what happens when the process ends.
 */

import { currentScope, INTERNALS } from "../core/contract/index.js";
import { createEngine, type Engine } from "../core/engine/index.js";
import { askTerminal } from "./ask-terminal/index.js";
import { cliArgs } from "./cli-args/index.js";
import { confirmDeletes } from "./confirm-deletes/index.js";
import { consoleOutput } from "./console/index.js";
import { envAccess, envOptions } from "./env/index.js";
import { processExit } from "./process-exit/index.js";
import { processes } from "./processes/index.js";
import { builtInKinds } from "./resources/built-in-kinds.js";
import { type SecretFunction, secretFunction } from "./secrets/api.js";
import { secrets } from "./secrets/index.js";
import { type Begin, encryptAnew, type RekeyOptions, type RotationOptions, rotate } from "./secrets/rotate.js";
import { type SealOptions, sealNow } from "./secrets/seal-state.js";
import { defaultStateStore } from "./state-store/index.js";
import { telemetry } from "./telemetry/index.js";
import { providerKinds } from "./terraform/provider-kinds.js";

export { type MemoryStore, memoryStore } from "../adapters/memory/index.js";
export type * from "../core/index.js";
export {
  definePlugin,
  EngineError,
  isEngineError,
  PartlyDeleted,
  Resource,
  RunFailedError,
  Scope,
} from "../core/index.js";
export type { SecretEnv, SecretFunction } from "./secrets/api.js";
export type { RekeyOptions, RotationOptions } from "./secrets/rotate.js";
export type { SealOptions } from "./secrets/seal-state.js";
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
      defaultStateStore(),
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

/**
 * From now on another password or key opens the secrets of a stage: from any of them to any other. One small entry,
 * however many there are: they stay encrypted by the same data key. Who knows the old password or key and has an old copy of the state can still read both; see
 * {@link rekey}.
 *
 * @returns false where the stage has no secrets
 * @throws EngineError `WRONG_PASSWORD`, `PASSWORD_REQUIRED`, `KEY_INVALID`, `KEY_COMMAND_FAILED`, `STATE_LOCKED`, `STATE_MOVED`;
 * `INVALID_OPTION` where it is the
 * present one
 */
export function rotatePassword(appName: string, options: RotationOptions): Promise<boolean> {
  return rotate(beginTool("secrets rotate"), appName, options);
}

/**
 * Encrypts the secrets of a stage by a new data key, in one entry. What the old one opened is of no use for what is
 * recorded from now on; copies of the state that were made before, and its history until it is trimmed, keep the old.
 *
 * @returns how many secrets were encrypted anew
 * @throws EngineError as {@link rotatePassword}, and `STATE_CORRUPT` on a secret that cannot be decrypted
 */
export function rekey(appName: string, options: RekeyOptions): Promise<number> {
  return encryptAnew(beginTool("secrets rotate --rekey"), appName, options);
}

/**
 * Seals the state of a stage as it is, with its password or key, where no run has sealed it yet: the password or key is new, or all that is
 * recorded is from before states were sealed. From then on what somebody without the key writes to the store is refused. One
 * small entry. A stage that begins with a password or key is sealed from its first change on, and needs no such call.
 *
 * @returns false where it is sealed already
 * @throws EngineError `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, `KEY_INVALID`, `KEY_COMMAND_FAILED`, `STATE_FORGED`, `STATE_LOCKED`, `STATE_MOVED`
 */
export function sealState(appName: string, options: SealOptions): Promise<boolean> {
  return sealNow(beginTool("seal"), appName, options);
}

/** Begins a run with what finds the state, and the one plugin that it is begun for. @param command as the history names it */
function beginTool(command: string): Begin {
  return (appName, options, plugin) =>
    createEngine({ plugins: [envOptions(), defaultStateStore(), plugin], command })(appName, options);
}

/** The environment that the current app was given, else that of the process. */
function currentEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    return currentScope()[INTERNALS].options.env ?? process.env;
  } catch {
    return process.env; // No app is live: a program may read variables before it calls engine().
  }
}
