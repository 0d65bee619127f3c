/** What a row of the table of flags holds. */

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { EngineError } from "../../../core/base/index.js";
import type { EngineOptions } from "../../../core/contract/index.js";
import type { CommandName } from "./commands.js";

export interface Flag {
  readonly name: `--${string}`;
  readonly short?: `-${string}`;
  /** What stands for its value in a help text; a switch has none. */
  readonly value?: `<${string}>`;
  /** The values that it may have, where they are few. */
  readonly choices?: readonly string[];
  /** It may be given again and again, and each value counts. */
  readonly repeats?: true;
  /** A command that has it does nothing without it. */
  readonly required?: true;
  /** It changes what is shown, and nothing that is done. */
  readonly isOnlyShown?: true;
  /** What it says to the engine. Programs take such a flag by themselves, and a command hands it to its program. */
  readonly says?: SaysByItself | SaysByValue;
  /** The commands that have it, and what their help says of it. */
  readonly offers: readonly Offer[];
  /** The commands that give it to the program without being told. */
  readonly impliedBy?: readonly CommandName[];
}

/** Of a switch. */
export interface SaysByItself {
  readonly on: (on: boolean) => Said;
  /** What it says with a value behind `=` that is neither `true` nor `false`. */
  readonly text?: ReadValue;
}

/** Of a flag that has a value. */
export interface SaysByValue {
  /** A value as it would be written, for messages. */
  readonly example: string;
  readonly text: ReadValue;
}

/** @throws EngineError `INVALID_ARGUMENT` naming the flag */
type ReadValue = (text: string, flag: string) => Said;

export interface Offer {
  readonly to: readonly CommandName[];
  readonly help: string;
  /** In place of that of the row. */
  readonly value?: `<${string}>`;
  /** It is for the command itself, and the program does not get it. */
  readonly isOwn?: true;
}

/** What one flag says: options, and what is settled only when all flags are known. */
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

/** Values of flags, out of their texts. All throw `INVALID_ARGUMENT` naming the flag. Pure. */
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
