/** What the engine knows of a scope, behind one symbol: nothing of it is printed, serialised or typed for users. */

import { type ConcurrencySlot, joined, type ResourceRef } from "../base/index.js";
import type { FinalizeOptions, ResolvedOptions } from "./options.js";
import type { EventBus } from "./plugin/events.js";
import type { EngineHooks } from "./plugin/hook-table.js";
import type { CommandLine, ExecOptions, ExecResult, SpawnOptions, TunnelOptions } from "./processes.js";
import type { Position } from "./record.js";
import { scopeOwner } from "./record.js";
import type { Scope } from "./scope.js";

/** The resource inside whose handler a scope lives. */
export interface ResourceHome {
  readonly uid: string;
  readonly key: string;
  readonly kind: string;
  readonly ready: Position;
  /** The place that its running handler holds, lent to children. */
  readonly slot: ConcurrencySlot;
}

/** What the methods of a scope do, by their names. */
export interface ScopeMethods {
  has(scope: Scope, id: string, type?: string): Promise<boolean>;
  get<T>(scope: Scope, key: string): Promise<T | undefined>;
  set<T>(scope: Scope, key: string, value: T): Promise<void>;
  delete(scope: Scope, key: string): Promise<void>;
  outputs(scope: Scope, value: unknown): Promise<void>;
  run<T, S extends Scope>(scope: S, fn: (scope: S) => Promise<T> | T): Promise<T>;
  defer<T>(scope: Scope, fn: () => Promise<T> | T): Promise<T>;
  exec(scope: Scope, id: string, command: CommandLine, options?: ExecOptions): Promise<ExecResult>;
  spawn(scope: Scope, id: string, options: SpawnOptions): Promise<string | undefined>;
  openTunnel(scope: Scope, port: number, options?: TunnelOptions): Promise<string>;
  onCleanup(scope: Scope, fn: () => unknown): void;
  dispose(scope: Scope): Promise<void>;
}

export interface ScopeInternals {
  /** The part of the app that the methods of a scope use; core knows the whole of it as `App`. */
  readonly app: {
    readonly root: Scope;
    readonly signal: AbortSignal;
    readonly hooks: EngineHooks;
    readonly events: EventBus;
    readonly methods: ScopeMethods;
    finalize(scope: Scope, options: FinalizeOptions): Promise<void>;
    dispose(): Promise<void>;
  };
  readonly options: ResolvedOptions;
  /** Names of the child scopes, joined by `/`; empty for the root. */
  readonly path: string;
  /** Paths that it had before, by its aliases and those of the scopes around it. */
  readonly formerPaths: readonly string[];
  readonly resource: ResourceHome | undefined;
}

/** Shared by all copies of the package, so that one copy can declare in another's scope. */
export const INTERNALS: unique symbol = Symbol.for("scope-engine/internals");

/** Where a resource of this scope stands in the state. */
export function keyIn(scope: Scope, id: string): string {
  return joined(scope[INTERNALS].path, id);
}

/** Where a resource of this scope may stand that has not been declared since the scope has its name. */
export function formerKeysIn(scope: Scope, id: string): readonly string[] {
  return scope[INTERNALS].formerPaths.map((path) => `${path}/${id}`);
}

/** Path of the scope that a key was made in. */
export function folderOf(key: string): string {
  const at = key.lastIndexOf("/");
  return at < 0 ? "" : key.slice(0, at);
}

/** Id of the resource that a key was made for. */
export function idOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** A resource of a scope, as hooks and events name it. */
export function refIn(scope: Scope, kind: string, id: string): ResourceRef {
  const fqn = fqnIn(scope, id);
  return scope.quiet ? { kind, id, fqn, quiet: true } : { kind, id, fqn };
}

/** Fully qualified name of what stands at a path below a scope. */
export function fqnIn(scope: Scope, path: string): string {
  const own = scope[INTERNALS].path;
  const folder = own === "" ? "" : `${own}/`;
  return `${scope.appName}/${scope.stage}/${folder}${path}`;
}

/** Owner of a scope's data. */
export function dataOwner(scope: Scope): string {
  return scopeOwner(scope[INTERNALS].path);
}
