/** Serializes work on a record, also between processes. */
import { randomInt, randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  EngineError,
  isAbsence,
  makeOwnFolder,
  monotonicNow,
  type ProcessIdentity,
  whenFree,
} from "../../../core/base/index.js";
import { identityOf, livenessOf } from "./liveness.js";

/** Milliseconds to wait for the lock. The longest work, stopping a process, takes less. */
const TIMEOUT = 60_000;

/**
 * Runs work under a lock. Each process writes its own sign, a file, and then looks for other signs: of two processes at
 * least one sees the other, and removes its own sign again. Signs of dead processes do not count. Each sign has a
 * unique name, so it can be removed safely.
 *
 * @throws EngineError `TIMEOUT`; the signal's reason
 */
export async function withFileLock<T>(
  path: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const sign = `${path}.turn.${randomUUID()}`;
  makeOwnFolder(dirname(path));
  const end = monotonicNow() + TIMEOUT;
  try {
    for (;;) {
      signal?.throwIfAborted();
      await putUp(sign);
      const other = await otherThan(sign, path);
      if (other === undefined) break;
      await rm(sign, { force: true });
      if (monotonicNow() > end) throw tooLong(other);
      await pause(randomInt(5, 40));
    }
    return await work();
  } finally {
    await rm(sign, { force: true });
  }
}

/** Writes a sign in one step, so that others never see a part of it. */
async function putUp(sign: string): Promise<void> {
  const aside = `${sign}.tmp`;
  await writeFile(aside, JSON.stringify(identityOf(process.pid)), { mode: 0o600 });
  await whenFree(() => rename(aside, sign));
}

/** Returns the path of another sign whose process may be alive. */
async function otherThan(sign: string, path: string): Promise<string | undefined> {
  const prefix = `${basename(path)}.turn.`;
  for (const { name, parentPath } of await signsIn(dirname(path))) {
    const other = join(parentPath, name);
    if (!name.startsWith(prefix) || name.endsWith(".tmp") || other === sign) continue;
    const owner = await readSign(other);
    if (owner === undefined) continue;
    if (owner !== "damaged" && livenessOf(owner) !== "gone") return other;
    await rm(other, { force: true });
  }
  return undefined;
}

async function signsIn(folder: string): Promise<readonly Dirent[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
}

/** `damaged`: signs are written in one step, so the machine crashed after that, and the process is gone. */
async function readSign(path: string): Promise<ProcessIdentity | "damaged" | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) ?? "damaged";
  } catch (error) {
    if (isAbsence(error)) return undefined;
    if (error instanceof SyntaxError) return "damaged";
    throw error;
  }
}

function tooLong(sign: string): EngineError {
  const message = `Another run has been starting or stopping this process for ${TIMEOUT / 1000} s and holds its lock. If no other run is active, delete the lock file "${sign}".`;
  return new EngineError("TIMEOUT", message);
}
