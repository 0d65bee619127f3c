/** What each member of a definition may be: one that is something else would be found out in the midst of a run, or never. */

import { nearest, typeName } from "../base/index.js";
import type { HandlersDefinition } from "../contract/index.js";

interface Rule {
  /** Completes "must be …". */
  readonly allowed: string;
  accepts(value: unknown): boolean;
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const handler: Rule = { allowed: "a function", accepts: isFunction };
const flag: Rule = { allowed: "true or false", accepts: (value) => typeof value === "boolean" };

/** All members; undefined where one is looked at elsewhere: a definition without its create function is refused before. */
const RULES: Readonly<Record<keyof HandlersDefinition<unknown, unknown>, Rule | undefined>> = {
  create: undefined,
  read: handler,
  update: handler,
  delete: handler,
  plan: handler,
  outputs: handler,
  replaces: handler,
  describeDelete: handler,
  movesFrom: handler,
  verify: flag,
  readLag: { allowed: "a number of milliseconds, 0 or more", accepts: isDuration },
  idempotent: flag,
  recognizesOwn: flag,
  refersByMember: flag,
  destroysAfterProgram: flag,
  givesSecrets: { allowed: "true, false or a function", accepts: (value) => isFunction(value) || flag.accepts(value) },
  replaceOn: { allowed: 'a list of props, such as ["region"]', accepts: isListOfTexts },
  schema: { allowed: 'a Standard Schema, with a validate function in "~standard"', accepts: isSchema },
  local: undefined,
};

/** What a definition may have that is not its own. */
const MEMBERS: ReadonlySet<string> = new Set(Object.keys(RULES));

/** The first member that is not what it must be, as what it must be; undefined where all are. */
export function unfitMember(given: object): string | undefined {
  for (const [name, rule] of Object.entries(RULES)) {
    const value: unknown = Reflect.get(given, name);
    if (rule && value !== undefined && !rule.accepts(value))
      return `"${name}" must be ${rule.allowed}, not ${got(value)}`;
  }
  return undefined;
}

/**
 * The first member of a definition that is one letter away from one that the definition does not have, and that one. A definition may have
 * members of its own for its handlers, which see it as `this`; but without its `update`, a type would replace what was to be changed.
 */
export function misspeltMember(given: object): readonly [given: string, meant: string] | undefined {
  const missing = [...MEMBERS].filter((name) => !(name in given));
  for (const name of Object.keys(given)) {
    const meant = MEMBERS.has(name) ? undefined : nearest(name, missing, 1);
    if (meant !== undefined) return [name, meant];
  }
  return undefined;
}

function got(value: unknown): string {
  return Array.isArray(value) ? "a list with something else" : typeName(value);
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}

/** A schema may be a function, as those of arktype are. */
function isSchema(value: unknown): boolean {
  const standard: unknown = Reflect.get(Object(value), "~standard");
  return isFunction(Reflect.get(Object(standard), "validate"));
}
