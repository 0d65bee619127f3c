/**
 * Records of processes that outlive the call that started them, one small file each. Write access to a record would
 * allow to end any process, so it has a MAC with the key of this machine, over its members and its path.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  isAbsence,
  machineFolder,
  OWN_FOLDER,
  type ProcessIdentity,
  publishFile,
  replaceFile,
} from "../../../core/base/index.js";
import { INTERNALS, type Scope } from "../../../core/contract/index.js";
import { PROCESSES, type ProcessPaths } from "../process-paths.js";

/** A process that the engine started and keeps. */
export interface ProcessRecord {
  readonly format: 1;
  readonly app: string;
  readonly stage: string;
  /** Names of the child scopes, joined by `/`. */
  readonly path: string;
  readonly id: string;
  readonly fqn: string;
  /** `run`: a run or a session ends it. `resource`: it lives until its resource is deleted. */
  readonly keeper: "run" | "resource";
  readonly process: ProcessIdentity;
  /** Program and arguments, redacted. */
  readonly commandLine: readonly string[];
  readonly salt: string;
  /** Digest of its configuration, including its variables. */
  readonly digest: string;
  /** ISO 8601, for people. */
  readonly since: string;
  /** Absolute path of the file for its output. */
  readonly log: string;
  /** The dev or watch session that keeps it. */
  readonly session?: string;
  /** Runs that use it: it ends with the last of them. */
  readonly users?: readonly ProcessUser[];
}

/** A run that uses a process. */
export interface ProcessUser {
  readonly run: string;
  readonly process: ProcessIdentity;
}

/** Program, arguments, folder, and added variables. A change of them means another process. */
export interface Configuration {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** Digests a configuration. It reveals no secret in it without the key of this machine. */
export function digestOf({ command, args, cwd, env }: Configuration, salt: string): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac("sha256", machineKey().key)
    .update(JSON.stringify([salt, command, args, cwd, variables]))
    .digest("hex");
}

/** An unusable record. `damaged`: it cannot be parsed. `unproven`: its MAC is wrong. */
export type BadRecord = "damaged" | "unproven";

/**
 * Reads a record; undefined if there is none. `unproven`: it was not written there by this user on this machine. If the
 * key of the machine cannot be kept, no record can be proved, and each is accepted.
 */
export function readRecord(path: string): ProcessRecord | BadRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    const { mac, ...record }: { mac?: unknown } = Object(JSON.parse(text));
    if (!isRecord(record)) return "damaged";
    return isProven(path, record, mac) ? record : "unproven";
  } catch {
    return "damaged";
  }
}

/** Writes a record in one step, readable only for its owner. Synchronous, because the process is already running. */
export function writeRecord(path: string, record: ProcessRecord): void {
  const text = JSON.stringify({ ...record, mac: macOf(path, record) }, null, 2);
  replaceFile(path, `${text}\n`, { flush: false });
}

export function removeRecord(path: string): void {
  rmSync(path, { force: true });
}

function isProven(path: string, record: ProcessRecord, mac: unknown): boolean {
  if (!machineKey().isKept) return true;
  const wanted = Buffer.from(macOf(path, record));
  const given = Buffer.from(typeof mac === "string" ? mac : "");
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/**
 * The MAC covers the path in the project: records stay valid if the project is moved, but not if one is copied over
 * another.
 */
function macOf(path: string, record: ProcessRecord): string {
  const place = path.slice(path.lastIndexOf(join(OWN_FOLDER, PROCESSES)));
  const text = JSON.stringify(["scope-engine process", 1, place, record]);
  return createHmac("sha256", machineKey().key).update(text).digest("hex");
}

/** True for two records of one process. */
export function isSameProcess(a: ProcessRecord, b: ProcessRecord): boolean {
  return a.process.pid === b.process.pid && a.process.started === b.process.started && a.salt === b.salt;
}

const TEXTS = ["app", "stage", "path", "id", "fqn", "salt", "digest", "since", "log"];

function isRecord(value: unknown): value is ProcessRecord {
  const given: Readonly<Record<string, unknown>> = Object(value);
  const { format, keeper, process: of, commandLine } = given;
  const { pid, host } = Object(of);
  return (
    format === 1 &&
    (keeper === "run" || keeper === "resource") &&
    // Signals to the group 0 reach this process, and to the group 1 all processes.
    Number.isInteger(pid) &&
    pid > 1 &&
    typeof host === "string" &&
    Array.isArray(commandLine) &&
    TEXTS.every((name) => typeof given[name] === "string")
  );
}

/** Returns the parts of the paths of a process in a scope. */
export function pathsIn(scope: Scope, id: string): ProcessPaths {
  const { rootDir, appName: app, stage } = scope;
  return { rootDir, app, stage, path: scope[INTERNALS].path, id };
}

// Key of this machine, kept outside of all projects: access to a project alone does not reveal it.

const KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}\n?$/;

interface MachineKey {
  /** 64 hex digits. */
  readonly key: string;
  /** False if it cannot be kept: then each process has its own key. */
  readonly isKept: boolean;
}

const known = new Map<string, MachineKey>();

/**
 * Returns the key, which is the same in every process of the user on this machine. It is created on first use.
 *
 * @param env environment that determines its folder
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

/** Returns undefined in a read-only or foreign home folder. */
function kept(folder: string, made: string): string | undefined {
  const path = join(folder, "key");
  try {
    return read(path) ?? keep(path, made);
  } catch {
    return undefined;
  }
}

/**
 * Publishes a new key. If several processes do this at once, one key wins. An invalid file is replaced, also without
 * hard links.
 */
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
