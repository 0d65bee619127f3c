/** Types and parsers for the rows of the table of flags. */

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { EngineError } from "../../../core/base/index.js";
import type { EngineOptions } from "../../../core/contract/index.js";
import type { CommandName } from "./commands.js";

export interface Flag {
  readonly name: `--${string}`;
  readonly short?: `-${string}`;
  /** Placeholder for its value in help texts; a switch has none. */
  readonly value?: `<${string}>`;
  /** Its allowed values, if there are only a few. */
  readonly choices?: readonly string[];
  /** It may be repeated, and each value counts. */
  readonly repeats?: true;
  /** The command requires it. */
  readonly required?: true;
  /** It changes only the output. */
  readonly isOnlyShown?: true;
  /**
   * Options that it sets for the engine. Programs read such a flag themselves, and a command passes it to its program.
   */
  readonly says?: SaysByItself | SaysByValue;
  /** Commands that have it, with their help texts. */
  readonly offers: readonly Offer[];
  /** Commands that always pass it to the program. */
  readonly impliedBy?: readonly CommandName[];
}

/** Meaning of a switch. */
export interface SaysByItself {
  readonly on: (on: boolean) => Said;
  /** Reads a value after `=` that is neither `true` nor `false`. */
  readonly text?: ReadValue;
}

/** Meaning of a flag that has a value. */
export interface SaysByValue {
  /** An example of a value, for messages. */
  readonly example: string;
  readonly text: ReadValue;
}

/** @throws EngineError `INVALID_ARGUMENT` naming the flag */
type ReadValue = (text: string, flag: string) => Said;

export interface Offer {
  readonly to: readonly CommandName[];
  readonly help: string;
  /** Replaces the placeholder of the row. */
  readonly value?: `<${string}>`;
  /** Replaces the allowed values of the row. */
  readonly choices?: readonly string[];
  /** The command itself reads it; the program does not get it. */
  readonly isOwn?: true;
}

/** Meaning of one flag: options, and members that are resolved only when all flags are known. */
export interface Said extends Omit<EngineOptions, "phase"> {
  readonly destroy?: boolean;
  readonly read?: boolean;
  readonly opener?: OpenerFlag;
}

/** `passwordFile`: its first line is the password. `keyFile`: it holds a key. `keyCommand`: a line for the shell. */
export interface OpenerFlag {
  readonly from: "passwordFile" | "keyFile" | "keyCommand";
  readonly text: string;
  /** Name of the flag, for messages. */
  readonly flag: string;
}

// Parsers for the values of flags. All throw `INVALID_ARGUMENT` naming the flag.
export function wholeNumber(text: string, flag: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= 1) return number;
  throw invalid(`${flag} must be a whole number of at least 1, not ${JSON.stringify(text)}`);
}

export function deletes(text: string, flag: string): number | `${number}%` {
  const number = Number(text.replace(/%$/, ""));
  const isPercentage = /^\d+(\.\d+)?%$/.test(text) && number <= 100;
  if (isPercentage) return `${number}%`;
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw invalid(
    `${flag} must be a whole number of at least 0, or a percentage such as 20%, not ${JSON.stringify(text)}`,
  );
}

export function moment(text: string, flag: string): "lazy" | "eager" {
  if (text === "lazy" || text === "eager") return text;
  throw invalid(`${flag} must be lazy or eager, not ${JSON.stringify(text)}`);
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

/** Returns the URL of a state store. A folder has no scheme; it is absolute, or relative to the root folder. */
export function storeUrl(given: string, flag: string): string {
  const text = given.trim();
  if (text.startsWith("~")) throw invalid(`${flag} must be a URL or a folder: the shell did not expand the "~" in it`);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return text;
  return isAbsolute(text) ? pathToFileURL(text).href : `file:${encodeURIComponent(text)}`;
}

export function invalid(what: string): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument ${what}.`);
}
