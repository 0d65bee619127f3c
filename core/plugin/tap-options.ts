/** The options of a tap: tapable's own, and two of the engine. */
import { EngineError, nameHint } from "../base/index.js";
import type { HookName, TapOptions } from "../contract/index.js";

/** As given with a tap, or by `withOptions` of a hook. */
export type GivenOptions = Partial<TapOptions>;

type Rule = (value: unknown) => boolean;

const isText: Rule = (value) => typeof value === "string" && value.trim() !== "";
const isFlag: Rule = (value) => typeof value === "boolean";

type OptionName = keyof TapOptions;
/** At run time `before` may be a list, as tapable's guide has it; its types know one name alone. */
type Given = Omit<TapOptions, "before"> & { readonly before?: string | readonly string[] };

const RULES: { readonly [N in OptionName]-?: readonly [what: string, accepts: Rule] } = {
  name: ["the name of the plugin", isText],
  stage: ["a finite number", (value) => Number.isFinite(value)],
  before: ["the name of a tap, or several", (value) => isText(value) || (Array.isArray(value) && value.every(isText))],
  inPlans: ["true or false", isFlag],
  last: ["true or false", isFlag],
};

/** @param defaults of `withOptions` @throws EngineError `INVALID_DEFINITION` */
export function tapOptions(hook: HookName, given: unknown, defaults: GivenOptions = {}): TapOptions {
  const options = { ...defaults, ...partOptions(hook, typeof given === "string" ? { name: given } : given) };
  const { name, last, stage, before } = options;
  if (name === undefined) throw refused(hook, "the first argument must be, or hold, the name of the plugin");
  if (last && (stage !== undefined || before !== undefined))
    throw refused(hook, 'the option "last" goes with neither "stage" nor "before"');
  return { ...options, name: name.trim() };
}

/** The same without a name. Each option is read once. */
export function partOptions(hook: HookName, given: unknown): GivenOptions {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refused(hook, "the first argument must be the name of the plugin, or an object with options");
  const options: object = { ...given };
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) {
      const hint = nameHint(name, Object.keys(RULES), "The options are");
      throw refused(hook, `a tap has no option "${name}". ${hint}`);
    }
    const [what, accepts] = RULES[name];
    if (value !== undefined && !accepts(value)) throw refused(hook, `the option "${name}" must be ${what}`);
  }
  return options;
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(RULES, name);
}

export function refused(hook: HookName, why: string): EngineError {
  const end = /[.?]$/.test(why) ? "" : ".";
  return new EngineError("INVALID_DEFINITION", `Hook "${hook}" cannot be tapped: ${why}${end}`);
}

/** What a hook knows of its taps. */
export interface Tapped {
  readonly taps: readonly { readonly name: string }[];
}

/**
 * As tapable has it: what has a greater stage comes later, and `last` after all stages. A name in `before` that no tap has is left out: tapable
 * would put the tap before all others.
 *
 * @param hook that is tapped
 */
export function orderOf({ name, stage, before, last = false }: Given, hook: Tapped) {
  const names = [before ?? []].flat().map((one) => one.trim());
  const known = names.filter((one) => hook.taps.some((tap) => tap.name === one));
  return {
    name,
    stage: last ? Number.MAX_VALUE : (stage ?? 0),
    // tapable's types know one name alone.
    ...(known.length === 0 ? {} : { before: known as unknown as string }),
  };
}
