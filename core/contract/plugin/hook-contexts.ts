/** The contexts of hooks. Each hook gets one object, so that a new member never breaks a plugin. */

import type { Action, AnyHandlerPhase, Phase, ResourceRef, RunSummary } from "../../base/index.js";
import type { EngineOptions } from "../options.js";
import type { CommandLine, ExecOptions, SpawnOptions } from "../processes.js";
import type { Encoded } from "../record.js";
import type { Scope } from "../scope.js";
import type { StateStore } from "../store.js";
import type { RunInfo } from "./events.js";
import type { PluginState } from "./plugin.js";
import type { Replace } from "./value-contexts.js";

export type * from "./value-contexts.js";

/** Options of a run before they are checked, with their sources. */
export interface OptionsContext {
  readonly appName: string;
  /** Options known so far, without members that are `undefined`. A tap only adds members. */
  readonly options: EngineOptions;
  /** Source of each member that was not passed to `engine()`, e.g. `"--stage"` or `"ENGINE_STAGE"`. */
  readonly origins: Readonly<Partial<Record<keyof EngineOptions, string>>>;
  /** Warnings, emitted as `warning` events once observers can receive them. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** A scope that was made, pruned or destroyed. */
export interface ScopeContext {
  readonly scope: Scope;
}

/** One request to the store. Its result is passed on unchanged, because the guarantees of the ledger depend on it. */
export interface StoreRequestContext {
  /** Id of the run that sends the request: {@link RunInfo.run}. */
  readonly run: string;
  /** Name of the store, e.g. `s3`. */
  readonly store: string;
  readonly operation: StoreOperation;
  /** Key of the request, or the prefix of a `list`; undefined if it is about several keys. */
  readonly key: string | undefined;
}

/** Operation of a store; see {@link StateStore}. */
export type StoreOperation = "get" | "getMany" | "create" | "append" | "set" | "deleteMany" | "list";

/** A stage that is about to be loaded from a store. */
export interface StateKeyContext {
  readonly scope: Scope;
  readonly store: Pick<StateStore, "name" | "location">;
  /**
   * Set if a program of another stage reads this one; `allowsUnsealed` is true if it declares that this stage has no
   * key.
   */
  readonly reader: { readonly allowsUnsealed: boolean } | undefined;
}

/** The loaded state of a stage. The run has no other part of the state yet. */
export interface StateContext {
  readonly scope: Scope;
  /** The run that begins; undefined if the state is only read, e.g. for `engine.ref()`. */
  readonly run: RunInfo | undefined;
  /** True if the recorded state was sealed by a key, whether or not this run knows the key. */
  readonly isSealed: boolean;
  /** Everything that is recorded at the time of loading. */
  readonly recorded: RecordedState;
  /** Returns the values that a plugin keeps in the state under its name. */
  keep(plugin: string): PluginState;
  /**
   * Adds a check. `check` is called once and awaited, before the first handler is called and before anything is
   * written. If it rejects, the run fails with that error. More checks may be added during the run.
   */
  guard(check: () => Promise<unknown>): void;
  /**
   * Replaces every recorded value of a tag for which `replace` returns another value. All changes, and the values set
   * through `keep`, go into one entry; it resolves when that is durable. If another run changes the state meanwhile, it
   * fails with `STATE_MOVED`; in the read phase, with `READ_ONLY`.
   */
  rewrite(tag: string, replace: Replace): Promise<void>;
}

/** A resource in the state, encoded. The page on the state format lists all members. */
export interface RecordedResource {
  /** Path within the stage: child scopes and id, joined by `/`. */
  readonly key: string;
  readonly uid: string;
  readonly kind: string;
  readonly props: Encoded;
  /** Absent until a create has succeeded. */
  readonly output?: Encoded;
  /** Data of the last success, while a change is pending. */
  readonly lastGood?: { readonly props: Encoded; readonly output?: Encoded };
}

/** Records and data of a stage, encoded. */
export interface RecordedState {
  /** Records by uid. */
  readonly records: ReadonlyMap<string, RecordedResource>;
  /** Data by owner and key. */
  readonly data: ReadonlyMap<string, ReadonlyMap<string, Encoded>>;
}

/** A recorded kind without a definition. */
export interface KindContext {
  readonly kind: string;
  readonly fqn: string;
}

/** A declaration whose props are known but not yet compared. */
export interface PropsContext extends ResourceRef {
  readonly scope: Scope;
  /** Props of the declaration. Assign a new object to change them; the old one belongs to the program. */
  props: unknown;
}

/** A create, update or replace of one resource. */
export interface ApplyContext extends ResourceRef {
  readonly scope: Scope;
  readonly action: Action;
  readonly props: unknown;
  /** Changed paths, as JSON Pointers; empty on create. */
  readonly changes: readonly string[];
  /** The previous output before the handler, the new one after it. */
  readonly output: unknown;
}

/** A create, update, replace or adoption that has not begun and may be vetoed. */
export interface BeforeApplyContext extends ApplyContext, Vetoing {
  /** True if a replace deletes the old copy, with its children, before it creates the new one. */
  readonly deleteFirst: boolean;
  /**
   * Resources that are deleted first: the old copy, which may be of another kind, the dependents that a plan deletes
   * before it, and their children. Empty for other actions.
   */
  readonly deletes: readonly ResourceRef[];
}

/** One call of a handler. Its result is passed on unchanged: it is the output that is recorded. */
export interface HandlerCallContext extends ResourceRef {
  readonly scope: Scope;
  readonly phase: AnyHandlerPhase;
  /** Number of this call with the same props, from 1. */
  readonly attempt: number;
  /** Milliseconds from `resource:queued` to `resource:started`; 0 for a `read`. */
  readonly waited: number;
}

/** A create, update or replace that failed. */
export interface ApplyFailedContext extends ApplyContext {
  readonly error: unknown;
}

/** A delete of one resource. */
export interface DeletionContext extends ResourceRef {
  readonly scope: Scope;
  readonly output: unknown;
  /** Reason of the delete: no longer declared, replaced by a new copy, or destroyed on request. */
  readonly reason: "orphan" | "replaced" | "destroy";
}

/** A delete that has not begun and may be vetoed. */
export interface BeforeDeleteContext extends DeletionContext, Vetoing {}

/** A delete that failed. */
export interface DeleteFailedContext extends DeletionContext {
  readonly error: unknown;
}

/** A resource that finalize is about to delete. */
export interface PruneItem extends ResourceRef {
  readonly reason: "orphan" | "replaced";
}

/** All resources that finalize is about to delete, with methods to keep some or refuse all. */
export interface PruneContext extends Vetoing {
  readonly scope: Scope;
  readonly items: readonly PruneItem[];
  /** Items that no plugin has kept so far. */
  readonly remaining: readonly PruneItem[];
  /** Keeps one item and its dependencies, in the state and in reality. */
  keep(item: PruneItem, reason: string): void;
  /** Number of resources that may still be deleted under the option `maxDeletes`; undefined without a limit. */
  readonly limit: number | undefined;
  /**
   * Items that count against the limit and are not kept so far; empty without a limit. Copies that this run has
   * replaced, and resources that are only removed from the state, do not count.
   */
  readonly counted: readonly PruneItem[];
  /** Allows all items to be deleted, even if they exceed the limit. */
  confirm(): void;
}

/** A destroy on request. The items include the children of the named resources. */
export interface DestroyContext extends Vetoing {
  readonly scope: Scope;
  readonly items: readonly ResourceRef[];
}

/** A finalize, with the results of the run so far. */
export interface FinalizeContext {
  readonly scope: Scope;
  readonly phase: Phase;
  /** True if the run was interrupted and nothing else failed. */
  readonly interrupted: boolean;
  readonly summary: RunSummary;
  readonly errors: readonly unknown[];
}

/** The start of a finalize, which may be vetoed. */
export interface BeforeFinalizeContext extends FinalizeContext, Vetoing {}

/** A question for a person, to be answered with yes or no. */
export interface AskContext {
  /** Question without the choice of answers, e.g. `Delete these 3 resources?` */
  readonly question: string;
  /** Lines that are shown before the question. */
  readonly details: readonly string[];
  /** All resources that a yes deletes; the details may list only the first ones. */
  readonly deletes: readonly AskedDelete[];
  readonly scope: Scope;
}

/** A resource that a yes deletes. */
export interface AskedDelete extends ResourceRef {
  /** E.g. `orphan` or `replaced`. */
  readonly reason?: string;
}

/** A local port that needs a public URL. */
export interface TunnelContext {
  readonly port: number;
  /** Name or address at which this machine reaches the port. */
  readonly host: string;
  /** Scope that asked first. Its signal is aborted when the run is interrupted. */
  readonly scope: Scope;
}

/** One call of {@link Scope.exec}, as the program made it: only its id is checked yet. */
export interface ExecContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly command: CommandLine;
  readonly options: ExecOptions;
}

