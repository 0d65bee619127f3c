/** The options of a tap: tapable's own, and two of the engine. */
import { EngineError, nearest } from "../base/index.js";
import type { HookName, TapOptions } from "../contract/index.js";

/** As given with a tap, or by `withOptions` of a hook. */
export type GivenOptions = Partial<TapOptions>;

type Rule = (value: unknown) => boolean;

const isText: Rule = (value) => typeof value === "string" && value.trim() !== "";
const isFlag: Rule = (value) => typeof value === "boolean";

type OptionName = keyof TapOptions;

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
  const { name } = options;
  if (name === undefined) throw refused(hook, "the first argument must be, or hold, the name of the plugin");
  return { ...options, name: name.trim() };
}

/** The same without a name. */
export function partOptions(hook: HookName, given: unknown): GivenOptions {
  if (typeof given !== "object" || given === null)
    throw refused(hook, "the first argument must be, or hold, the name of the plugin");
  for (const [name, value] of Object.entries(given)) {
    if (!isOption(name)) {
      const near = nearest(name, Object.keys(RULES));
      const hint = near === undefined ? `The options are: ${Object.keys(RULES).join(", ")}` : `Did you mean "${near}"?`;
      throw refused(hook, `a tap has no option "${name}". ${hint}`);
    }
    const [what, accepts] = RULES[name];
    if (value !== undefined && !accepts(value)) throw refused(hook, `the option "${name}" must be ${what}`);
  }
  return given;
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(RULES, name);
}

export function refused(hook: HookName, why: string): EngineError {
  const end = /[.?]$/.test(why) ? "" : ".";
  return new EngineError("INVALID_DEFINITION", `Hook "${hook}" cannot be tapped: ${why}${end}`);
}

/** As tapable has it: what has a greater stage comes later, and `last` after all stages. */
export function orderOf({ name, stage, before, last = false }: TapOptions) {
  return {
    name,
    stage: last ? Number.MAX_VALUE : (stage ?? 0),
    ...(before === undefined ? {} : { before: before as string }),
  };
}
