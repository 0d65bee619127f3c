/** A key that this machine keeps outside of every project: what is made with it tells nothing to who has the project alone. */
import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineFolder, makeOwnFolder } from "../../base/index.js";

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}\n?$/;

export interface MachineKey {
  /** 64 hex digits. */
  readonly key: string;
  /** False where it cannot be kept: then each process has one of its own. */
  readonly isKept: boolean;
}

const known = new Map<string, MachineKey>();

/**
 * The same in every process of the user on this machine. Made when it is first asked for.
 *
 * @param env what says where it is kept
 */
export function machineKey(env = process.env): MachineKey {
  const folder = machineFolder(env) ?? "";
  const key = known.get(folder) ?? keyIn(folder);
  known.set(folder, key);
  return key;
}

function keyIn(folder: string): MachineKey {
  const made = newKey();
  const key = folder === "" ? undefined : kept(folder, made);
  return { key: key ?? made, isKept: key !== undefined };
}

/** Undefined in a read-only or foreign home. */
function kept(folder: string, made: string): string | undefined {
  const path = join(folder, "key");
  try {
    return read(path) ?? keep(folder, path, made);
  } catch {
    return undefined;
  }
}

/** Of several processes that make one at once, one prevails. */
function keep(folder: string, path: string, key: string): string | undefined {
  makeOwnFolder(folder);
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(aside, `${key}\n`, { mode: 0o600, flag: "wx", flush: true });
    if (!linked(aside, path)) renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  return read(path);
}

/** False where there is something else than a key, or where the disk knows no links. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return read(to) !== undefined;
  }
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return HEX.test(text) ? text.trim() : undefined;
  } catch {
    return undefined;
  }
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}
