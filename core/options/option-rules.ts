/** What each option of `engine()` may be: one rule an option, checked where options come in. */

import { type DestroyStrategy, EngineError, nearest, type Phase, unknownName } from "../base/index.js";
import { type EngineOptions, missingMethods, type StateStore } from "../contract/index.js";

interface Rule {
  /** Completes "must be …". */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** True when the value itself may stand in a message. */
  readonly showable?: true;
  /** Completes "not …" where the type of the value says too little. */
  readonly describe?: (value: unknown) => string;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isPluginLike = (value: unknown): boolean => isRecord(value) || typeof value === "function";
const isListOf = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(accepts);
const isCommand = (value: unknown): boolean =>
  isText(value) || (isListOf(value, (item) => typeof item === "string") && isText(Object(value)[0]));
const hasFunctions = (value: unknown, ...names: string[]): boolean =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function");

const flag: Rule = { allowed: "true or false", accepts: (value) => typeof value === "boolean" };
const text: Rule = { allowed: "a non-empty string", accepts: isText };
const globs: Rule = { allowed: "a list of FQN patterns", accepts: (value) => isListOf(value, isText) };
const wholeFrom = (least: number): Rule => ({
  allowed: `a whole number from ${least}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= least,
  showable: true,
});
const oneOf = <T extends string>(words: Readonly<Record<T, true>>): Rule => ({
  allowed: Object.keys(words)
    .map((word) => `"${word}"`)
    .join(" or "),
  accepts: (value) => typeof value === "string" && Object.hasOwn(words, value),
  showable: true,
});

const isPercentage = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,3}(\.\d+)?%$/.test(value) && Number(value.slice(0, -1)) <= 100;

const rules: Readonly<Record<keyof EngineOptions, Rule>> = {
  phase: oneOf<Phase>({ up: true, destroy: true, read: true }),
  // What a stage may be named is a rule of names, with an error of its own.
  stage: { allowed: "a string", accepts: (value) => typeof value === "string" },
  password: text,
  key: {
    allowed: "a non-empty string, or { command } with a line for the shell or a list of a program and its arguments",
    accepts: (value) => isText(value) || (isRecord(value) && isCommand(Reflect.get(Object(value), "command"))),
  },
  profile: text,
  rootDir: text,
  local: flag,
  watch: flag,
  tunnel: flag,
  force: flag,
  quiet: flag,
  adopt: flag,
  noTrack: flag,
  destroyOrphans: flag,
  destroyStrategy: oneOf<DestroyStrategy>({ sequential: true, parallel: true }),
  stateStore: {
    allowed: "a state store or a function that makes one",
    accepts: (value) => typeof value === "function" || isStore(value),
    describe: describeNoStore,
  },
  eraseSecrets: flag,
  strictState: flag,
  plugins: {
    allowed: "a list of plugins",
    // A factory that was not called is told by what checks each plugin.
    accepts: (value) => isListOf(value, isPluginLike),
    describe: (value) =>
      Array.isArray(value) ? `a list with ${typeName(value.find((item) => !isPluginLike(item)))}` : typeName(value),
  },
  concurrency: wholeFrom(1),
  lockTimeout: {
    allowed: "a number of milliseconds from 0",
    accepts: (value) => Number.isFinite(value) && Number(value) >= 0,
    showable: true,
  },
  lock: oneOf<"lazy" | "eager">({ lazy: true, eager: true }),
  durability: oneOf<"pipeline" | "wait">({ pipeline: true, wait: true }),
  plan: flag,
  planOut: text,
  planFile: text,
  refresh: flag,
  target: globs,
  exclude: globs,
  targetDependents: flag,
  excludeDependents: flag,
  maxDeletes: {
    allowed: 'a whole number from 0, or a percentage such as "20%"',
    accepts: (value) => (Number.isSafeInteger(value) && Number(value) >= 0) || isPercentage(value),
    showable: true,
  },
  reapply: flag,
  signal: { allowed: "an AbortSignal", accepts: (value) => hasFunctions(value, "addEventListener", "throwIfAborted") },
  json: flag,
  full: flag,
  verbose: flag,
  logger: {
    allowed: "an object with the functions info and error",
    accepts: (value) => hasFunctions(value, "info", "error"),
  },
  telemetry: {
    allowed: "false or an object with a name and the function send",
    accepts: (value) => value === false || (hasFunctions(value, "send") && isText(Reflect.get(Object(value), "name"))),
  },
  argv: { allowed: "a list of strings", accepts: (value) => isListOf(value, (item) => typeof item === "string") },
  env: { allowed: "an object of strings", accepts: isRecord },
};

/** Where options came from, e.g. `{ stage: "--stage" }`; those given to `engine()` are absent. */
export type OptionSources = Readonly<Partial<Record<string, string>>>;

/** @throws `INVALID_OPTION` for an unknown name, or for a value that its rule does not accept; absent ones pass */
export function checkOptions(options: object, sources: OptionSources = {}): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = isOptionName(name) ? rules[name] : unknownOption(name);
    const unknown = unknownName(value);
    if (unknown !== undefined)
      throw new EngineError("UNKNOWN_VALUE", `${unknown} is not known here, so it cannot be the option "${name}".`);
    if (rule.accepts(value)) continue;
    const source = sources[name] === undefined ? "" : ` (from ${sources[name]})`;
    const got = rule.showable ? show(value) : (rule.describe ?? typeName)(value);
    throw new EngineError("INVALID_OPTION", `Option "${name}"${source} must be ${rule.allowed}, not ${got}.`);
  }
}

export function isOptionName(name: string): name is keyof EngineOptions {
  return Object.hasOwn(rules, name);
}

function unknownOption(name: string): never {
  const near = nearest(name, Object.keys(rules));
  const hint = near === undefined ? `The options are: ${Object.keys(rules).join(", ")}.` : `Did you mean "${near}"?`;
  throw new EngineError("INVALID_OPTION", `There is no option "${name}". ${hint}`);
}

function show(value: unknown): string {
  if (typeof value === "string")
    return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  return typeof value === "number" ? String(value) : typeName(value);
}

/** The type of a value in words, and nothing of the value, e.g. "an array". */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function isStore(value: unknown): value is StateStore {
  return isRecord(value) && missingMethods(value).length === 0;
}

/** What a value is that is no store, e.g. "an object without list()". */
export function describeNoStore(value: unknown): string {
  if (!isRecord(value)) return typeName(value);
  const calls = missingMethods(value).map((name) => `${name}()`);
  return `${typeName(value)} without ${calls.join(", ")}`;
}
