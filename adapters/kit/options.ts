/** Checks the options of a store where they come in. */
import { EngineError } from "../../core/base/index.js";

export interface OptionRule {
  /** Completes "must be …". */
  readonly allowed: string;
  readonly needed?: true;
  readonly accepts: (value: unknown) => boolean;
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
/** Above it a timer of Node.js fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Completes "must be …" where `isDuration` decides. */
export const DURATION = "a number of milliseconds above 0, at most 2,147,483,647";
export const isDuration = (value: unknown): value is number =>
  Number(value) > 0 && Number(value) <= LONGEST_TIMER && typeof value === "number";
export const isTexts = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

/**
 * A member that is `undefined` counts as absent. Values are not told in messages: they may be secret.
 *
 * @param user whose options they are, e.g. "s3Store"
 * @throws EngineError `INVALID_OPTION`
 */
export function checkOptions<T extends object>(
  user: string,
  options: T,
  rules: Readonly<Record<keyof T & string, OptionRule>>,
): void {
  if (typeof options !== "object" || options === null) throw invalid(`${user}() takes an object with its options.`);
  const known = new Map<string, OptionRule>(Object.entries(rules));
  for (const [name, value] of Object.entries(options)) {
    const rule = known.get(name);
    if (!rule) throw invalid(`${user}() has no option "${name}". It has ${[...known.keys()].join(", ")}.`);
    if (value !== undefined && !rule.accepts(value))
      throw invalid(`The option "${name}" of ${user}() must be ${rule.allowed}.`);
  }
  for (const [name, { needed, allowed }] of known) {
    if (needed && Reflect.get(options, name) === undefined)
      throw invalid(`${user}() needs the option "${name}": ${allowed}.`);
  }
}

export function invalid(message: string): EngineError {
  return new EngineError("INVALID_OPTION", message);
}
