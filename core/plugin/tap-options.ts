/** The options of a tap: tapable's own, and two of the engine. */
import { EngineError, isEngineError, messageOf, nameHint } from "../base/index.js";
import type { HookName, TapOptions, Vetoing } from "../contract/index.js";

/** Options given with a tap, or with `withOptions` of a hook. */
export type GivenOptions = Partial<TapOptions>;

type Rule = (value: unknown) => boolean;

/** Options of a tap that was not added through `withOptions`. */
export const NO_OPTIONS: GivenOptions = {};

const isText: Rule = (value) => typeof value === "string" && value.trim() !== "";

const isFlag: Rule = (value) => typeof value === "boolean";

type OptionName = keyof TapOptions;

/** At run time, `before` may be a list, as in tapable's guide; its types only allow one name. */
type Given = Omit<TapOptions, "before"> & { readonly before?: string | readonly string[] };

const RULES: { readonly [N in OptionName]-?: readonly [what: string, accepts: Rule] } = {
  name: ["the name of the plugin", isText],
  stage: ["a finite number", (value) => Number.isFinite(value)],
  before: [
    "the name of a tap, or a list of names",
    (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  ],
  inPlans: ["true or false", isFlag],
  last: ["true or false", isFlag],
};

/**
 * Checks and completes the options of a tap. @param defaults of `withOptions` @throws EngineError `INVALID_DEFINITION`
 */
export function tapOptions(hook: HookName, given: unknown, defaults: GivenOptions = {}): TapOptions {
  // Each run taps its hooks again, most of them with a name only.
  if (defaults === NO_OPTIONS && isText(given)) return { name: String(given).trim() };
  const options = { ...defaults, ...partOptions(hook, typeof given === "string" ? { name: given } : given) };
  const { name, last, stage, before } = options;
  if (name === undefined)
    throw refused(hook, "the first argument has no plugin name. Pass the name, or an object with { name }");
  if (last && (stage !== undefined || before !== undefined))
    throw refused(hook, 'the option "last" cannot be combined with "stage" or "before"');
  return { ...options, name: name.trim() };
}

/** Checks options without a name. Each option is read once. */
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

/** The taps of a hook, as far as their order needs them. */
export interface Tapped {
  readonly taps: readonly { readonly name: string }[];
}

/**
 * Returns the order of a tap in tapable's terms: greater stages come later, and `last` after all stages. A name in
 * `before` that no tap has is left out, because tapable would then put the tap before all others.
 *
 * @param hook that is tapped
 */
export function orderOf({ name, stage, before, last = false }: Given, hook: Tapped) {
  const names = [before ?? []].flat().map((one) => one.trim());
  const known = names.filter((one) => hook.taps.some((tap) => tap.name === one));
  return {
    name,
    stage: last ? Number.MAX_VALUE : (stage ?? 0),
    // tapable's types only allow one name.
    ...(known.length === 0 ? {} : { before: known as unknown as string }),
  };
}

/** Wraps a tap: its result is awaited, and its error names plugin and hook. */
export function guarded<C, R>(
  { name: plugin, inPlans = false }: TapOptions,
  name: HookName,
  fn: (context: C) => R | Promise<R>,
) {
  return async (context: C): Promise<R | undefined> => {
    if (!inPlans && isPlanned(context)) return undefined;
    setSpeaker(context, plugin);
    try {
      return await fn(context);
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

/** Wraps a tap of a synchronous hook in the same way. */
export function guardedSync<C, R>({ name: plugin }: TapOptions, name: HookName, fn: (context: C) => R) {
  return (context: C): R => {
    try {
      const answer = fn(context);
      if (!isThenable(answer)) return answer;
      // Its outcome no longer matters, but must not end the process as an unhandled rejection.
      answer.then(undefined, () => undefined);
      throw new TypeError("the hook is synchronous, and the tap returned a promise.");
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

function isPlanned(context: unknown): boolean {
  return typeof context === "object" && context !== null && "planned" in context && context.planned === true;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Codes of errors for the user of the program, who does not need the name of the plugin that found them. */
const spoken: ReadonlySet<string> = new Set([
  "FENCED",
  "INVALID_ARGUMENT",
  "INVALID_OPTION",
  "KEY_COMMAND_FAILED",
  "KEY_INVALID",
  "PASSWORD_REQUIRED",
  "STATE_CORRUPT",
  "STATE_LOCKED",
  "STATE_MOVED",
  "STORE_FAILED",
  "TOO_MANY_DELETES",
  "TUNNEL_FAILED",
  "VETOED",
  "WRONG_PASSWORD",
]);

/**
 * Wraps a tap's error. It keeps the code of an EngineError, which decides the exit code, and which a caller can catch.
 */
export function failure(plugin: string, name: HookName, context: unknown, error: unknown): EngineError {
  if (isEngineError(error) && spoken.has(error.code)) return error;
  const code = isEngineError(error) ? error.code : "PLUGIN_FAILED";
  const fqn = (isEngineError(error) ? error.fqn : undefined) ?? fqnOf(context);
  return new EngineError(code, `Plugin "${plugin}" failed in hook "${name}": ${messageOf(error)}`, {
    fqn,
    cause: error,
  });
}

function fqnOf(context: unknown): string | undefined {
  if (typeof context !== "object" || context === null || !("fqn" in context)) return undefined;
  return typeof context.fqn === "string" ? context.fqn : undefined;
}

// Vetoes of plugins, collected while a hook is called.

const SPEAKER = Symbol("speaker");

interface Speaking {
  [SPEAKER](plugin: string): void;
}

/** Records whose tap runs now, so that a veto can name its plugin. */
function setSpeaker(context: unknown, plugin: string): void {
  if (typeof context === "object" && context !== null && SPEAKER in context) (context as Speaking)[SPEAKER](plugin);
}

interface Objection {
  readonly plugin: string;
  readonly reason: string;
}

/** The action to be vetoed, e.g. `"shop/dev/db" may not be created`. */
interface Question {
  readonly refusal: string;
  readonly fqn: string;
  readonly planned: boolean;
  /** Called with a veto that comes after all taps have ended, so that it refuses nothing. */
  late(error: EngineError): void;
}

/**
 * Calls the taps with the members that a veto needs. @throws EngineError `VETOED` with every reason; or the error of a
 * tap
 */
export async function askForVetoes(
  { refusal, fqn, planned, late }: Question,
  ask: (vetoing: Vetoing) => Promise<void>,
): Promise<void> {
  const reasons: Objection[] = [];
  const speakers = new Set<string>();
  let speaker = "";
  let isOver = false;
  const vetoing: Vetoing & Speaking = {
    planned,
    isVetoed: () => reasons.length > 0,
    veto(reason) {
      const objection = { plugin: speaker, reason: reasonText(reason) };
      if (isOver) late(tooLate(refusal, objection.reason, [...speakers], fqn));
      else reasons.push(objection);
    },
    [SPEAKER](plugin) {
      speaker = plugin;
      speakers.add(plugin);
    },
  };
  let failure: unknown;
  try {
    await ask(vetoing);
  } catch (error) {
    // The vetoes of other taps still count.
    if (reasons.length === 0) throw error;
    failure = error;
  } finally {
    isOver = true;
  }
  const [first, ...rest] = reasons;
  if (first === undefined) return;
  const said = reasons.map(objectionText);
  const list = rest.length === 0 ? ` ${said[0]}` : said.map((one) => `\n  - ${one}`).join("");
  throw new EngineError("VETOED", `${refusal}:${list}`, { fqn, cause: failure });
}

/** A veto without a reason still refuses. */
function reasonText(reason: unknown): string {
  return reason === undefined || reason === "" ? "no reason was given" : String(reason);
}

function objectionText({ plugin, reason }: Objection): string {
  return `${reason} (plugin "${plugin}")`;
}

/** After the taps have ended, the plugin of a veto is unknown. */
function tooLate(refusal: string, reason: string, speakers: readonly string[], fqn: string): EngineError {
  const names = speakers.map((name) => `"${name}"`).join(", ");
  const whose = speakers.length === 1 ? `plugin ${names}` : `one of the plugins ${names}`;
  const message = `A veto of ${whose} came after all taps had ended, so it refused nothing. Await the asynchronous work in the tap. The veto was: ${refusal}: ${reason}`;
  return new EngineError("PLUGIN_FAILED", message, { fqn });
}
