import { EngineError } from "../../core/base/index.js";

interface Refusing {
  readonly cause?: unknown;
  readonly done?: "imported" | "adopted";
}

/** @param place of the source, e.g. its path */
export function refused(place: string, why: string, { cause, done = "imported" }: Refusing = {}): EngineError {
  return new EngineError(
    "IMPORT_REFUSED",
    `This command ${done} nothing: "${place}" ${clipped(why)}`,
    cause === undefined ? {} : { cause },
  );
}

/** Most characters of a reason. A source may have names of any length. */
const MOST = 1_000;

/** Leaves out the middle of a long text: the end of a reason is the advice. */
export function clipped(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST / 2)}…${text.slice(-MOST / 2)}`;
}
