/** Waits until a process is ready: it writes a line, or answers at a port. */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { EngineError, ignore } from "../../core/base/index.js";
import type { Kept } from "../processes/kept/ensure-running.js";
import { awaitLine, diedFirst, hasExited, lastWords } from "../processes/run/await-line.js";

/** The sign that a {@link Process} is ready. */
export type Ready =
  | {
      /** A text that a line of its output contains, or a pattern that a line matches. */
      readonly line: string | RegExp;
    }
  | {
      /** A TCP port that accepts connections. */
      readonly port: number;
      /** Default: `"localhost"`. */
      readonly host?: string;
    };

export interface ReadyWait {
  readonly ready: Ready;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  redact(text: string): string;
}

/** Milliseconds between two attempts to connect. */
const RETRY_DELAY = 50;

/** @internal @throws EngineError `PROCESS_FAILED` with its last lines; the signal's reason */
export async function awaitReady(
  kept: Kept,
  wait: ReadyWait,
): Promise<{ readonly line?: string; readonly port?: number }> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), wait.timeout);
  const signal = AbortSignal.any([wait.signal, late.signal]);
  try {
    const { ready } = wait;
    if ("line" in ready) return { line: wait.redact(await lineOf(kept, { ...wait, signal }, ready.line)) };
    await answers(kept, ready, { ...wait, signal });
    return { port: ready.port };
  } catch (error) {
    if (!late.signal.aborted || wait.signal.aborted) throw error;
    throw await notInTime(kept, wait);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds within which a process that cannot work usually ends. */
const SHORTEST_LIFE = 1_000;

/**
 * @internal Checks that a process that was just started still runs after a second. @throws EngineError `PROCESS_FAILED`
 * if not
 */
export async function survives(kept: Kept, { signal, redact }: Pick<ReadyWait, "signal" | "redact">): Promise<void> {
  const { child } = kept;
  if (!child) return;
  const over = new AbortController();
  const end = (): void => over.abort();
  child.once("exit", end);
  try {
    // It may have ended before this was called.
    if (!hasExited(kept))
      await pause(SHORTEST_LIFE, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(ignore);
  } finally {
    child.off("exit", end);
  }
  signal.throwIfAborted();
  if (hasExited(kept)) throw await diedFirst(kept, redact, "it had run for a second");
}

/**
 * @throws EngineError `PROCESS_FAILED` if another process answers at the port, so that the wait would succeed too early
 */
export async function checkFree(ready: Ready | undefined, fqn: string, signal: AbortSignal): Promise<void> {
  if (!ready || "line" in ready || !(await isAnswered(ready, signal))) return;
  const message = `The process "${fqn}" was not started: another process answers at ${nameOf(ready)} already. Stop that process, or choose another port.`;
  throw new EngineError("PROCESS_FAILED", message, { fqn });
}

function lineOf(kept: Kept, { signal, redact }: ReadyWait, wanted: string | RegExp): Promise<string> {
  const pattern = typeof wanted === "string" ? undefined : new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, ""));
  const isWanted = (line: string): boolean => pattern?.test(line) ?? line.includes(String(wanted));
  return awaitLine(kept, { signal, redact, take: (line) => (isWanted(line) ? line : undefined) });
}

async function answers(kept: Kept, ready: Port, { signal, redact }: ReadyWait): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const isThere = await isAnswered(ready, signal);
    // If the process has ended, another one answers.
    if (hasExited(kept)) throw await diedFirst(kept, redact, `it answered at ${nameOf(ready)}`);
    if (isThere) return;
    await pause(RETRY_DELAY);
  }
}

type Port = Extract<Ready, { port: number }>;

function isAnswered({ port, host = "localhost" }: Port, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (isThere: boolean): void => {
      signal.removeEventListener("abort", stop);
      socket.destroy();
      resolve(isThere);
    };
    const stop = (): void => end(false);
    signal.addEventListener("abort", stop, { once: true });
    socket.once("connect", () => end(true));
    socket.once("error", stop);
  });
}

async function notInTime({ record }: Kept, { ready, timeout, redact }: ReadyWait): Promise<EngineError> {
  const wanted = "line" in ready ? `it wrote no line with ${ready.line}` : `nothing answered at ${nameOf(ready)}`;
  const said = await lastWords(record.log, redact);
  const message = `The process "${record.fqn}" was not ready after ${timeout} ms: ${wanted}.${said}`;
  return new EngineError("PROCESS_FAILED", message, { fqn: record.fqn });
}

function nameOf({ port, host = "localhost" }: Port): string {
  return `${host}:${port}`;
}
