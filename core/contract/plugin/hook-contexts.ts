/** The one object that each hook is given: a new field never breaks a plugin. */

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

/** The options of a run before they are checked, with where each of them came from. */
export interface OptionsContext {
  readonly appName: string;
  /** What is known so far; members that are `undefined` have been removed. A tap only adds to it. */
  readonly options: EngineOptions;
  /** Where a member came from, when it was not given to `engine()`, e.g. `"--stage"` or `"ENGINE_STAGE"`. */
  readonly origins: Readonly<Partial<Record<keyof EngineOptions, string>>>;
  /** Emitted as `warning` events once observers can hear them. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** A scope that was made, pruned or destroyed. */
export interface ScopeContext {
  readonly scope: Scope;
}

/** One request to the store. What it gives is given on: what the ledger promises rests on that. */
export interface StoreRequestContext {
  /** Which run makes it: {@link RunInfo.run}. */
  readonly run: string;
  /** Name of the store, e.g. `s3`. */
  readonly store: string;
  readonly operation: StoreOperation;
  /** The key that it is about, or for `list` the prefix; undefined where it is about several. */
  readonly key: string | undefined;
}

/** What a store is asked for; see {@link StateStore}. */
export type StoreOperation = "get" | "getMany" | "create" | "append" | "set" | "deleteMany" | "list";

/** A stage that is about to be loaded from a store. */
export interface StateKeyContext {
  readonly scope: Scope;
  readonly store: Pick<StateStore, "name" | "location">;
  /** Set if a program of another stage reads from this one; `allowsUnsealed` if it says that this one has no key. */
  readonly reader: { readonly allowsUnsealed: boolean } | undefined;
}

/** The state of a stage, loaded; a run has nothing else of it yet. */
export interface StateContext {
  readonly scope: Scope;
  /** The run that begins; undefined where the state is only looked at, e.g. for `engine.ref()`. */
  readonly run: RunInfo | undefined;
  /** True where what is recorded was sealed by a key, be it known to this run or not. */
  readonly isSealed: boolean;
  /** All that is recorded, as it stands when the state is loaded. */
  readonly recorded: RecordedState;
  /** What a plugin keeps in the state, under its name. */
  keep(plugin: string): PluginState;
  /**
   * `check` is called once, and awaited, before the first handler is called and before anything is written; where it
   * rejects, the run fails with that. May be given more checks while the run lasts.
   */
  guard(check: () => Promise<unknown>): void;
  /**
   * Replaces every recorded value of a tag, where `replace` gives another one. All in one entry, together with what
   * `keep` was told to set; resolves when that is durable. Where another run changes anything meanwhile, it fails with
   * `STATE_MOVED`; in the read phase, with `READ_ONLY`.
   */
  rewrite(tag: string, replace: Replace): Promise<void>;
}

/** A resource as the state has it, encoded. The page on the state format lists all members. */
export interface RecordedResource {
  /** Path within the stage: child scopes and id, joined by `/`. */
  readonly key: string;
  readonly uid: string;
  readonly kind: string;
  readonly props: Encoded;
  /** Absent until a create has succeeded. */
  readonly output?: Encoded;
  /** What the last success recorded, while a change is pending. */
  readonly lastGood?: { readonly props: Encoded; readonly output?: Encoded };
}

/** What the state of a stage holds, encoded. */
export interface RecordedState {
  /** By uid. */
  readonly records: ReadonlyMap<string, RecordedResource>;
  /** Data by owner, and by key. */
  readonly data: ReadonlyMap<string, ReadonlyMap<string, Encoded>>;
}

/** A recorded kind that nobody has defined. */
export interface KindContext {
  readonly kind: string;
  readonly fqn: string;
}

/** A declaration whose props are known and not compared yet. */
export interface PropsContext extends ResourceRef {
  readonly scope: Scope;
  /** Assign a new object to change the props; the old one belongs to the program. */
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

/** A create, update, replace or adoption that is about to be done, and may be vetoed. */
export interface BeforeApplyContext extends ApplyContext, Vetoing {
  /** True where a replace deletes the old copy, with its children, before it makes the new one. */
  readonly deleteFirst: boolean;
  /** What goes then: the old copy, which may be of another kind, the dependents that a plan deletes before it, and their children. Else empty. */
  readonly deletes: readonly ResourceRef[];
}

/** One call of a handler. What it gives is given on: that is the output that is recorded. */
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
  /** Why it goes: no longer declared, replaced by a new copy, or destroyed on request. */
  readonly reason: "orphan" | "replaced" | "destroy";
}

/** A delete that is about to be done, and may be vetoed. */
export interface BeforeDeleteContext extends DeletionContext, Vetoing {}

/** A delete that failed. */
export interface DeleteFailedContext extends DeletionContext {
  readonly error: unknown;
}

/** Something that finalize is about to delete. */
export interface PruneItem extends ResourceRef {
  readonly reason: "orphan" | "replaced";
}

/** All that finalize is about to delete, and what may be done about it. */
export interface PruneContext extends Vetoing {
  readonly scope: Scope;
  readonly items: readonly PruneItem[];
  /** What of the items nobody keeps so far. */
  readonly remaining: readonly PruneItem[];
  /** Keeps one item, and what it needs, in the state and in the world. */
  keep(item: PruneItem, reason: string): void;
  /** The most that may still be deleted, by the option `maxDeletes`; undefined where there is no limit. */
  readonly limit: number | undefined;
  /**
   * What of the items counts against the limit and is not kept so far; empty without one. Copies that this very run has
   * replaced do not count, nor does what is only forgotten.
   */
  readonly counted: readonly PruneItem[];
  /** Lets all of it go although it may be more than the limit allows. */
  confirm(): void;
}

/** What is destroyed on request; the items include the children of what was named. */
export interface DestroyContext extends Vetoing {
  readonly scope: Scope;
  readonly items: readonly ResourceRef[];
}

/** A finalize, and what the run has come to. */
export interface FinalizeContext {
  readonly scope: Scope;
  readonly phase: Phase;
  /** The run was told to end, and has failed at nothing else. */
  readonly interrupted: boolean;
  readonly summary: RunSummary;
  readonly errors: readonly unknown[];
}

/** The beginning of a finalize, which may be vetoed. */
export interface BeforeFinalizeContext extends FinalizeContext, Vetoing {}

/** A question to whoever sits there, to be answered by yes or no. */
export interface AskContext {
  /** Without the choice of answers, e.g. `Delete these 3 resources?` */
  readonly question: string;
  /** Lines that are shown before it. */
  readonly details: readonly string[];
  readonly scope: Scope;
}

/** A local port for which a public URL is wanted. */
export interface TunnelContext {
  readonly port: number;
  /** Name or address at which this machine reaches it. */
  readonly host: string;
  /** The one that asked first. Its signal is aborted when the run is interrupted. */
  readonly scope: Scope;
}

/** One call of {@link Scope.exec}, as the program made it: nothing but its id is checked yet. */
export interface ExecContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly command: CommandLine;
  readonly options: ExecOptions;
}

