/** Keeps exactly one process per configuration running, however many callers ask for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync } from "node:fs";
import { EngineError, messageOf, timeOfDay } from "../../../core/base/index.js";
import { childEnvironment, startable } from "../../internal/process/child-process.js";
import { endGroup, ownGroup } from "../../internal/process/process-group.js";
import type { ProcessPaths } from "../process-paths.js";
import { whyNotStarted } from "../run/run-child.js";
import { newLog } from "../run/run-log.js";
import { endProcess } from "./end-recorded.js";
import { withFileLock } from "./file-lock.js";
import { identityOfChild, livenessOf } from "./liveness.js";
import {
  type BadRecord,
  type Configuration,
  digestOf,
  newSalt,
  type ProcessRecord,
  type ProcessUser,
  readRecord,
  removeRecord,
  writeRecord,
} from "./record.js";
import { sessionLives } from "./session.js";
import { otherUsers } from "./users.js";

/** A requested process. */
export interface Wanted extends ProcessPaths, Configuration {
  readonly fqn: string;
  readonly keeper: ProcessRecord["keeper"];
  readonly session: string | undefined;
  /** The run that ends it; undefined if no run does. */
  readonly user?: ProcessUser | undefined;
  /** File for its record. */
  readonly recordPath: string;
  /** File for its output. */
  readonly log: string;
  /** Restart it even if it already runs with this configuration. */
  readonly restart?: boolean;
  readonly signal: AbortSignal;
  redact(text: string): string;
  warn(code: string, message: string): void;
  /** Called before the start, when the previous process is gone. */
  beforeStart?(): Promise<void>;
  /** Called when the recorded previous process was ended. */
  onEnded?(record: ProcessRecord): void;
}

/** The members of Node's child process that are used. */
export interface Child {
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  once(event: "exit", listener: (exitCode: number | null) => void): unknown;
  off(event: "exit", listener: (exitCode: number | null) => void): unknown;
  ref(): void;
  unref(): void;
}

/** A running process. */
export interface Kept {
  readonly record: ProcessRecord;
  readonly recordPath: string;
  /** Undefined if it was already running. */
  readonly child: Child | undefined;
}

/** @throws EngineError `PROCESS_FAILED` if it cannot be started, `TIMEOUT` */
export function ensureRunning(wanted: Wanted): Promise<Kept> {
  const { recordPath, signal } = wanted;
  const working = withFileLock(recordPath, signal, async () => {
    const before = recordBefore(wanted);
    if (before) {
      const isWanted = !wanted.restart && digestOf(wanted, before.salt) === before.digest && existsSync(before.log);
      if (isWanted && livenessOf(before.process) === "alive") return reused(wanted, before);
      if (await endProcess(before)) wanted.onEnded?.(before);
      removeRecord(recordPath);
    }
    await wanted.beforeStart?.();
    signal.throwIfAborted();
    return start(wanted);
  });
  return working.catch((error: unknown) => {
    throw signal.aborted || error instanceof EngineError ? error : unrecordable(wanted, error);
  });
}

/** Without its record the next run would not know the process. */
function unrecordable({ fqn, recordPath }: Wanted, cause: unknown): EngineError {
  const message = `The process "${fqn}" could not be recorded in "${recordPath}": ${messageOf(cause)}`;
  return new EngineError("PROCESS_FAILED", message, { fqn, cause });
}

const WHY_BAD: Readonly<Record<BadRecord, string>> = {
  damaged: "is damaged",
  unproven: "was not written by you on this machine",
};

function recordBefore({ recordPath, fqn, warn }: Wanted): ProcessRecord | undefined {
  const found = readRecord(recordPath);
  if (typeof found === "string") {
    warn(
      "PROCESS_RECORD",
      `The record of the process "${fqn}" in "${recordPath}" ${WHY_BAD[found]}, so the engine ignores it and starts a new process. If the earlier process still runs, end it yourself.`,
    );
    return undefined;
  }
  const liveness = found && livenessOf(found.process);
  if (found && (liveness === "foreign" || liveness === "unknown")) {
    const { pid, host } = found.process;
    const [which, where] =
      liveness === "foreign"
        ? [`was started on "${host}"`, ` on "${host}"`]
        : ["may still run, but this system does not report it", ""];
    warn(
      "PROCESS_RECORD",
      `The earlier process of "${fqn}" (pid ${pid}) ${which}. The engine does not end it, and starts a new process. If the earlier one still runs, end it yourself${where}.`,
    );
  }
  return found;
}

/** Assigns a running process to this run, under its name here. A live session keeps its processes. */
function reused(wanted: Wanted, before: ProcessRecord): Kept {
  const { recordPath } = wanted;
  const { session: old, users: _users, ...rest } = before;
  const others = wanted.user ? otherUsers(before, wanted.user) : [];
  const session = wanted.session ?? (sessionLives(old) ? old : undefined);
  const record: ProcessRecord = { ...rest, ...ownerOf({ ...wanted, session }, others) };
  if (JSON.stringify(record) !== JSON.stringify(before)) writeRecord(recordPath, record);
  return { record, recordPath, child: undefined };
}

async function start(wanted: Wanted): Promise<Kept> {
  const { command, args, recordPath, log, redact } = wanted;
  try {
    const salt = newSalt();
    const digest = digestOf(wanted, salt);
    const child = launch(wanted);
    if (child.pid === undefined) await refusal(child);
    const pid = child.pid ?? 0;
    const record: ProcessRecord = {
      format: 1,
      ...ownerOf(wanted),
      process: identityOfChild(child, pid),
      commandLine: [command, ...args].map((part) => redact(part)),
      salt,
      digest,
      since: timeOfDay(),
      log,
    };
    // Nothing is awaited before this: a run killed in between would leave a process without a record.
    await recorded(recordPath, record);
    return { record, recordPath, child };
  } catch (error) {
    throw await notStarted(wanted, error);
  }
}

/** Starts the process. Its output goes directly to the log, because it may outlive this process. */
function launch({ command, args, cwd, env, log }: Wanted): ChildProcess {
  const output = newLog(log);
  try {
    const surroundings = { cwd, env: childEnvironment(env) };
    const { file, args: given, ...how } = startable([command, ...args], surroundings);
    const child = spawn(file, given, {
      ...how,
      ...ownGroup({ outlives: true }),
      ...surroundings,
      stdio: ["ignore", output, output],
    });
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

async function refusal(child: ChildProcess): Promise<never> {
  const [error] = await once(child, "error").catch((thrown: unknown) => [thrown]);
  throw error;
}

async function recorded(path: string, record: ProcessRecord): Promise<void> {
  try {
    writeRecord(path, record);
  } catch (error) {
    await endGroup(record.process.pid);
    throw error;
  }
}

async function notStarted({ fqn, command, cwd }: Wanted, cause: unknown): Promise<EngineError> {
  const message = `The process "${fqn}" (${command}) could not be started in "${cwd}": ${await whyNotStarted(cwd, cause)}.`;
  return new EngineError("PROCESS_FAILED", message, { fqn, cause });
}

type Owner = Pick<ProcessRecord, "app" | "stage" | "path" | "id" | "fqn" | "keeper" | "session" | "users">;

function ownerOf(wanted: Wanted, others: readonly ProcessUser[] = []): Owner {
  const { app, stage, path, id, fqn, keeper, session, user } = wanted;
  const users = user && { users: [...others, user] };
  return { app, stage, path, id, fqn, keeper, ...(session === undefined ? {} : { session }), ...users };
}
