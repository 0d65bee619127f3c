/** Lifetime of a spawned process: that of the run, or of the session that re-runs the program. */

import { messageOf } from "../../../core/base/index.js";
import { INTERNALS, type Scope } from "../../../core/contract/index.js";
import type { App } from "../../../core/run/index.js";
import { hasExited } from "../run/await-line.js";
import { logChunks, ProcessLines, RedactedLines } from "../run/log-lines.js";
import { endRecorded } from "./end-recorded.js";
import type { Kept } from "./ensure-running.js";
import type { ProcessRecord } from "./record.js";
import { userOf } from "./users.js";

export interface Lifetime {
  /**
   * `run`: it ends with the run. `session`: the session that re-runs the program ends it. `watch`: another tool re-runs
   * the program and ends nothing; SIGTERM means a restart, and leaves the process to the next run.
   */
  readonly kind: "run" | "session" | "watch";
  readonly session: string | undefined;
}

/** Milliseconds between two checks of a process that this one did not start. */
const LOOK = 500;

export function lifetimeIn(scope: Scope): Lifetime {
  if (!scope.watch) return { kind: "run", session: undefined };
  const { ENGINE_SESSION: session } = scope[INTERNALS].options.env ?? process.env;
  return session ? { kind: "session", session } : { kind: "watch", session: undefined };
}

/** Paths of records that are already registered. */
const registered = new WeakMap<App, Set<string>>();

export function endsWithRun(app: App, { kind }: Lifetime): boolean {
  // Without handlers for signals only the end of the run is known, which is not the end of the session.
  return kind === "run" || (kind === "watch" && app.cleanupAtExit);
}

/** Ends the process at the end of its lifetime. */
export function keepAlive(app: App, kept: Kept, life: Lifetime): void {
  if (!endsWithRun(app, life)) return;
  const { kind } = life;
  const paths = registered.get(app) ?? new Set<string>();
  registered.set(app, paths);
  if (paths.has(kept.recordPath)) return;
  paths.add(kept.recordPath);
  const release = kind === "watch" ? holdProcess(kept) : (): void => {};
  app.cleanup.add(async () => {
    paths.delete(kept.recordPath);
    release();
    if (kind === "watch" && app.endedBy === "SIGTERM") return;
    if (await endRecorded(kept.recordPath, kept.record, userOf(app))) await heard(app, kept);
  });
}

/** Salts of the processes that an app started itself; Node reports their ends. */
const own = new WeakMap<App, Set<string>>();

/** Emits the start of a process, its output, and its end. */
export function emitStart(app: App, kept: Kept): void {
  const { child, record } = kept;
  if (!child) return;
  const { id, fqn, salt } = record;
  const { pid } = record.process;
  const salts = own.get(app) ?? new Set<string>();
  own.set(app, salts.add(salt));
  app.events.emit("process:started", { id, fqn, pid });
  child.once("exit", (exitCode) => app.events.emit("process:exited", { id, fqn, pid, exitCode }));
  followLog(app, kept);
}

/** Emits the end of a process that this app did not start. */
export function emitEnd(app: App, record: ProcessRecord): void {
  const { id, fqn, salt } = record;
  if (own.get(app)?.has(salt)) return;
  app.events.emit("process:exited", { id, fqn, pid: record.process.pid, exitCode: null });
}

/** Waits until Node reports the end of a child, which takes a moment. */
async function heard(app: App, kept: Kept): Promise<void> {
  const { child, record } = kept;
  if (!child) return emitEnd(app, record);
  if (hasExited(kept)) return;
  child.ref();
  await new Promise((resolve) => child.once("exit", resolve));
}

/** Keeps the program alive as long as its process, so that it receives the Ctrl-C that ends both. */
function holdProcess(kept: Kept): () => void {
  const { child } = kept;
  if (child) {
    child.ref();
    return () => child.unref();
  }
  const timer = setInterval(() => {
    if (hasExited(kept)) clearInterval(timer);
  }, LOOK);
  return () => clearInterval(timer);
}

/** Emits the log of a process until the run ends. */
function followLog(app: App, kept: Kept): void {
  const { fqn } = kept.record;
  const leaving = new AbortController();
  const followed = follow(app, kept, leaving.signal).catch((error: unknown) => {
    if (leaving.signal.aborted) return;
    app.events.warn("LOG_FAILED", `The log of "${fqn}" could not be followed: ${messageOf(error)}`, fqn);
  });
  app.cleanup.add(async () => {
    // The whole output of a process that has ended is emitted.
    if (!hasExited(kept)) leaving.abort();
    await followed;
  });
}

async function follow(app: App, kept: Kept, signal: AbortSignal): Promise<void> {
  const { id, fqn, process, log } = kept.record;
  const lines = new ProcessLines(app.events, { id, fqn, pid: process.pid });
  const redacted = new RedactedLines(app.redact);
  const onWake = (wake: () => void): unknown => kept.child?.once("exit", wake);
  const reading = { signal, hasEnded: () => hasExited(kept), onWake, isBackground: true };
  for await (const chunk of logChunks(log, reading)) {
    lines.add(redacted.add(chunk));
    if (lines.isFull) return;
  }
  lines.add(redacted.end());
}
