/** What the third argument of a resource type may hold. */
import {
  type DestroyStrategy,
  EngineError,
  flag,
  hasMarker,
  isListOf,
  isText,
  nameHint,
  oneOf,
  type Rule,
  type RulesOf,
  typeName,
  unknownName,
  withoutMarkers,
} from "../base/index.js";
import type { ResourceOptions } from "../contract/index.js";

/** The longest that a timer can wait. */
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

const rules: RulesOf<ResourceOptions> = {
  // Any object or promise: whether it leads to a resource is known only when it has resolved.
  dependsOn: listOf(
    "resources that were declared, or of objects that they gave, as in { dependsOn: [network] }",
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
    allowed: "a whole number of attempts from 1, or { attempts, delay, maxDelay, when }, with times in milliseconds",
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

/** @throws EngineError `INVALID_OPTION`, `UNKNOWN_VALUE` */
export function checkResourceOptions(fqn: string, options: ResourceOptions): void {
  if (!isObject(options)) throw invalid(fqn, `has options that are ${typeName(options)}. They are an object.`);
  for (const name in options) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    if (!isName(name))
      throw invalid(
        fqn,
        `has the option "${name}", which there is not. ${nameHint(name, Object.keys(rules), "Known")}`,
      );
    refuseUnknown(fqn, name, value);
    const { allowed, accepts } = rules[name];
    if (accepts(value)) continue;
    const got = Array.isArray(value) ? "holds something else" : `is ${typeName(value)}`;
    throw invalid(fqn, `has an option ${name} that ${got}. It must be ${allowed}.`);
  }
}

/** Not what it depends on: that may be the output of anything. @throws EngineError `UNKNOWN_VALUE` */
function refuseUnknown(fqn: string, name: keyof ResourceOptions, value: unknown): void {
  const parts: readonly unknown[] = Array.isArray(value) && name !== "dependsOn" ? value : [value];
  const part = parts.find((one) => unknownName(one) !== undefined || (typeof one === "string" && hasMarker(one)));
  if (part === undefined) return;
  const readable = withoutMarkers(String(part), (what) => `(${what})`);
  const message = `"${fqn}" has an option ${name} that rests on a value that is not known yet: ${readable}.`;
  throw new EngineError("UNKNOWN_VALUE", message, { fqn });
}

function isName(name: string): name is keyof ResourceOptions {
  return Object.hasOwn(rules, name);
}

function invalid(fqn: string, what: string): EngineError {
  return new EngineError("INVALID_OPTION", `"${fqn}" ${what}`, { fqn });
}
