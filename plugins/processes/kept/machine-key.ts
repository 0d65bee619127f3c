/** A key that this machine keeps outside of every project: what is made with it tells nothing to who has the project alone. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { machineFolder, publishFile, replaceFile } from "../../../core/base/index.js";

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
    return read(path) ?? keep(path, made);
  } catch {
    return undefined;
  }
}

/** Of several processes that make one at once, one prevails; what is there and is no key gives way, and so it is on a disk without links. */
function keep(path: string, key: string): string | undefined {
  if (!isPublished(path, key)) replaceFile(path, `${key}\n`);
  return read(path);
}

function isPublished(path: string, key: string): boolean {
  try {
    return publishFile(path, `${key}\n`) || read(path) !== undefined;
  } catch {
    return read(path) !== undefined;
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
