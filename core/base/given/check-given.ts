/** Checks the options of a function where they come in. */

import { EngineError } from "../errors.js";
import { nameHint, problemWith, type RulesOf, typeName } from "./rule.js";

/**
 * A member that is `undefined` counts as absent. Messages show no value without `showable`: it may be secret.
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
    throw invalid(`${user}() has no option "${name}". ${nameHint(name, known, "It has")}`);
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
