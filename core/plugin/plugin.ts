import { EngineError, isEngineError, messageOf, processWide } from "../base/index.js";
import type { EnginePlugin, PluginHost, Scope } from "../contract/index.js";

/**
 * Checks a plugin's shape and returns it.
 *
 * @example
 * ```ts
 * export const noFridays = () =>
 *   definePlugin({
 *     name: "no-fridays",
 *     apply({ hooks }) {
 *       hooks.beforePrune.tap("no-fridays", () => {
 *         if (new Date().getDay() === 5) throw new Error("Nothing is deleted on a Friday.");
 *       });
 *     },
 *   });
 * ```
 */
export function definePlugin<P extends EnginePlugin>(plugin: P): P {
  const invalid = whyNoPlugin(plugin);
  if (invalid !== undefined) throw new EngineError("INVALID_DEFINITION", invalid);
  return plugin;
}

function whyNoPlugin(plugin: Partial<EnginePlugin> | null | undefined): string | undefined {
  if (typeof plugin === "function") return "A function is not a plugin. Call the factory, e.g. plugins: [myPlugin()].";
  const name = plugin?.name;
  if (typeof name !== "string" || name.trim() === "") return "A plugin needs a name: definePlugin({ name, apply }).";
  if (typeof plugin?.apply !== "function") return `Plugin "${name}" needs an apply(engine) function.`;
  if (plugin.replaces === undefined || (typeof plugin.replaces === "string" && plugin.replaces !== ""))
    return undefined;
  return `Plugin "${name}" must name the plugin that it replaces: { replaces: "name" }.`;
}

/**
 * Returns the plugins in order, each replacement in the place of the replaced plugin.
 *
 * @throws `INVALID_DEFINITION`, `PLUGIN_CONFLICT`
 */
export function arrangePlugins(plugins: readonly EnginePlugin[]): readonly EnginePlugin[] {
  const arranged: EnginePlugin[] = [];
  for (const plugin of plugins) {
    definePlugin(plugin);
    const at = plugin.replaces === undefined ? -1 : arranged.findIndex(({ name }) => name === plugin.replaces);
    if (plugin.replaces !== undefined && at < 0) {
      throw new EngineError(
        "PLUGIN_CONFLICT",
        `Plugin "${plugin.name}" replaces "${plugin.replaces}", but no plugin "${plugin.replaces}" is installed before it. Install that plugin first, or remove "replaces".`,
      );
    }
    if (arranged.some(({ name }, index) => name === plugin.name && index !== at)) {
      throw new EngineError(
        "PLUGIN_CONFLICT",
        `Plugin "${plugin.name}" is installed twice. Leave one out, or give the second { replaces: "${plugin.name}" }.`,
      );
    }
    if (at < 0) arranged.push(plugin);
    else arranged[at] = plugin;
  }
  return arranged;
}

/**
 * Applies the plugins to an engine, in the order of {@link arrangePlugins}.
 *
 * @throws `PLUGIN_FAILED` naming the plugin whose `apply` threw or was asynchronous; an EngineError keeps its code
 */
export function installPlugins(plugins: readonly EnginePlugin[], host: PluginHost): void {
  for (const plugin of arrangePlugins(plugins)) {
    try {
      const answer: unknown = plugin.apply(host);
      if (!(answer instanceof Promise)) continue;
      // Its outcome no longer matters, but must not end the process as an unhandled rejection.
      answer.catch(() => undefined);
      // Taps added after its first await would come too late for this run.
      throw new TypeError("apply must not be asynchronous.");
    } catch (error) {
      throw failure(plugin.name, error);
    }
  }
}

function failure(name: string, error: unknown): EngineError {
  const code = isEngineError(error) ? error.code : "PLUGIN_FAILED";
  return new EngineError(code, `Plugin "${name}" could not be installed: ${messageOf(error)}`, { cause: error });
}

/** The code that starts a program, such as the command line. */
interface Host {
  /**
   * Called for each app with its resolved options, before its state is loaded. `engine()` waits for it and rejects with
   * its error; if it never resolves, the program does not continue.
   */
  opening(root: Scope): Promise<void>;
  /**
   * Called if another run changed the state that an app had read, before this run changed anything. True: the host runs
   * the program again in another process, and this run is not reported as failed.
   */
  repeats?(root: Scope): boolean;
}

// Shared by all copies of the package: the program may use another copy than its host.
const started = processWide<{ host: Host | undefined }>("host@1", () => ({ host: undefined }));

export function setHost(host: Host): void {
  started.host = host;
}

/** Returns true if a host has started the program, whose run must then fail if it is left unfinished. */
export function hasHost(): boolean {
  return started.host !== undefined;
}

/** Calls the host, or returns undefined without one. */
export function beforeOpen(root: Scope): Promise<void> | undefined {
  return started.host?.opening(root);
}

export function isRepeatedByHost(root: Scope): boolean {
  return started.host?.repeats?.(root) ?? false;
}
