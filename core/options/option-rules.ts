/** Rules for the options of `engine()` and of resources. */
import {
  type DestroyStrategy,
  EngineError,
  flag,
  hasFunctions,
  hasMarker,
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
  withoutMarkers,
} from "../base/index.js";
import {
  type EngineOptions,
  isForeignKeyv,
  missingMethods,
  type ResourceOptions,
  type StateStore,
} from "../contract/index.js";

const isPluginLike = (value: unknown): boolean => isRecord(value) || typeof value === "function";

const isCommand = (value: unknown): boolean =>
  isText(value) || (isListOf(value, (item) => typeof item === "string") && isText(Object(value)[0]));

const globs: Rule = { ...texts, allowed: "a list of FQN patterns" };

const isPercentage = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,3}(\.\d+)?%$/.test(value) && Number(value.slice(0, -1)) <= 100;

const rules: RulesOf<EngineOptions> = {
  phase: oneOf<Phase>({ up: true, destroy: true, read: true }),
  // Names of stages have their own rule and error.
  stage: { allowed: "a string", accepts: (value) => typeof value === "string" },
  password: text,
  key: {
    allowed: "a non-empty string, or { command } with a shell command or a list such as [program, argument]",
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
    allowed: "a state store, a function that makes one, a URL, or a Keyv instance",
    accepts: (value) => typeof value === "function" || isText(value) || isStore(value) || isForeignKeyv(value),
    describe: describeNoStore,
  },
  unprotect: flag,
  eraseSecrets: flag,
  strictState: flag,
  plugins: {
    allowed: "a list of plugins",
    // A factory that was not called is reported by the check of each plugin.
    accepts: (value) => isListOf(value, isPluginLike),
    describe: (value) =>
      Array.isArray(value) ? `a list with ${typeName(value.find((item) => !isPluginLike(item)))}` : typeName(value),
  },
  concurrency: wholeFrom(1),
  lockTimeout: {
    allowed: "a number of milliseconds, 0 or more",
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
    allowed: 'a whole number of at least 0, or a percentage such as "20%"',
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

/** Sources of options, e.g. `{ stage: "--stage" }`; options that were passed to `engine()` are absent. */
export type OptionSources = Readonly<Partial<Record<string, string>>>;

/**
 * Checks options; absent ones pass. @throws `INVALID_OPTION` for an unknown name, or for a value that its rule does not
 * accept
 */
export function checkOptions(options: object, sources: OptionSources = {}): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = isOptionName(name) ? rules[name] : unknownOption(name);
    const unknown = unknownName(value);
    if (unknown !== undefined)
      throw new EngineError(
        "UNKNOWN_VALUE",
        `${unknown} is not known yet, so it cannot be the option "${name}". Use a known value in options.`,
      );
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

/** Describes a value that is not a store, e.g. "an object without list()". */
export function describeNoStore(value: unknown): string {
  if (!isRecord(value)) return typeName(value);
  const calls = missingMethods(value).map((name) => `${name}()`);
  return `${typeName(value)} without ${calls.join(", ")}`;
}

/** Maximum delay of a timer. */
const LONGEST = 2 ** 31 - 1;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isWhole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && Number(value) >= least;

const isTime = (value: unknown, least: number): boolean =>
  typeof value === "number" && value >= least && value <= LONGEST;

const listOf = (what: string, accepts: (item: unknown) => boolean): Rule => ({
  allowed: `a list of ${what}`,
  accepts: (value) => isListOf(value, accepts),
});

const paths = listOf('paths of props, such as "tags.team"', isText);

const resourceRules: RulesOf<ResourceOptions> = {
  // Any object or promise: only its resolved value shows whether it is a resource.
  dependsOn: listOf(
    "declared resources or their outputs, as in { dependsOn: [network] }",
    (item) => isObject(item) || unknownName(item) !== undefined,
  ),
  adopt: flag,
  protect: flag,
  retainOnDelete: flag,
  ignoreChanges: paths,
  replaceOnChanges: paths,
  deleteBeforeReplace: flag,
  aliases: listOf("ids in the same scope, or FQNs", isText),
  timeout: { allowed: "a number of milliseconds, from 1 to 2147483647", accepts: (value) => isTime(value, 1) },
  retry: {
    allowed:
      "a whole number of attempts, at least 1, or { attempts, delay, maxDelay, when }, with times in milliseconds",
    accepts: (value) => isWhole(value, 1) || isPolicy(value),
  },
  alwaysUpdate: flag,
  destroyStrategy: oneOf<DestroyStrategy>({ sequential: true, parallel: true }),
};

const POLICY: ReadonlySet<string> = new Set(["attempts", "delay", "maxDelay", "when"]);

function isPolicy(value: unknown): boolean {
  if (!isObject(value) || !Object.keys(value).every((name) => POLICY.has(name))) return false;
  const { attempts, delay = 0, maxDelay = 0, when }: Readonly<Record<string, unknown>> = { ...value };
  const isAsked = when === undefined || typeof when === "function";
  return isWhole(attempts, 1) && isTime(delay, 0) && isTime(maxDelay, 0) && isAsked;
}

/** Checks the options of a resource. @throws EngineError `INVALID_OPTION`, `UNKNOWN_VALUE` */
export function checkResourceOptions(fqn: string, options: ResourceOptions): void {
  if (!isObject(options)) throw invalid(fqn, `has options that are ${typeName(options)}. Pass an object.`);
  for (const name in options) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    if (!isName(name))
      throw invalid(
        fqn,
        `has the option "${name}", which does not exist. ${nameHint(name, Object.keys(resourceRules), "The options are")}`,
      );
    refuseUnknown(fqn, name, value);
    const { allowed, accepts } = resourceRules[name];
    if (accepts(value)) continue;
    const got = Array.isArray(value)
      ? "holds an invalid item"
      : `is ${typeof value === "number" ? value : typeName(value)}`;
    throw invalid(fqn, `has an option "${name}" that ${got}. It must be ${allowed}.`);
  }
}

/** Refuses unknown values, except in `dependsOn`, which may contain any output. @throws EngineError `UNKNOWN_VALUE` */
function refuseUnknown(fqn: string, name: keyof ResourceOptions, value: unknown): void {
  const parts: readonly unknown[] = Array.isArray(value) && name !== "dependsOn" ? value : [value];
  const part = parts.find((one) => unknownName(one) !== undefined || (typeof one === "string" && hasMarker(one)));
  if (part === undefined) return;
  const readable = withoutMarkers(String(part), (what) => `(${what})`);
  const message = `"${fqn}" has an option "${name}" that depends on a value that is not known yet: ${readable}. Use a known value in options.`;
  throw new EngineError("UNKNOWN_VALUE", message, { fqn });
}

function isName(name: string): name is keyof ResourceOptions {
  return Object.hasOwn(resourceRules, name);
}

function invalid(fqn: string, what: string): EngineError {
  return new EngineError("INVALID_OPTION", `"${fqn}" ${what}`, { fqn });
}
