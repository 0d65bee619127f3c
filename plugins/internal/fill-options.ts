import type { EngineOptions, OptionOrigins, OptionsContext } from "../../core/contract/index.js";

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

/** What opens secrets, and where it came from. */
export interface OpenerOptions {
  readonly options: Pick<EngineOptions, "password" | "key">;
  readonly origin: string;
}

/** True where it was said before what opens secrets: be it of another kind, that wins. */
export function hasOpener({ options: { password, key } }: OptionsContext): boolean {
  return password !== undefined || key !== undefined;
}

export function withOpener(context: OptionsContext, { options, origin }: OpenerOptions): OptionsContext {
  return fillOptions(context, options, { password: origin, key: origin });
}
