import { EngineError } from "./errors.js";
import type { EventSource } from "./events.js";
import type { EngineHooks } from "./hooks.js";

/** What a plugin is installed into: it taps hooks and hears events. */
export interface PluginHost {
  readonly hooks: EngineHooks;
  readonly events: EventSource;
}

/** A part of the engine: a name, and what it does to an engine when it is installed. */
export interface EnginePlugin {
  readonly name: string;
  /** Name of a plugin installed earlier whose place this one takes. */
  readonly replaces?: string;
  apply(engine: PluginHost): void;
}

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
  if (typeof plugin?.name !== "string" || plugin.name === "") {
    throw new EngineError("INVALID_DEFINITION", "A plugin needs a name: definePlugin({ name, apply }).");
  }
  if (typeof plugin.apply !== "function") {
    throw new EngineError("INVALID_DEFINITION", `Plugin "${plugin.name}" needs an apply(engine) function.`);
  }
  return plugin;
}

/** The plugins in their order, replacements in the place of what they replace. */
export function arrangePlugins(plugins: readonly EnginePlugin[]): readonly EnginePlugin[] {
  const arranged: EnginePlugin[] = [];
  for (const plugin of plugins) {
    definePlugin(plugin);
    const replaced = arranged.findIndex((other) => other.name === (plugin.replaces ?? plugin.name));
    if (plugin.replaces === undefined) {
      if (replaced >= 0) {
        throw new EngineError(
          "PLUGIN_CONFLICT",
          `Plugin "${plugin.name}" is installed twice. Leave one out, or give the second { replaces: "${plugin.name}" }.`,
        );
      }
      arranged.push(plugin);
    } else if (replaced >= 0) arranged[replaced] = plugin;
    else {
      throw new EngineError(
        "PLUGIN_CONFLICT",
        `Plugin "${plugin.name}" replaces "${plugin.replaces}", which is not installed before it.`,
      );
    }
  }
  return arranged;
}
