/** What a plugin that watches over the process may do with a run. */

import type { App } from "./app.js";
import { EngineError } from "./errors.js";
import { describeStandstill } from "./lifecycle/standstill.js";
import type { SignalName } from "./node-types.js";
import type { ResolvedOptions } from "./options.js";
import { runCleanup } from "./scope/cleanup.js";
import { liveRoots } from "./scope/current.js";
import { INTERNALS } from "./scope/internals.js";
import { NOTHING_DONE, type RunSummary } from "./vocabulary.js";

/** What a plugin that watches the process may know of a run, and do to it. */
export interface RunControl {
  /** Options as they were resolved; undefined before that. */
  readonly options: ResolvedOptions | undefined;
  /** True between `engine()` and the end of `finalize()`. */
  readonly isLive: boolean;
  /** True while `engine()` is at work. */
  readonly isOpening: boolean;
  /** True where no other app of this process is live, but for some that only read, or whose `engine()` is withheld. */
  readonly isAlone: boolean;
  /** Name of the store that the run uses, e.g. "fs"; undefined while it has none. */
  readonly store: string | undefined;
  /** What has been done so far. */
  readonly summary: RunSummary;
  /** What has failed so far. */
  readonly errors: readonly unknown[];
  /** An error of the program as others may see it. */
  safe(error: unknown): unknown;
  /** Names of the resources whose handlers are running. */
  readonly atWork: readonly string[];
  /** So many resources are to be created, updated or deleted and have not begun, as far as the run knows by now. */
  readonly queued: number;
  /** What the run waits for, as a message; undefined where it is over. */
  readonly standstill: string | undefined;
  /** True while functions wait that `onCleanup` registered, or plugins have something to clean up. */
  readonly hasCleanup: boolean;
  /**
   * From now on the caller runs the cleanup when the process ends, and finalize leaves it alone.
   *
   * @param added called when there is something more to clean up
   */
  takeOverCleanup(added: () => void): void;
  /** Calls `failed` when `engine()` is to reject, which it does once that has settled. Who asked first is called last. */
  onFailedStart(failed: (error: unknown) => Promise<void> | void): void;
  /** Calls `released` when a run has let go of all that it had, just before what it ends with can be heard. */
  onReleased(released: () => void): void;
  /**
   * Calls `linger` when a run has let go of all that it had. What it ends with can be heard once that has settled: it should
   * not take long, and whether it rejects does not matter.
   */
  onLinger(linger: () => Promise<void> | undefined): void;
  /** Settles when `engine()` has done its work, whether or not it is withheld. Never rejects. */
  opened(): Promise<void>;
  /** `engine()` does not resolve before `until`. False: it has resolved already. */
  withhold(until: Promise<void>): boolean;
  /** Tells observers that `engine()` will never resolve: the caller is about to end the process. */
  tellEnd(): void;
  /** True where the run was told to end, by Ctrl-C, its `signal` or a watch session. */
  readonly isInterrupted: boolean;
  /**
   * The run is to end: no handler starts any more, running ones get their signal.
   *
   * @param signal what the process was told to end by
   */
  interrupt(reason: string, signal?: SignalName): void;
  /** As `interrupt`, where something has failed that the run cannot go on after. */
  abort(reason: string): void;
  /** Waits for running handlers, records results, lets go of the state, prunes nothing. Never rejects. */
  leave(): Promise<void>;
  /** Runs what `onCleanup` and the `cleanup` hook registered, once; resolves with the errors. */
  cleanup(): Promise<readonly unknown[]>;
}

/** @internal The engine's side of it. */
export interface AttachableControl extends RunControl {
  attach(app: App): void;
  /** {@link PluginHost.ask} */
  ask(question: string, details: readonly string[]): Promise<boolean | undefined>;
  failed(error: unknown): Promise<void> | void;
}

/** @internal */
export function runControl(): AttachableControl {
  let app: App | undefined;
  const released = new Set<() => void>();
  const lingering: (() => Promise<void> | undefined)[] = [];
  const failedStart: ((error: unknown) => Promise<void> | void)[] = [];
  return {
    attach(made) {
      app = made;
      made.lingers = async () => {
        await Promise.allSettled(lingering.map(async (linger) => linger()));
      };
      made.released = () => {
        for (const listener of released) listener();
      };
    },
    get options() {
      return app?.options;
    },
    get isLive() {
      return app?.isLive ?? false;
    },
    get isOpening() {
      return app?.opening?.isOpening ?? false;
    },
    get isAlone() {
      const others = [...liveRoots()].filter((root) => root !== app?.root);
      return others.every((root) => root.phase === "read" || root[INTERNALS].app.opening?.isWithheld === true);
    },
    get store() {
      return app?.chosen?.store.name;
    },
    get summary() {
      return app?.generation.summary ?? NOTHING_DONE;
    },
    get errors() {
      const made = app;
      return made?.generation.failures.map(({ error }) => made.safe(error)) ?? [];
    },
    safe: (error) => (app ? app.safe(error) : error),
    get atWork() {
      return [...(app?.generation.running ?? [])].map(({ fqn }) => fqn);
    },
    get queued() {
      return app?.generation.entrance.queued ?? 0;
    },
    get standstill() {
      return app?.isLive ? describeStandstill(app) : undefined;
    },
    get hasCleanup() {
      return app !== undefined && (!app.cleanup.isEmpty || app.calls.cleanup.used);
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
    async ask(question, details) {
      if (!app) throw new EngineError("INVALID_CALL", "Nobody can be asked before the options are resolved.");
      const { calls, redact, root } = app;
      return calls.ask.call({ question: redact(question), details: details.map(redact), scope: root });
    },
    onLinger(linger) {
      lingering.push(linger);
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
    get isInterrupted() {
      return app?.generation.isInterrupted ?? false;
    },
    abort(reason) {
      app?.interrupt(new EngineError("ABORTED", reason));
    },
    interrupt(reason, signal) {
      if (app) app.endedBy ??= signal;
      app?.interrupt(new EngineError("ABORTED", reason), "request");
    },
    async leave() {
      // What went wrong is in `errors`; there is nobody left to reject to.
      await app?.dispose().catch(() => {});
    },
    async cleanup() {
      const made = app;
      return made ? (await runCleanup(made)).map((error) => made.safe(error)) : [];
    },
  };
}