/** One call of {@link Scope.spawn}, as the program made it: only its id is checked yet. */
export interface SpawnContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly options: SpawnOptions;
}

/** Implementation of one call of {@link Scope.exec} or {@link Scope.spawn}. The program gets its errors unchanged. */
export interface ProcessCall<T> {
  /** Checks the call. It runs at once, in every phase and in plans, and throws if the call itself is invalid. */
  check(): void;
  /**
   * Starts the work. It is called once the run may make changes, and never in a run that may not. The run does not end
   * before its promise settles.
   */
  begin(): Promise<T>;
}

/** The end of a run, or of the process. */
export interface CleanupContext {
  readonly scope: Scope;
}

/** The part of a context that lets a plugin refuse the action. */
export interface Vetoing {
  /** True in a plan: nothing will be done, and only taps with `inPlans` are called. */
  readonly planned: boolean;
  /**
   * Refuses the action with a reason: a clause without a full stop, e.g. `it costs 400 EUR a month`. May be called more
   * than once. The remaining taps are still called, and all reasons are reported together. A veto after the taps have
   * ended refuses nothing, and fails the run (`PLUGIN_FAILED`).
   */
  veto(reason: string): void;
  /** Returns true if a plugin has refused the action already. A tap that would ask a person need not ask then. */
  isVetoed(): boolean;
}
