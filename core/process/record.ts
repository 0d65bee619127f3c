/** What is kept of a process that outlives the call that started it: one small file. */

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isAbsence } from "../absence.js";
import { makeOwnFolder } from "../own-folder.js";
import type { ProcessIdentity } from "./identity.js";
import { machineKey } from "./machine-key.js";

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
  return createHmac("sha256", machineKey())
    .update(JSON.stringify([salt, command, args, cwd, variables]))
    .digest("hex");
}

/** Undefined: there is none. `damaged`: there is something that cannot be used. */
export function readRecord(path: string): ProcessRecord | "damaged" | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : "damaged";
  } catch {
    return "damaged";
  }
}

/** Whole or not at all, and readable for its owner alone. Synchronous: the process that it is of runs already. */
export function writeRecord(path: string, record: ProcessRecord): void {
  const aside = `${path}.${randomUUID()}.tmp`;
  makeOwnFolder(dirname(path));
  try {
    writeFileSync(aside, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

export function removeRecord(path: string): void {
  rmSync(path, { force: true });
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
