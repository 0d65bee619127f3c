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
  return {
    status: new Status(() => app),
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

// Getters of an object literal would give each run hidden classes, which keep the run until a full collection.
class Status implements RunStatus {
  readonly #app: () => App | undefined;

  constructor(app: () => App | undefined) {
    this.#app = app;
  }
  get options() {
    return this.#app()?.options;
  }
  get isLive() {
    return this.#app()?.isLive ?? false;
  }
  get isOpening() {
    return this.#app()?.opening?.isOpening ?? false;
  }
  get isLook() {
    const app = this.#app();
    return app !== undefined && onlyLooks(app);
  }
  get isAlone() {
    const others = [...liveRoots()].filter((root) => root !== this.#app()?.root);
    return others.every((root) => root.phase === "read" || appOf(root).opening?.isWithheld === true);
  }
  get store() {
    return this.#app()?.chosen?.store.name;
  }
  get summary() {
    return this.#app()?.run.summary ?? NOTHING_DONE;
  }
  get errors() {
    const made = this.#app();
    return made?.run.failures.map(({ error }) => made.safe(error)) ?? [];
  }
  safe(error: unknown) {
    const app = this.#app();
    return app ? app.safe(error) : error;
  }
  get atWork() {
    return [...(this.#app()?.run.running ?? [])].map(({ fqn }) => fqn);
  }
  get queued() {
    return this.#app()?.run.admissions.queued ?? 0;
  }
  get standstill() {
    const app = this.#app();
    return app?.isLive ? describeDeadlock(app) : undefined;
  }
  get hasCleanup() {
    const app = this.#app();
    return app !== undefined && (!app.cleanup.isEmpty || app.calls.cleanup.used);
  }
  get isInterrupted() {
    return this.#app()?.run.isInterrupted ?? false;
  }
}
