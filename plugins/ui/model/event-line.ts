/** Reads what may be an event: a line of a file that can end in the middle, or one of many that were sent. */
import type { UiEvent } from "../api/index.js";
import { isMembers } from "./members.js";

/** Undefined for what is none, such as half a line. */
export function eventIn(line: string): UiEvent | undefined {
  try {
    return asEvent(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined for what is none. */
export function asEvent(value: unknown): UiEvent | undefined {
  if (!isMembers(value)) return undefined;
  const { type, time } = value;
  return typeof type === "string" && typeof time === "string" ? { ...value, type, time } : undefined;
}
