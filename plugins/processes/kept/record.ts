/**
 * What is kept of a process that outlives the call that started it: one small file. Whoever can write it says which process is
 * ended next, so it carries a MAC by the key of this machine, over its members and its place.
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
  /** Who ends it: a run, or what comes after runs; or a resource, whose process lives until it is deleted. */
  readonly keeper: "run" | "resource";
  readonly process: ProcessIdentity;
  /** Program and arguments, redacted. */
  readonly commandLine: readonly string[];
  readonly salt: string;
  /** Of the configuration that it runs with, its variables among it. */
  readonly digest: string;
  /** ISO 8601, for people. */
  readonly since: string;
  /** Absolute path of the file that takes what it writes. */
  readonly log: string;
  /** The dev or watch session that it lives for. */
  readonly session?: string;
  /** Runs that it lives for: it ends with the last of them. */
  readonly users?: readonly ProcessUser[];
}

/** A run that uses a process. */
export interface ProcessUser {
  readonly run: string;
  readonly process: ProcessIdentity;
}

/** Program, arguments, folder, and the variables that are added: what makes a process another one where it changes. */
export interface Configuration {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** Tells configurations apart, and says nothing of a secret in one to whoever has not the key of this machine. */
export function digestOf({ command, args, cwd, env }: Configuration, salt: string): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac("sha256", machineKey().key)
    .update(JSON.stringify([salt, command, args, cwd, variables]))
    .digest("hex");
}

/** What cannot be used: what it says cannot be read, or nobody knows who says it. */
export type BadRecord = "damaged" | "unproven";

/**
 * Undefined: there is none. `unproven`: it was not written there by this user on this machine. Where the key of the machine
 * cannot be kept, nothing can be proved, and a record is taken as it is.
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

/** Whole or not at all, and readable for its owner alone. Synchronous: the process that it is of runs already. */
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

/** A project that was moved keeps its records, and a record that was copied to the place of another one is none. */
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
    // A group of 0 would be our own, and one of 1 everything.
    Number.isInteger(pid) &&
    pid > 1 &&
    typeof host === "string" &&
    Array.isArray(commandLine) &&
    TEXTS.every((name) => typeof given[name] === "string")
  );
}

/** Where the files of a process of a scope are. */
export function pathsIn(scope: Scope, id: string): ProcessPaths {
  const { rootDir, appName: app, stage } = scope;
  return { rootDir, app, stage, path: scope[INTERNALS].path, id };
}

// A key that this machine keeps outside of every project: what is made with it tells nothing to who has the project
// alone.

const KEY_BYTES = 32;

const HEX = /^[0-9a-f]{64}\n?$/;

interface MachineKey {
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
