/** Lists and ends the processes that are recorded on this machine. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "../../../core/base/index.js";
import { counted } from "../../internal/text/counted.js";
import { allRecords } from "../process-paths.js";
import { endRecorded } from "./end-recorded.js";
import { type Liveness, livenessOf } from "./liveness.js";
import { type ProcessRecord, readRecord } from "./record.js";

/** A recorded process with its status. */
export interface ListedProcess extends ProcessRecord {
  readonly pid: number;
  /** `foreign`: it was started on another machine. `unknown`: the system does not report it. */
  readonly status: Liveness;
  /** File of its record. */
  readonly recordPath: string;
}

/** Lists the processes of all apps and stages of a root folder, except those with damaged or unproven records. */
export function listProcesses(rootDir: string): Promise<readonly ListedProcess[]> {
  return recordsBelow(allRecords(rootDir));
}

/** Lists the processes whose records are in a folder or below it. */
export async function recordsBelow(folder: string): Promise<readonly ListedProcess[]> {
  const found: ListedProcess[] = [];
  for (const path of await filesBelow(folder)) {
    const record = readRecord(path);
    if (record === undefined || typeof record === "string") continue;
    found.push({ ...record, pid: record.process.pid, status: livenessOf(record.process), recordPath: path });
  }
  return found;
}

/**
 * Ends a process with all processes that it started, and deletes its record: SIGTERM, and SIGKILL after five seconds.
 * True if one was running.
 */
export function stopProcess({ recordPath, ...record }: ListedProcess): Promise<boolean> {
  return endRecorded(recordPath, record);
}

/** Lists the processes of a dev or watch session. */
export async function listSession(rootDir: string, session: string): Promise<readonly ListedProcess[]> {
  const all = await listProcesses(rootDir);
  return all.filter((one) => one.keeper === "run" && one.session === session);
}

/** Ends the processes of a session; resolves with those that ran. */
export async function endSession(rootDir: string, session: string): Promise<readonly ListedProcess[]> {
  return stopAll(await listSession(rootDir, session));
}

/** Ends processes in parallel; resolves with those that ran. @throws AggregateError */
export async function stopAll(processes: readonly ListedProcess[]): Promise<readonly ListedProcess[]> {
  const results = await Promise.allSettled(processes.map(stopProcess));
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (errors.length > 0)
    throw new AggregateError(errors, `${counted(errors.length, "process", "es")} could not be ended.`);
  return processes.filter((_process, index) => {
    const result = results[index];
    return result?.status === "fulfilled" && result.value;
  });
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json"));
    return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
