/** Rules for options and props, and the messages for values that break them. */
import { EngineError } from "./errors.js";

export interface Rule {
  /** Completes "must be …". */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** True if the value itself may appear in a message. */
  readonly showable?: true;
  /** Completes "not …" if the type of the value says too little. */
  readonly describe?: (value: unknown) => string;
  /** Replaces "must be …, not …" with a complete message. */
  readonly explain?: (value: unknown) => string | undefined;
  /** True if it must be given. */
  readonly isRequired?: true;
}

/** A rule for each member of a type. The compiler checks that none is missing. */
export type RulesOf<T> = { readonly [Name in keyof T & string]-?: Rule };

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

export const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isListOf = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(accepts);

export const hasFunctions = (value: unknown, ...names: string[]): boolean =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function");

export const anything: Rule = { allowed: "anything", accepts: () => true };

export const flag: Rule = { allowed: "true or false", accepts: (value) => typeof value === "boolean" };

export const text: Rule = { allowed: "a non-empty string", accepts: isText };

export const texts: Rule = { allowed: "a list of non-empty strings", accepts: (value) => isListOf(value, isText) };

export const number: Rule = { allowed: "a number", accepts: (value) => Number.isFinite(value), showable: true };

export const callback: Rule = { allowed: "a function", accepts: (value) => typeof value === "function" };

export const record: Rule = { allowed: "an object", accepts: isRecord };

export const wholeFrom = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  allowed: `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  showable: true,
});

export const oneOf = <T extends string>(words: Readonly<Record<T, true>>): Rule => ({
  allowed: Object.keys(words)
    .map((word) => `"${word}"`)
    .join(" or "),
  accepts: (value) => typeof value === "string" && Object.hasOwn(words, value),
  showable: true,
});

export const either = (one: Rule, other: Rule): Rule => ({
  allowed: `${one.allowed} or ${other.allowed}`,
  accepts: (value) => one.accepts(value) || other.accepts(value),
});

export const required = (rule: Rule): Rule => ({ ...rule, isRequired: true });

/** Returns e.g. `must be true or false, not a string`, to complete "Option …"; undefined for a valid value. */
export function problemWith(rule: Rule, value: unknown): string | undefined {
  if (value === undefined ? !rule.isRequired : rule.accepts(value)) return undefined;
  const explained = rule.explain?.(value);
  if (explained !== undefined) return explained;
  const got = rule.showable ? show(value) : (rule.describe?.(value) ?? refusedType(rule.allowed, value));
  return `must be ${rule.allowed}, not ${got}`;
}

/** Returns the type of a value that a rule refuses. @param allowed by the rule: in a list, an item is wrong */
export function refusedType(allowed: string, value: unknown): string {
  return Array.isArray(value) && allowed.startsWith("a list") ? "a list with an invalid item" : typeName(value);
}

/** Returns a hint for an unknown name: the nearest known one, or all of them. @param all e.g. "The options are" */
export function nameHint(name: string, known: readonly string[], all: string): string {
  const near = nearest(name, known);
  return near === undefined ? `${all}: ${known.join(", ")}.` : `Did you mean "${near}"?`;
}

function show(value: unknown): string {
  if (typeof value === "string")
    return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  return typeof value === "number" ? String(value) : typeName(value);
}

/** Returns the type of a value in words, without the value, e.g. "an array". */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Checks options against their rules. A member that is `undefined` counts as absent. Messages show a value only if its
 * rule is `showable`, because it may be secret.
 *
 * @param user whose options they are, e.g. `s3Store`
 * @throws EngineError `INVALID_OPTION`
 */
export function checkGiven<T extends object>(user: string, options: T, rules: RulesOf<T>): void {
  if (typeof options !== "object" || options === null) {
    throw invalid(`${user}() takes an object with its options, not ${typeName(options)}.`);
  }
  const known = Object.keys(rules);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(rules, name)) continue;
    throw invalid(`${user}() has no option "${name}". ${nameHint(name, known, "The options are")}`);
  }
  for (const name of known) {
    const value: unknown = Reflect.get(options, name);
    const problem = problemWith(rules[name as keyof typeof rules], value);
    if (problem !== undefined) throw invalid(`The option "${name}" of ${user}() ${problem}.`);
  }
}

function invalid(message: string): EngineError {
  return new EngineError("INVALID_OPTION", message);
}

/**
 * Returns the known word that a mistyped one most likely stands for, or `undefined` if none is near.
 *
 * @param limit number of letters that may differ
 */
export function nearest(word: string, words: readonly string[], limit?: number): string | undefined {
  return allNear(word, words, limit)[0];
}

/** Returns all known words that are near, the nearest first. */
export function allNear(
  word: string,
  words: readonly string[],
  // A single letter could be replaced by any other.
  limit = Math.min(word.length - 1, Math.max(1, Math.floor(word.length / 3))),
): readonly string[] {
  const near = words.flatMap((candidate) => {
    if (Math.abs(candidate.length - word.length) > limit) return [];
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    return edits <= limit ? { candidate, edits } : [];
  });
  return near.toSorted((a, b) => a.edits - b.edits).map(({ candidate }) => candidate);
}

/** Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          row > 1 && column > 1 && swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
