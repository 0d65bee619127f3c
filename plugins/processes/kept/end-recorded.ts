/** The end of a process that is recorded. */

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
 * Ends the process with all that it has started, and forgets it; what runs under its pid by now and is another process is
 * left alone, and so is what was started in its place. True where something was ended.
 *
 * @param user the run that needs it no more: while others use it, or a session keeps it, it goes on
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
    // What runs elsewhere is for others to end; what nobody can tell is not forgotten.
    if (livenessOf(record.process) === "gone") removeRecord(path);
    return hasEnded;
  });
}

/** True where something was there to end. */
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

/** A pid is given to nobody while a group has its number: a group without its first process is what that one has left. */
function hasLeftOthers(of: ProcessIdentity): boolean {
  const here = identity();
  if (of.boot === undefined || of.boot !== here.boot || of.pidNamespace !== here.pidNamespace) return false;
  return !isPidReused(of) && groupLives(of.pid);
}
