import { messageOf } from "./errors.js";

/** Returns the names in a JSON Pointer, decoded. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Formats a JSON Pointer for people: `tags.team`; `all` for the whole. */
export function shownPointer(pointer: string): string {
  return stepsOf(pointer).join(".") || "all";
}

/**
 * Returns the place where a text stops being JSON, e.g. `line 3, column 14`, or `its end`. The message of `JSON.parse`
 * quotes a part of the text, which may hold secrets that are not known here.
 */
export function jsonFaultPlace(text: string): string {
  let whole = 0;
  let broken = text.length + 1;
  // A beginning is unfinished up to the fault, and invalid after it.
  while (broken - whole > 1) {
    const middle = (whole + broken) >>> 1;
    if (isUnfinished(text.slice(0, middle))) whole = middle;
    else broken = middle;
  }
  if (whole >= text.trimEnd().length) return "its end";
  const before = text.slice(0, whole).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function isUnfinished(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = messageOf(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    if (position !== undefined) return Number(position) >= beginning.length;
    return /Unexpected (end|EOF)|Unterminated|Expected '[}\]]'/.test(message);
  }
}
