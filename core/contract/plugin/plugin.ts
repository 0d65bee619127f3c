import type { RunSummary, SignalName } from "../../base/index.js";
import type { ResolvedOptions } from "../options.js";
import type { Encoded } from "../record.js";
import type { EventSource } from "./events.js";
import type { AskedDelete } from "./hook-contexts.js";
import type { EngineHooks } from "./hook-table.js";
import type { Sealer } from "./value-contexts.js";

/** The interface that a plugin is installed into: hooks to tap, events to observe, and the run. */
export interface PluginHost {
  /** Hooks to tap. */
  readonly hooks: EngineHooks;
  readonly events: EventSource;
  /** Status of the current run, including later runs of the same app. */
  readonly run: RunStatus;
  /** Controls of the run. */
  readonly control: RunControl;
  /** Emits a `warning` event. @param fqn the resource or scope that it is about, if it is about one */
  warn(code: string, message: string, fqn?: string): void;
  /**
   * Asks a yes-or-no question through the hook `ask`: on a terminal, unless another plugin answers. Resolves with
   * `undefined` if it cannot be asked: without a terminal, in CI, with `json`, or in a program that embeds the
   * engine.
   *
   * @param question to be answered with yes or no, without the choice, e.g. `Delete these 3 resources?`
   * @param details lines that are shown before the question
   * @param deletes all resources that a yes deletes, for plugins that list them themselves
   */
  ask(question: string, details?: readonly string[], deletes?: readonly AskedDelete[]): Promise<boolean | undefined>;
}

/** A part of the engine: a name, and a function that installs it into an engine. */
export interface EnginePlugin {
  readonly name: string;
  /** Name of an earlier plugin that this one replaces. */
  readonly replaces?: string;
  /** Installs the plugin: it taps hooks and observes events. Must be synchronous. */
  apply(engine: PluginHost): void;
}

/**
 * Values of one plugin, recorded with the state and lost with it. They are deleted when the stage is destroyed, except
 * the values of the plugin that keeps the key of a sealed state.
 */
export interface PluginState {
  /** Random id of the ledger, the same from its first entry on. */
  readonly lineage: string;
  readonly keys: readonly string[];
  get(key: string): Encoded | undefined;
  /**
   * Sets a value, which is recorded with the next change of the run, or when the run takes the lease. If neither
   * happens, it is not recorded. `undefined` removes the value.
   *
   * @param sealer if the value is the key of the state: it seals the line that records the value, and all later lines
   */
  set(key: string, value: Encoded | undefined, sealer?: Sealer): void;
}

/** Status of a run, for plugins that show it. */
export interface RunStatus {
  /** Resolved options; undefined until they are resolved. */
  readonly options: ResolvedOptions | undefined;
  /** True between `engine()` and the end of `finalize()`. */
  readonly isLive: boolean;
  /** True while `engine()` is running. */
  readonly isOpening: boolean;
  /** True if `app.run()` only reads a finalized app, so that no `finalize()` is needed. */
  readonly isLook: boolean;
  /** True if no other app of this process is live, except apps that only read, or whose `engine()` is withheld. */
  readonly isAlone: boolean;
  /** True if the run was interrupted by Ctrl-C, its `signal` or a watch session. */
  readonly isInterrupted: boolean;
  /** Name of the store that the run uses, e.g. "fs"; undefined until it has one. */
  readonly store: string | undefined;
  /** Actions done so far. */
  readonly summary: RunSummary;
  /** Errors so far. */
  readonly errors: readonly unknown[];
  /** Returns an error of the program without secrets. */
  safe(error: unknown): unknown;
  /** Names of the resources whose handlers are running. */
  readonly atWork: readonly string[];
  /** Number of resources that are to be created, updated or deleted and have not begun, as far as the run knows. */
  readonly queued: number;
  /** Message about the resource or lock that the run waits for; undefined after the run. */
  readonly standstill: string | undefined;
  /** True while functions registered by `onCleanup`, or `cleanup` taps of plugins, are waiting to run. */
  readonly hasCleanup: boolean;
}

/** Controls a run, for plugins that handle the end of the process. */
export interface RunControl {
  readonly status: RunStatus;
  /**
   * Makes the caller responsible for running the cleanup at the end of the process, instead of finalize.
   *
   * @param added called when there is more to clean up
   */
  takeOverCleanup(added: () => void): void;
  /**
   * Calls `failed` before `engine()` rejects, and waits for its result. The callback registered first is called last.
   */
  onFailedStart(failed: (error: unknown) => Promise<void> | void): void;
  /** Calls `released` when a run has released everything it held, just before its outcome is reported. */
  onReleased(released: () => void): void;
  /**
   * Calls `linger` when a run has released everything it held. The outcome is reported after its promise has settled.
   * It should not take long; whether it rejects does not matter.
   */
  onLinger(linger: () => Promise<void> | undefined): void;
  /** Settles when `engine()` has done its work, even if its result is withheld. Never rejects. */
  opened(): Promise<void>;
  /** Delays the result of `engine()` until `until` has settled. Returns false if it has resolved already. */
  withhold(until: Promise<void>): boolean;
  /** Notifies observers that `engine()` will never resolve, because the caller is about to end the process. */
  tellEnd(): void;
  /**
   * Interrupts the run: no further handler starts, and the signal of running ones is aborted.
   *
   * @param signal the signal that the process received
   */
  interrupt(reason: string, signal?: SignalName): void;
  /** Interrupts the run after a failure that the run cannot continue from. */
  abort(reason: string): void;
  /**
   * Ends the run without pruning: waits for running handlers, records results and releases the state. Never rejects.
   */
  leave(): Promise<void>;
  /** Runs the functions of `onCleanup` and the taps of the `cleanup` hook, once, and resolves with their errors. */
  cleanup(): Promise<readonly unknown[]>;
  /** Runs the functions of `onCleanup` as far as they get without waiting, once, for a process that is about to end. */
  cleanupNow(): void;
}
