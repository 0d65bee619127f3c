/** The state of a run, and the actions of a plugin that watches over the process. */

import { EngineError, NOTHING_DONE } from "../base/index.js";
import { type AskedDelete, liveRoots, type RunControl, type RunStatus } from "../contract/index.js";
import { describeDeadlock } from "../handler/index.js";
import { type App, appOf } from "../run/index.js";
import { runCleanup, runCleanupNow } from "../scope/index.js";
import { leaveRun, onlyLooks } from "./finalize.js";

/** @internal The engine's side of it. */
export interface AttachableControl extends RunControl {
  attach(app: App): void;
  /** See {@link PluginHost.ask}. */
  ask(question: string, details: readonly string[], deletes: readonly AskedDelete[]): Promise<boolean | undefined>;
  failed(error: unknown): Promise<void> | void;
}

/** @internal */
export function runControl(): AttachableControl {
  let app: App | undefined;
  const released = new Set<() => void>();
  const beforeRelease: (() => Promise<void> | undefined)[] = [];
  const failedStart: ((error: unknown) => Promise<void> | void)[] = [];
  const status: RunStatus = {
    get options() {
      return app?.options;
    },
    get isLive() {
      return app?.isLive ?? false;
    },
    get isOpening() {
      return app?.opening?.isOpening ?? false;
    },
    get isLook() {
      return app !== undefined && onlyLooks(app);
    },
    get isAlone() {
      const others = [...liveRoots()].filter((root) => root !== app?.root);
      return others.every((root) => root.phase === "read" || appOf(root).opening?.isWithheld === true);
    },
    get store() {
      return app?.chosen?.store.name;
    },
    get summary() {
      return app?.run.summary ?? NOTHING_DONE;
    },
    get errors() {
      const made = app;
      return made?.run.failures.map(({ error }) => made.safe(error)) ?? [];
    },
    safe: (error) => (app ? app.safe(error) : error),
    get atWork() {
      return [...(app?.run.running ?? [])].map(({ fqn }) => fqn);
    },
    get queued() {
      return app?.run.admissions.queued ?? 0;
    },
    get standstill() {
      return app?.isLive ? describeDeadlock(app) : undefined;
    },
    get hasCleanup() {
      return app !== undefined && (!app.cleanup.isEmpty || app.calls.cleanup.used);
    },
    get isInterrupted() {
      return app?.run.isInterrupted ?? false;
    },
  };
  return {
    status,
    attach(made) {
      app = made;
      made.beforeRelease = async () => {
        await Promise.allSettled(beforeRelease.map(async (delay) => delay()));
      };
      made.released = () => {
        for (const listener of released) listener();
      };
    },
    takeOverCleanup(added) {
      if (!app) return;
      app.cleanupAtExit = true;
      app.cleanup.onAdded(added);
    },
    onFailedStart(listener) {
      failedStart.unshift(listener);
    },
    onReleased(listener) {
      released.add(listener);
    },
    async ask(question, details, deletes) {
      if (!app) throw new EngineError("INVALID_CALL", "A plugin cannot ask before the options are resolved.");
      const { calls, redact, root } = app;
      return calls.ask.call({
        question: redact(question),
        details: details.map(redact),
        deletes: deletes.map((one) => ({ ...one, fqn: redact(one.fqn), id: redact(one.id) })),
        scope: root,
      });
    },
    onLinger(delay) {
      beforeRelease.push(delay);
    },
    async failed(error) {
      for (const listener of failedStart) await listener(error);
    },
    async opened() {
      await app?.opening?.work.catch(() => {});
    },
    withhold(until) {
      return app?.opening?.withhold(until) ?? false;
    },
    tellEnd() {
      if (app) app.events.emit("program:ended", { app: app.root.appName, stage: app.root.stage });
    },
    abort(reason) {
      app?.interrupt(new EngineError("ABORTED", reason));
    },
    interrupt(reason, signal) {
      if (app) app.endedBy ??= signal;
      app?.interrupt(new EngineError("ABORTED", reason), "request");
    },
    async leave() {
      // The errors are in `errors`; a `finalize()` that the program still calls rejects with them.
      await app?.dispose(leaveRun).catch(() => {});
    },
    async cleanup() {
      const made = app;
      return made ? (await runCleanup(made)).map((error) => made.safe(error)) : [];
    },
    cleanupNow() {
      if (app?.cleanupAtExit) runCleanupNow(app);
    },
  };
}
