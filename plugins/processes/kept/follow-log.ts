/** Tells what a process writes into its log, for as long as the run goes on. */
import { messageOf } from "../../../core/base/index.js";
import type { App } from "../../../core/run/index.js";
import { hasExited } from "../run/await-line.js";
import { logChunks } from "../run/log-lines.js";
import { ProcessLines } from "../run/process-lines.js";
import { RedactedLines } from "../run/redacted-lines.js";
import type { Kept } from "./ensure-running.js";

export function followLog(app: App, kept: Kept): void {
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
