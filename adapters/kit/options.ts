/** Rules for the options of stores. */
import { EngineError } from "../../core/base/index.js";

/** Maximum delay of a timer of Node.js; a longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Completes "must be …" for `isDuration`. */
export const DURATION = "a number of milliseconds above 0, at most 2,147,483,647";
export const isDuration = (value: unknown): value is number =>
  Number(value) > 0 && Number(value) <= LONGEST_TIMER && typeof value === "number";
export const isTexts = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

export function invalid(message: string): EngineError {
  return new EngineError("INVALID_OPTION", message);
}
