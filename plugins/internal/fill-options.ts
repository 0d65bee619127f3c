import type { OptionsContext } from "../../core/hook-contexts.js";
import type { EngineOptions, OptionOrigins } from "../../core/options.js";

/** The context with those of the options, and their origins, that it does not have yet. */
export function fillOptions(context: OptionsContext, options: EngineOptions, origins: OptionOrigins): OptionsContext {
  const isNew = (name: string): boolean =>
    Reflect.get(context.options, name) === undefined && Reflect.get(options, name) !== undefined;
  const onlyNew = (members: object) => Object.fromEntries(Object.entries(members).filter(([name]) => isNew(name)));
  return {
    ...context,
    options: { ...context.options, ...onlyNew(options) },
    origins: { ...context.origins, ...onlyNew(origins) },
  };
}
