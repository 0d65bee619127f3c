import type { RunSummary, SignalName } from "../../base/index.js";
import type { ResolvedOptions } from "../options.js";
import type { Encoded } from "../record.js";
import type { EventSource } from "./events.js";
import type { EngineHooks } from "./hook-table.js";
import type { Sealer } from "./value-contexts.js";

/** What a plugin is installed into: it taps hooks and hears events. */
export interface PluginHost {
  readonly hooks: EngineHooks;
  readonly events: EventSource;
  /** Also that of later runs of the same app. */
  readonly run: RunStatus;
  readonly control: RunControl;
  /** Emits a `warning` event. @param fqn what it is about, where that is one resource or scope */
  warn(code: string, message: string, fqn?: string): void;
  /**
   * Asks whoever sits there whether to go on, by the hook `ask`: on a terminal, unless another plugin answers. Resolves with
   * `undefined` where nobody can be asked: without a terminal, in CI, with `json`, where a program embeds the engine.
   *
   * @param question to be answered by yes or no, without the choice, e.g. `Delete these 3 resources?`
   * @param details lines that are shown before it
   */
  ask(question: string, details?: readonly string[]): Promise<boolean | undefined>;
}

/** A part of the engine: a name, and what it does to an engine when it is installed. */
export interface EnginePlugin {
  readonly name: string;
  /** Name of a plugin installed earlier whose place this one takes. */
  readonly replaces?: string;
  apply(engine: PluginHost): void;
}

/**
 * Values of one plugin, recorded with the state. They are lost with it, and gone when the stage is destroyed, but for those of the
 * plugin that keeps the key of a sealed state.
 */
export interface PluginState {
  /** Random name of the ledger, the same from its first entry on. */
  readonly lineage: string;
  readonly keys: readonly string[];
  get(key: string): Encoded | undefined;
  /**
   * Recorded together with the next change of the run, or when it takes its turn; without either, never. `undefined` takes the value
   * away.
   *
   * @param sealer where the value is the key of the state: it seals the line that records it, and all that come after
   */
  set(key: string, value: Encoded | undefined, sealer?: Sealer): void;
}

/** The state of a run, for plugins that show it. */
export interface RunStatus {
  /** Options as they were resolved; undefined before that. */
  readonly options: ResolvedOptions | undefined;
  /** True between `engine()` and the end of `finalize()`. */
  readonly isLive: boolean;
  /** True while `engine()` is at work. */
  readonly isOpening: boolean;
  /** True where `app.run()` only looks at a finalized app: without `finalize()` nothing is missing. */
  readonly isLook: boolean;
  /** True where no other app of this process is live, but for some that only read, or whose `engine()` is withheld. */
  readonly isAlone: boolean;
  /** True where the run was told to end, by Ctrl-C, its `signal` or a watch session. */
  readonly isInterrupted: boolean;
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
}

/** Steers a run: for plugins that watch over the process. */
export interface RunControl {
  readonly status: RunStatus;
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
  /** Runs what `onCleanup` registered as far as it gets without waiting, once: for a process that is about to end. */
  cleanupNow(): void;
}
