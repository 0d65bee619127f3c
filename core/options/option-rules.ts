/** What each option of `engine()` may be: one rule an option, checked where options come in. */

import {
  type DestroyStrategy,
  EngineError,
  flag,
  hasFunctions,
  isListOf,
  isRecord,
  isText,
  nameHint,
  oneOf,
  type Phase,
  problemWith,
  type Rule,
  type RulesOf,
  text,
  texts,
  typeName,
  unknownName,
  wholeFrom,
} from "../base/index.js";
import { type EngineOptions, isForeignKeyv, missingMethods, type StateStore } from "../contract/index.js";

const isPluginLike = (value: unknown): boolean => isRecord(value) || typeof value === "function";
const isCommand = (value: unknown): boolean =>
  isText(value) || (isListOf(value, (item) => typeof item === "string") && isText(Object(value)[0]));
const globs: Rule = { ...texts, allowed: "a list of FQN patterns" };

const isPercentage = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,3}(\.\d+)?%$/.test(value) && Number(value.slice(0, -1)) <= 100;

const rules: RulesOf<EngineOptions> = {
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
    allowed: "a state store, a function that makes one, a URL, or a Keyv",
    accepts: (value) => typeof value === "function" || isText(value) || isStore(value) || isForeignKeyv(value),
    describe: describeNoStore,
  },
  unprotect: flag,
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
  durability: oneOf<"normal" | "full">({ normal: true, full: true }),
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
    const problem = problemWith(rule, value);
    if (problem === undefined) continue;
    const source = sources[name] === undefined ? "" : ` (from ${sources[name]})`;
    throw new EngineError("INVALID_OPTION", `Option "${name}"${source} ${problem}.`);
  }
}

export function isOptionName(name: string): name is keyof EngineOptions {
  return Object.hasOwn(rules, name);
}

function unknownOption(name: string): never {
  const hint = nameHint(name, Object.keys(rules), "The options are");
  throw new EngineError("INVALID_OPTION", `There is no option "${name}". ${hint}`);
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
