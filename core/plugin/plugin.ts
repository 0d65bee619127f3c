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
  if (typeof plugin === "function") return "A function is no plugin: call the factory, e.g. plugins: [myPlugin()].";
  const name = plugin?.name;
  if (typeof name !== "string" || name.trim() === "") return "A plugin needs a name: definePlugin({ name, apply }).";
  if (typeof plugin?.apply !== "function") return `Plugin "${name}" needs an apply(engine) function.`;
  if (plugin.replaces === undefined || (typeof plugin.replaces === "string" && plugin.replaces !== ""))
    return undefined;
  return `Plugin "${name}" must name the plugin that it replaces: { replaces: "name" }.`;
}

/**
 * The plugins in their order, each replacement in the place of what it replaces.
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
        `Plugin "${plugin.name}" replaces "${plugin.replaces}", which is not installed before it.`,
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
      // Its own outcome no longer matters, and must not end the process as an unhandled rejection.
      answer.catch(() => undefined);
      // What it would tap after its first await would come too late for this run.
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

/** What starts programs, such as the command line. */
interface Host {
  /**
   * Called for each app, with the options that hold, before its state is loaded. `engine()` waits for it and rejects with what it rejects
   * with; where it never resolves, the program goes no further.
   */
  opening(root: Scope): Promise<void>;
  /**
   * Called where another run changed what that of an app had read, before this one changed anything. True: the host runs the program
   * again, in another process, and nobody is told that this run has failed.
   */
  repeats?(root: Scope): boolean;
}

// Of all copies of the package: the program may have another one than what started it.
const started = processWide<{ host: Host | undefined }>("host@1", () => ({ host: undefined }));

export function setHost(host: Host): void {
  started.host = host;
}

/** True where something has started the program, which is to fail where that leaves its run in the midst. */
export function hasHost(): boolean {
  return started.host !== undefined;
}

/** Undefined where nobody wants to know. */
export function beforeOpen(root: Scope): Promise<void> | undefined {
  return started.host?.opening(root);
}

export function isRepeatedByHost(root: Scope): boolean {
  return started.host?.repeats?.(root) ?? false;
}
