/** Ends recorded processes. */

import { identity, isPidReused, type ProcessIdentity } from "../../../core/base/index.js";
import { endGroup, groupLives } from "../../internal/process/process-group.js";
import { withFileLock } from "./file-lock.js";
import { livenessOf } from "./liveness.js";
import {
  isSameProcess,
  type ProcessRecord,
  type ProcessUser,
  readRecord,
  removeRecord,
  writeRecord,
} from "./record.js";
import { sessionLives } from "./session.js";
import { otherUsers } from "./users.js";

/**
 * Ends the process with all processes that it started, and deletes its record. Another process that has its pid by now,
 * or that was started in its place, is left alone. True if a process was ended.
 *
 * @param user run that does not need the process any more: it continues while other runs use it, or a session keeps it
 */
export function endRecorded(path: string, record: ProcessRecord, user?: ProcessUser): Promise<boolean> {
  return withFileLock(path, undefined, async () => {
    const current = readRecord(path);
    if (current === undefined || typeof current === "string" || !isSameProcess(current, record)) return false;
    const others = user ? otherUsers(current, user) : [];
    if (others.length > 0 || (user && sessionLives(current.session))) {
      writeRecord(path, { ...current, users: others });
      return false;
    }
    const hasEnded = await endProcess(record);
    // The record stays if the process is on another machine, or if its liveness is unknown.
    if (livenessOf(record.process) === "gone") removeRecord(path);
    return hasEnded;
  });
}

/** Ends a process and its group. True if one of them was running. */
export async function endProcess({ process: of }: ProcessRecord): Promise<boolean> {
  const liveness = livenessOf(of);
  if (liveness === "alive") {
    await endGroup(of.pid);
    return true;
  }
  if (liveness !== "gone" || !hasLeftOthers(of)) return false;
  await endGroup(of.pid);
  return true;
}

/** True if the group outlived its first process. The system does not reuse a pid while a group has its number. */
function hasLeftOthers(of: ProcessIdentity): boolean {
  const here = identity();
  if (of.boot === undefined || of.boot !== here.boot || of.pidNamespace !== here.pidNamespace) return false;
  return !isPidReused(of) && groupLives(of.pid);
}
