/** Keeps the events of runs for `engine ui`, in the folder that `--events` or `ENGINE_EVENTS` names. */
import { resolve } from "node:path";
import { EngineError } from "../../core/base/index.js";
import type { Scope } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";
import { textOf } from "./flags.js";
import { say } from "./output.js";

/** The flags of the command. */
type Flags = Readonly<Record<string, unknown>>;

/** Returns the folder or file as it was named; undefined if none was. */
export function eventsIn({ events }: Flags): string | undefined {
  return textOf(events) ?? (process.env.ENGINE_EVENTS?.trim() || undefined);
}

/**
 * Keeps the events of an app before it opens.
 *
 * @throws EngineError `INVALID_ARGUMENT` if the folder cannot be created
 */
export async function keepEvents(root: Scope, given: Flags): Promise<void> {
  const named = eventsIn(given);
  if (named === undefined) return;
  const { writeRuns } = await import("../ui/sources/write-runs.js");
  const folder = resolve(named);
  try {
    writeRuns(appOf(root).events.source, {
      folder,
      failed: (why) => say(`warning: the events of this run are not kept in "${folder}" any more: ${why}`),
    });
  } catch (error) {
    throw notKept(named, error);
  }
}

function notKept(folder: string, cause: unknown): EngineError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const advice = "Name another folder with --events or ENGINE_EVENTS.";
  const message = `The events cannot be kept in the folder "${folder}": ${why}. ${advice}`;
  return new EngineError("INVALID_ARGUMENT", message, { cause });
}
