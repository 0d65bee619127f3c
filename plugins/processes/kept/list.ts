/** The processes that are recorded on this machine, for whoever wants to see or to end them. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "../../../core/base/index.js";
import { allRecords } from "../process-paths.js";
import { endRecorded } from "./end-recorded.js";
import { type Liveness, livenessOf } from "./liveness.js";
import { type ProcessRecord, readRecord } from "./record.js";

/** A process that is recorded, and what has become of it. */
export interface ListedProcess extends ProcessRecord {
  readonly pid: number;
  /** `foreign`: it is, or was, on another machine. `unknown`: the system does not tell. */
  readonly status: Liveness;
  /** File that it is recorded in. */
  readonly recordPath: string;
}

/** Those of all apps and stages below a root folder; records that are damaged, or that somebody else has written, are left out. */
export function listProcesses(rootDir: string): Promise<readonly ListedProcess[]> {
  return recordsBelow(allRecords(rootDir));
}

/** Those whose records are in a folder, or below it. */
export async function recordsBelow(folder: string): Promise<readonly ListedProcess[]> {
  const found: ListedProcess[] = [];
  for (const path of await filesBelow(folder)) {
    const record = readRecord(path);
    if (record === undefined || typeof record === "string") continue;
    found.push({ ...record, pid: record.process.pid, status: livenessOf(record.process), recordPath: path });
  }
  return found;
}

/** Ends a process with all that it has started, and forgets it: SIGTERM, and SIGKILL after five seconds. True where there was something to end. */
export function stopProcess({ recordPath, ...record }: ListedProcess): Promise<boolean> {
  return endRecorded(recordPath, record);
}

/** What was spawned for a dev or watch session. */
export async function listSession(rootDir: string, session: string): Promise<readonly ListedProcess[]> {
  const all = await listProcesses(rootDir);
  return all.filter((one) => one.keeper === "run" && one.session === session);
}

/** Ends that; resolves with what it has ended. */
export async function endSession(rootDir: string, session: string): Promise<readonly ListedProcess[]> {
  return stopAll(await listSession(rootDir, session));
}

/** Side by side; resolves with those that ran. @throws AggregateError */
export async function stopAll(processes: readonly ListedProcess[]): Promise<readonly ListedProcess[]> {
  const results = await Promise.allSettled(processes.map(stopProcess));
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} processes could not be ended.`);
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
