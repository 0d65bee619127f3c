/** The engine's own data of a scope, behind one symbol, so that it is not printed, serialised or typed for users. */

import { type ConcurrencySlot, joined, type ResourceRef } from "../base/index.js";
import type { FinalizeOptions, ResolvedOptions } from "./options.js";
import type { EventBus } from "./plugin/events.js";
import type { EngineHooks } from "./plugin/hook-table.js";
import type { CommandLine, ExecOptions, ExecResult, SpawnOptions, TunnelOptions } from "./processes.js";
import type { Position } from "./record.js";
import { scopeOwner } from "./record.js";
import type { Scope } from "./scope.js";

/** The resource in whose handler a scope lives. */
export interface ParentResource {
  readonly uid: string;
  readonly key: string;
  readonly kind: string;
  readonly ready: Position;
  /** Concurrency slot of its running handler, which is lent to children. */
  readonly slot: ConcurrencySlot;
}

/** Implementations of the methods of a scope, by name. */
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
  /** The part of the app that the methods of a scope use; core types the whole of it as `App`. */
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
  /** Former paths, from its aliases and those of the enclosing scopes. */
  readonly formerPaths: readonly string[];
  readonly resource: ParentResource | undefined;
}

/** Shared by all copies of the package, so that one copy can declare in another's scope. */
export const INTERNALS: unique symbol = Symbol.for("scope-engine/internals");

/** Returns the key of a resource of this scope in the state. */
export function keyIn(scope: Scope, id: string): string {
  return joined(scope[INTERNALS].path, id);
}

/** Returns the keys that a resource of this scope may still have if it was not declared since the scope was renamed. */
export function formerKeysIn(scope: Scope, id: string): readonly string[] {
  return scope[INTERNALS].formerPaths.map((path) => `${path}/${id}`);
}

/** Returns the path of the scope that a key belongs to. */
export function folderOf(key: string): string {
  const at = key.lastIndexOf("/");
  return at < 0 ? "" : key.slice(0, at);
}

/** Returns the id of the resource that a key belongs to. */
export function idOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** Returns a reference to a resource of a scope, for hooks and events. */
export function refIn(scope: Scope, kind: string, id: string): ResourceRef {
  const fqn = fqnIn(scope, id);
  return scope.quiet ? { kind, id, fqn, quiet: true } : { kind, id, fqn };
}

/** Returns the fully qualified name of a path below a scope. */
export function fqnIn(scope: Scope, path: string): string {
  const { app, path: own } = scope[INTERNALS];
  const { name, scopeName } = app.root;
  return own === "" ? `${name}/${scopeName}/${path}` : `${name}/${scopeName}/${own}/${path}`;
}

/** Returns the owner name of a scope's data. */
export function dataOwner(scope: Scope): string {
  return scopeOwner(scope[INTERNALS].path);
}
