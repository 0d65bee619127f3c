import { rm } from "node:fs/promises";
import { relative, sep } from "node:path";
import { EngineError, flag, isListOf, isText, type Rule, required, wholeFrom } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { appOf } from "../../core/run/index.js";
import { endRecorded } from "../processes/kept/end-recorded.js";
import { ensureRunning, type Kept } from "../processes/kept/ensure-running.js";
import { emitEnd, emitStart } from "../processes/kept/lifetime.js";
import { livenessOf } from "../processes/kept/liveness.js";
import { type ProcessRecord, pathsIn, readRecord } from "../processes/kept/record.js";
import { plainEnvironment } from "../processes/plain-environment.js";
import { resourceLogOf, resourceRecordOf } from "../processes/process-paths.js";
import type { Secret } from "../secrets/secret.js";
import { locate } from "./paths.js";
import { awaitReady, checkFree, type Ready, survives } from "./process-ready.js";
import { environment, path, propsSchema } from "./props-schema.js";

/** Props of {@link Process}. */
export interface ProcessProps {
  /** The program; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Variables added to the environment of the process. Secrets are passed on decrypted, and recorded encrypted. */
  readonly env?: Readonly<Record<string, string | Secret>>;
  /** The sign that it is ready. Default: it still runs a second after its start. */
  readonly ready?: Ready;
  /** Milliseconds to wait until it is ready. Default: 30,000. */
  readonly readyTimeout?: number;
  /** `cwd` may be outside the root folder. Default: false. */
  readonly outside?: boolean;
}

/** Output of a {@link Process}. */
export interface ProcessOutput {
  readonly pid: number;
  /** File with its output, relative to the root folder. */
  readonly log: string;
  /** The port of `ready`. */
  readonly port?: number;
  /** The line that matched `ready`, with secrets redacted. */
  readonly line?: string;
}

const READY_TIMEOUT = 30_000;
/** Maximum delay of timers. */
const LONGEST = 2 ** 31 - 1;

const isArgument = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
const program: Rule = {
  allowed: "the name of a program, without a NUL character",
  accepts: (value) => isText(value) && isArgument(value),
};
const programArguments: Rule = {
  allowed: "a list of strings without NUL characters",
  accepts: (value) => isListOf(value, isArgument),
};
const readiness: Rule = {
  allowed: "{ line: a text or a pattern } or { port: a number from 1 to 65535 }",
  accepts(value) {
    const { line, port, host = "" }: Readonly<Record<string, unknown>> = Object(value);
    if (line !== undefined) return port === undefined && (isText(line) || line instanceof RegExp);
    return Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536 && typeof host === "string";
  },
};

/**
 * A process that runs from its create to its delete, also between runs.
 *
 * Every up checks it: a process that has ended is started again. A change of its command, arguments, folder or
 * environment restarts it, and so does `force`. Its delete ends it with all processes that it started: SIGTERM, and
 * SIGKILL after five seconds.
 *
 * @throws EngineError `PROCESS_FAILED`, with its last lines, if it ends or is not ready in time; `OUTSIDE_ROOT`,
 * `INVALID_PROPS`
 *
 * @example
 * ```ts
 * const args = ["--port", "7000"];
 * const database = await Process("database", { command: "redis-server", args, ready: { port: 7000 } });
 * ```
 */
