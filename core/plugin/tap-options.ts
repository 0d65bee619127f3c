/** The options of a tap: tapable's own, and two of the engine. */
import { EngineError, isEngineError, messageOf, nameHint } from "../base/index.js";
import type { HookName, TapOptions, Vetoing } from "../contract/index.js";

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

/** The tap, awaited whatever it returns, its failure naming plugin and hook. */
export function guarded<C, R>(
  { name: plugin, inPlans = false }: TapOptions,
  name: HookName,
  fn: (context: C) => R | Promise<R>,
) {
  return async (context: C): Promise<R | undefined> => {
    if (!inPlans && isPlanned(context)) return undefined;
    giveWord(context, plugin);
    try {
      return await fn(context);
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

/** The same for a hook that is synchronous. */
export function guardedSync<C, R>({ name: plugin }: TapOptions, name: HookName, fn: (context: C) => R) {
  return (context: C): R => {
    try {
      const answer = fn(context);
      if (!isThenable(answer)) return answer;
      // Its own outcome no longer matters, and must not end the process as an unhandled rejection.
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

/** Said to whoever runs the program: the plugin that found it is of no interest to them. */
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

/** The code of an EngineError is kept: it decides the exit code, and what a caller can catch. */
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

// What plugins have against something that is about to be done, collected while a hook asks them.

const SPEAKER = Symbol("speaker");

interface Speaking {
  [SPEAKER](plugin: string): void;
}

/** Notes whose tap has the word. */
function giveWord(context: unknown, plugin: string): void {
  if (typeof context === "object" && context !== null && SPEAKER in context) (context as Speaking)[SPEAKER](plugin);
}

interface Objection {
  readonly plugin: string;
  readonly reason: string;
}

/** What is asked about, e.g. `"shop/dev/db" may not be created`. */
interface Question {
  readonly refusal: string;
  readonly fqn: string;
  readonly planned: boolean;
  /** Told of a veto that comes when all taps have ended, and so could refuse nothing. */
  late(error: EngineError): void;
}

/** Asks, with what a context needs for an answer. @throws EngineError `VETOED` with every reason; or what a tap threw */
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
    // What others have against it stands.
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

/** A veto without a reason refuses all the same. */
function reasonText(reason: unknown): string {
  return reason === undefined || reason === "" ? "no reason was given" : String(reason);
}

function objectionText({ plugin, reason }: Objection): string {
  return `${reason} (plugin "${plugin}")`;
}

/** Which of the taps it was, nobody can tell any more. */
function tooLate(refusal: string, reason: string, speakers: readonly string[], fqn: string): EngineError {
  const names = speakers.map((name) => `"${name}"`).join(", ");
  const whose = speakers.length === 1 ? `plugin ${names}` : `one of the plugins ${names}`;
  const message = `${refusal}: ${reason} (${whose}). This veto came when all taps had ended, and refused nothing. Let the tap await what it asks.`;
  return new EngineError("PLUGIN_FAILED", message, { fqn });
}
