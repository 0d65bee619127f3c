/** Writes an audit log: one JSON line for each change, appended to a file. */
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkGiven, EngineError, isEngineError, type ResourceRef, required, text } from "../../core/base/index.js";
import type { EnginePlugin, RunInfo } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { leadsOut } from "../internal/text/leads-out.js";

/** Options of {@link auditLog}. */
export interface AuditLogOptions {
  /** The file, created if it is missing. Relative paths start at the option `rootDir` of the app. */
  readonly file: string;
}

/** A logged change of a resource; a delete if it has no action. */
type Change = ResourceRef & { action?: string; changes?: readonly string[]; reason?: string; code?: string };

/**
 * Logs each run that may change something, and each change, failure and veto; never props, outputs or messages. Writes
 * a line to disk before a change begins, and another before the run continues. If a write fails, the run does nothing
 * more.
 */
export function auditLog(options: AuditLogOptions): EnginePlugin {
  checkGiven("auditLog", options, { file: required(text) });
  const { file } = options;
  return definePlugin({
    name: "audit-log",
    apply({ hooks, events, control }) {
      let run: RunInfo | undefined;
      let waiting: object[] = [];
      let written = Promise.resolve();
      const flush = async (): Promise<void> => {
        const lines = waiting.map((line) => `${JSON.stringify(line)}\n`).join("");
        waiting = [];
        if (lines === "") return;
        const root = control.status.options?.rootDir ?? "";
        const path = resolve(root, file);
        if (leadsOut(root, path)) throw new EngineError("INVALID_OPTION", outside(path));
        const handle = await open(path, "a+", 0o600);
        await append(handle, path, lines).finally(() => handle.close());
      };
      const note = (about: RunInfo | undefined, what: object): Promise<void> => {
        if (!about || about.planned || about.phase === "read") return written;
        const { run: id, app, stage, by } = about;
        waiting.push({ time: new Date().toISOString(), run: id, app, stage, by, ...what });
        written = written.then(flush);
        written.catch(() => {}); // The next hook awaits it.
        return written;
      };
      hooks.stateLoaded.tapPromise("audit-log", async (context) => {
        run = context.run;
        written = Promise.resolve();
        await note(run, { what: "run", outcome: "started", phase: run?.phase });
      });
      const log = (outcome: string, { kind, fqn, action = "delete", changes, reason, code }: Change): Promise<void> =>
        note(run, { what: action, kind, fqn, outcome, changes, reason, code });
      const begin = (one: Change & { isVetoed(): boolean }) => (one.isVetoed() ? written : log("started", one));
      // Last: other plugins may still veto it.
      hooks.beforeApply.tapPromise({ name: "audit-log", last: true }, begin);
      hooks.beforeDelete.tapPromise({ name: "audit-log", last: true }, begin);
      hooks.afterApply.tapPromise("audit-log", (change) => log("done", change));
      hooks.afterDelete.tapPromise("audit-log", (change) => log("done", change));
      events.on("resource:failed", (change) => void log(change.code === "VETOED" ? "vetoed" : "failed", change));
      events.on("resource:stopped", (change) => void log("stopped", change));
      events.on("resource:retained", (change) => void log("kept", change));
      events.on("run:failed", (failed) => void note(failed, { what: "run", outcome: "failed", code: failed.code }));
      events.on("run:repeated", (repeated) => void note(repeated, { what: "run", outcome: "repeated" }));
      hooks.afterFinalize.tapPromise("audit-log", ({ interrupted, summary, errors }) => {
        const failures = errors.map((error) => (isEngineError(error) ? error : { code: "RUN_FAILED", fqn: undefined }));
        const outcome = errors.length === 0 ? "done" : interrupted ? "interrupted" : "failed";
        return note(run, { what: "run", outcome, summary, errors: failures.map(({ code, fqn }) => ({ code, fqn })) });
      });
      for (const at of ["applyFailed", "deleteFailed", "cleanup"] as const)
        hooks[at].tapPromise("audit-log", () => written);
    },
  });
}

function outside(path: string): string {
  return `auditLog({ file }): "${path}" leads out of the project through a symbolic link, so nothing was written. Pass the path of the file itself.`;
}

async function append(handle: FileHandle, path: string, lines: string): Promise<void> {
  const end = async (size: number) => `${(await handle.read(Buffer.from("\n"), 0, 1, Math.max(0, size - 1))).buffer}`;
  let checksLeft = 20;
  // A full disk may have left half a line. A line that another process is writing is soon complete.
  while ((await end((await handle.stat()).size)) !== "\n" && checksLeft-- > 0) await sleep(5);
  const bytes = Buffer.from(checksLeft < 0 ? `\n${lines}` : lines);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten < bytes.length)
    throw new Error(
      `The audit log "${path}" is incomplete: only a part of its last line could be written. Check whether the disk is full.`,
    );
  await handle.datasync();
}
