/** How long a spawned process lives: with the run, or with the session that re-runs the program. */

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
   * `run`: ends with the run. `session`: whoever re-runs the program ends it. `watch`: somebody re-runs the program, and
   * does not end anything: SIGTERM is the restart, and leaves it to the next run.
   */
  readonly kind: "run" | "session" | "watch";
  readonly session: string | undefined;
}

/** Milliseconds between two looks at what this process has not started itself. */
const LOOK = 500;

export function lifetimeIn(scope: Scope): Lifetime {
  if (!scope.watch) return { kind: "run", session: undefined };
  const { ENGINE_SESSION: session } = scope[INTERNALS].options.env ?? process.env;
  return session ? { kind: "session", session } : { kind: "watch", session: undefined };
}

/** Registered already, by what they are recorded in. */
const registered = new WeakMap<App, Set<string>>();

export function endsWithRun(app: App, { kind }: Lifetime): boolean {
  // Without handlers on the process the run's end is all that is heard of, and that is not the session's.
  return kind === "run" || (kind === "watch" && app.cleanupAtExit);
}

/** Sees to it that the process ends in time, and not before. */
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

/** Salts of the processes that an app has started: of their end it hears by itself. */
const own = new WeakMap<App, Set<string>>();

/** Tells of the start of a process, of what it writes, and, when it comes, of its end. */
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

/** Tells that a process was ended, which nobody else would tell. */
export function emitEnd(app: App, record: ProcessRecord): void {
  const { id, fqn, salt } = record;
  if (own.get(app)?.has(salt)) return;
  app.events.emit("process:exited", { id, fqn, pid: record.process.pid, exitCode: null });
}

/** The system tells of a child that has ended a little later. */
async function heard(app: App, kept: Kept): Promise<void> {
  const { child, record } = kept;
  if (!child) return emitEnd(app, record);
  if (hasExited(kept)) return;
  child.ref();
  await new Promise((resolve) => child.once("exit", resolve));
}

/** The program stays as long as its process does: only so it hears the Ctrl-C that ends both. */
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

/** Tells what a process writes into its log, for as long as the run goes on. */
function followLog(app: App, kept: Kept): void {
  const { fqn } = kept.record;
  const leaving = new AbortController();
  const followed = follow(app, kept, leaving.signal).catch((error: unknown) => {
    if (leaving.signal.aborted) return;
    app.events.warn("LOG_FAILED", `The log of "${fqn}" cannot be followed: ${messageOf(error)}`, fqn);
  });
  app.cleanup.add(async () => {
    // Of one that has ended, all that it wrote is told.
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
