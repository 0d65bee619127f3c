/** Values of flags, out of their texts. All throw `INVALID_ARGUMENT` naming the flag. Pure. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { EngineError } from "../../../core/base/index.js";

export function wholeNumber(text: string, flag: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= 1) return number;
  throw invalid(`${flag} must be a whole number from 1, not ${JSON.stringify(text)}`);
}

export function deletes(text: string, flag: string): number | `${number}%` {
  const number = Number(text.replace(/%$/, ""));
  const isPercentage = /^\d+(\.\d+)?%$/.test(text) && number <= 100;
  if (isPercentage) return `${number}%`;
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw invalid(`${flag} must be a whole number from 0, or a percentage such as 20%, not ${JSON.stringify(text)}`);
}

export function moment(text: string, flag: string): "lazy" | "eager" {
  if (text === "lazy" || text === "eager") return text;
  throw invalid(`${flag} is lazy or eager, not ${JSON.stringify(text)}`);
}

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

export function milliseconds(text: string, flag: string): number {
  const [, amount, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const duration = Math.round(Number(amount) * (units.get(unit) ?? Number.NaN));
  if (Number.isSafeInteger(duration)) return duration;
  throw invalid(
    `${flag} must be a duration such as 500ms, 30s, 5m or 2h (milliseconds without a unit), not ${JSON.stringify(text)}`,
  );
}

/** The URL of a state store: a folder, absolute or relative to the root folder, is given without a scheme. */
export function storeUrl(given: string, flag: string): string {
  const text = given.trim();
  if (text.startsWith("~")) throw invalid(`${flag} is a URL, or a folder: the shell has not replaced the "~" in it`);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return text;
  return isAbsolute(text) ? pathToFileURL(text).href : `file:${encodeURIComponent(text)}`;
}

export function invalid(what: string): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument ${what}.`);
}
