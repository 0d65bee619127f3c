import { EngineError } from "../../../core/base/index.js";
import type { EngineOptions, OptionOrigins, OptionsContext, StateStoreOption } from "../../../core/contract/index.js";

/** Adds the options that the context does not have yet, and their origins. */
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

/** A password or key for secrets, and its origin. */
export interface OpenerOptions {
  readonly options: Pick<EngineOptions, "password" | "key">;
  readonly origin: string;
}

/** True if a password or key was given before. It wins, even if it is of the other kind. */
export function hasOpener({ options: { password, key } }: OptionsContext): boolean {
  return password !== undefined || key !== undefined;
}

export function withOpener(context: OptionsContext, { options, origin }: OpenerOptions): OptionsContext {
  return fillOptions(context, options, { password: origin, key: origin });
}

/**
 * Adds the store that a URL names, unless the program has its own store.
 *
 * @param refuse called if the program has its own store
 * @throws EngineError `INVALID_OPTION` if the program's `s3Store()`, `redisStore()` or `postgresStore()` takes URLs
 * of another scheme
 */
export function withStore(context: OptionsContext, url: string, origin: string, refuse?: () => never): OptionsContext {
  const { stateStore, ...options } = context.options;
  if (stateStore === undefined) return fillOptions(context, { stateStore: url }, { stateStore: origin });
  const schemes = schemesOf(stateStore);
  if (schemes === undefined) {
    refuse?.();
    return context;
  }
  const { stateStore: _, ...origins } = context.origins;
  if (schemes.some((scheme) => url.toLowerCase().startsWith(`${scheme}:`)))
    return fillOptions({ ...context, options, origins }, { stateStore: url }, { stateStore: origin });
  const forms = schemes.map((scheme) => `${scheme}://`).join(" or ");
  const message = `${origin} must begin with ${forms}: the program sets its stateStore by a function such as s3Store(), without arguments, which accepts only such URLs.`;
  throw new EngineError("INVALID_OPTION", message);
}

function schemesOf(option: StateStoreOption): readonly string[] | undefined {
  return typeof option === "function" && Array.isArray(option.schemes) ? option.schemes : undefined;
}
