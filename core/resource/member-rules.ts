/** Checks each member of a definition: a wrong one would be noticed during a run, or never. */

import { nearest, refusedType } from "../base/index.js";
import type { HandlersDefinition } from "../contract/index.js";

interface Rule {
  /** Completes "must be …". */
  readonly allowed: string;
  accepts(value: unknown): boolean;
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const handler: Rule = { allowed: "a function", accepts: isFunction };
const flag: Rule = { allowed: "true or false", accepts: (value) => typeof value === "boolean" };

/** All members; undefined if one is checked elsewhere: a definition without its create function is refused before. */
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

/** The members that a definition may have. */
const MEMBERS: ReadonlySet<string> = new Set(Object.keys(RULES));

/** Returns the first wrong member with its requirement; undefined if all are right. */
export function unfitMember(given: object): string | undefined {
  for (const [name, rule] of Object.entries(RULES)) {
    const value: unknown = Reflect.get(given, name);
    if (rule && value !== undefined && !rule.accepts(value))
      return `"${name}" must be ${rule.allowed}, not ${refusedType(rule.allowed, value)}`;
  }
  return undefined;
}

/**
 * Returns the first member that is one letter away from a member that the definition lacks, and that member. A
 * definition may have members of its own for its handlers, which see it as `this`. But without its `update`, a type
 * would replace resources that it should update.
 */
export function misspeltMember(given: object): readonly [given: string, meant: string] | undefined {
  const missing = [...MEMBERS].filter((name) => !(name in given));
  for (const name of Object.keys(given)) {
    const meant = MEMBERS.has(name) ? undefined : nearest(name, missing, 1);
    if (meant !== undefined) return [name, meant];
  }
  return undefined;
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}

/** A schema may be a function, e.g. in arktype. */
function isSchema(value: unknown): boolean {
  const standard: unknown = Reflect.get(Object(value), "~standard");
  return isFunction(Reflect.get(Object(standard), "validate"));
}
