/** Results that could not be recorded are kept next to the project. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, Contents } from "./change.js";
import { FORMAT, seal } from "./entry.js";
import type { Head } from "./head.js";
import { encodeName } from "./keys.js";

/** A change that is to be made up for where the record is still the very intent that it ends. */
export interface Result {
  readonly change: Change;
  /** Token of that intent. */
  readonly token?: string;
}

export interface Recovery {
  readonly rootDir: string;
  readonly head: Head;
  readonly session: string;
  /** Oldest first. */
  readonly results: readonly Result[];
}

/**
 * What has happened in the world, of all that is not known to be durable. An intent among it was never acted on.
 *
 * @param durable the state as it was recorded last
 */
export function resultsOf(unwritten: readonly Change[], durable: Contents): Result[] {
  return unwritten.filter(isResult).map((change) => {
    const token = change.op === "patch" || change.op === "drop" ? durable.records.get(change.uid)?.token : undefined;
    return token === undefined ? { change } : { change, token };
  });
}

function isResult(change: Change): boolean {
  switch (change.op) {
    case "put":
      return change.record.status === "ready";
    case "patch":
      return change.set?.status === undefined || change.set.status === "ready";
    case "drop":
    case "data":
    case "forget":
      return true;
    case "place":
      return false;
  }
}

/** Writes the recovery file and returns its path. Synchronous: the process may be about to end. */
export function writeRecovery({ rootDir, head, session, results }: Recovery): string {
  const { app, stage, lineage, seq } = head;
  const body = { format: FORMAT, app, stage, lineage, session, seq, results };
  const path = join(rootDir, `engine-recovery.${encodeName(app)}.${encodeName(stage)}.${session}.json`);
  mkdirSync(rootDir, { recursive: true });
  writeFileSync(path, `${seal(JSON.stringify(body, null, 1)).text}\n`, { mode: 0o600, flush: true });
  return path;
}