/** One call of {@link Scope.spawn}, as the program made it: nothing but its id is checked yet. */
export interface SpawnContext {
  readonly scope: Scope;
  readonly id: string;
  readonly fqn: string;
  readonly options: SpawnOptions;
}

/** How one call of {@link Scope.exec} or {@link Scope.spawn} is done. What its functions throw, the program gets as it is. */
export interface ProcessCall<T> {
  /** Called at once, in every phase and in plans; throws where the call itself is wrong. */
  check(): void;
  /** Called once the run may change something, and not at all in a run that may not. The run does not end before it settles. */
  begin(): Promise<T>;
}

/** The end of a run, or of the process. */
export interface CleanupContext {
  readonly scope: Scope;
}

/** What a context has where a plugin may refuse what is about to be done. */
export interface Vetoing {
  /** True in a plan: nothing will be done, and only taps with `inPlans` are asked. */
  readonly planned: boolean;
  /**
   * Refuses it, and says why, as a clause without a full stop, e.g. `it costs 400 EUR a month`. May be called more than
   * once; the taps after this one are asked all the same, and all the reasons are told together. One that comes when the taps
   * have ended refuses nothing, and fails the run (`PLUGIN_FAILED`).
   */
  veto(reason: string): void;
  /** True where a plugin has refused it by now: whoever would ask somebody need not. */
  isVetoed(): boolean;
}
