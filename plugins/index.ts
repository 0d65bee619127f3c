/**
 * The engine with its built-in plugins: command-line arguments, environment, the file store, console output, and what
 * happens when the process ends.
 */
import { createEngine, type Engine } from "../core/engine.js";
import { currentScope } from "../core/scope/current.js";
import { INTERNALS } from "../core/scope/internals.js";
import { cliArgs } from "./cli-args.js";
import { consoleOutput } from "./console.js";
import { envAccess, envOptions } from "./env.js";
import { processExit } from "./process-exit.js";
import { defaultStateStore } from "./state-store.js";

export type * from "../core/index.js";
export {
  definePlugin,
  EngineError,
  isEngineError,
  memoryStore,
  Resource,
  RunFailedError,
  Scope,
} from "../core/index.js";

/** {@link Engine} with the environment at hand. */
export interface DefaultEngine extends Engine {
  /** Reads an environment variable. @throws EngineError `ENV_MISSING` naming a variable that is unset or empty */
  readonly env: Readonly<Record<string, string>>;
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
  createEngine({ plugins: [processExit(), cliArgs(), envOptions(), defaultStateStore(), consoleOutput()] }),
  { env: envAccess(currentEnvironment) },
);

/** The environment that the current app was given, else that of the process. */
function currentEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    return currentScope()[INTERNALS].options.env ?? process.env;
  } catch {
    return process.env; // No app is live: a program may read variables before it calls engine().
  }
}
