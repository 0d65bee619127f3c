/** Results that could not be recorded are kept next to the project. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "./change.js";
import { FORMAT, seal } from "./entry.js";
import type { Head } from "./head.js";
import { encodeName } from "./keys.js";

export interface Recovery {
  readonly rootDir: string;
  readonly head: Head;
  readonly session: string;
  /** Changes that are not known to be durable, oldest first. */
  readonly changes: readonly Change[];
}

/** Writes the recovery file and returns its path. Synchronous: the process may be about to end. */
export function writeRecovery({ rootDir, head, session, changes }: Recovery): string {
  const { app, stage, lineage, seq } = head;
  const body = { format: FORMAT, app, stage, lineage, session, seq, changes };
  const path = join(rootDir, `engine-recovery.${encodeName(app)}.${encodeName(stage)}.${session}.json`);
  mkdirSync(rootDir, { recursive: true });
  writeFileSync(path, `${seal(JSON.stringify(body, null, 1)).text}\n`, { mode: 0o600, flush: true });
  return path;
}