export const Process = Resource<ProcessOutput, ProcessProps>("os:Process", {
  schema: propsSchema<ProcessProps>({
    command: required(program),
    args: programArguments,
    cwd: path,
    env: environment,
    ready: readiness,
    readyTimeout: wholeFrom(1, LONGEST),
    outside: flag,
  }),
  verify: true,
  // With the uid in the path of the process record.
  recognizesOwn: true,
  // A second create finds the running process.
  idempotent: true,
  create: (context) => ensureStarted(context, context.props, false),
  async read(context) {
    const record = recordOf(context);
    if (!record) return undefined;
    // A failed delete of a process that may still run must not count as done. An up starts a new process instead.
    const problem = context.isDeclared ? undefined : outOfReach(record, context.fqn);
    if (problem !== undefined) throw new EngineError("UNRESOLVED", problem, { fqn: context.fqn });
    if (livenessOf(record.process) !== "alive") return undefined;
    if (!context.output && !context.recovering) return undefined;
    return { ...context.output, ...outputOf(context, record) };
  },
  update: (context) => ensureStarted(context, context.props, context.force),
  outputs: ({ props: { ready }, output }) => ({
    ...(output && { log: output.log }),
    ...(ready && "port" in ready ? { port: ready.port } : {}),
  }),
  async delete(context) {
    const record = recordOf(context);
    if (!record) return;
    await endProcess(context, record);
    await rm(record.log, { force: true });
  },
});

async function ensureStarted(context: HandlerBase, props: ProcessProps, restart: boolean): Promise<ProcessOutput> {
  const { scope, id, uid, fqn, signal, redact } = context;
  const { command, args = [], env = {}, ready, readyTimeout: timeout = READY_TIMEOUT } = props;
  const app = appOf(scope);
  const place = pathsIn(scope, id);
  const kept = await ensureRunning({
    ...place,
    command,
    args,
    cwd: (await locate(context, props.cwd ?? ".", { outside: props.outside, follow: true })).absolute,
    env: plainEnvironment(env, "INVALID_PROPS"),
    fqn,
    keeper: "resource",
    session: undefined,
    recordPath: resourceRecordOf(place, uid),
    log: resourceLogOf(place, uid),
    restart,
    signal,
    redact,
    warn: (code, message) => app.events.warn(code, message, fqn),
    beforeStart: () => checkFree(ready, fqn, signal),
    onEnded: (record) => emitEnd(app, record),
  });
  emitStart(app, kept);
  const output = outputOf(context, kept.record);
  if (!ready) {
    await endedIfNot(context, kept, survives(kept, { signal, redact }));
    return output;
  }
  const wait = { ready, timeout, signal, redact };
  return { ...output, ...(await endedIfNot(context, kept, awaitReady(kept, wait))) };
}

/** Ends a process that does not become ready. */
async function endedIfNot<T>(context: HandlerBase, kept: Kept, ready: Promise<T>): Promise<T> {
  try {
    return await ready;
  } catch (error) {
    await endProcess(context, kept.record);
    throw error;
  }
}

async function endProcess({ scope, uid, id, fqn }: HandlerBase, record: ProcessRecord): Promise<void> {
  const problem = outOfReach(record, fqn);
  if (problem !== undefined) throw new EngineError("PROCESS_FAILED", problem, { fqn });
  if (await endRecorded(resourceRecordOf(pathsIn(scope, id), uid), record)) emitEnd(appOf(scope), record);
}

/** Returns a message if this machine can neither see nor end the process. */
function outOfReach({ process: identity }: ProcessRecord, fqn: string): string | undefined {
  const { pid, host } = identity;
  const forget = `run "engine state forget ${fqn}"`;
  switch (livenessOf(identity)) {
    case "foreign":
      return `The process ${pid} was started on "${host}", so this machine cannot end it. Run the same command on "${host}". If that machine is gone, ${forget}.`;
    case "unknown":
      return `The engine cannot find out whether the process ${pid} still runs. If it runs, end it yourself, then run again. If not, ${forget}.`;
    default:
      return undefined;
  }
}

/** Reads the record; undefined if there is none on this machine, or if it is unusable, as in ensureRunning(). */
function recordOf({ scope, id, uid }: HandlerBase): ProcessRecord | undefined {
  const record = readRecord(resourceRecordOf(pathsIn(scope, id), uid));
  return typeof record === "string" ? undefined : record;
}

function outputOf({ scope }: HandlerBase, record: ProcessRecord): Pick<ProcessOutput, "pid" | "log"> {
  return { pid: record.process.pid, log: relative(scope.rootDir, record.log).split(sep).join("/") };
}
