import { checkName, type DestroyStrategy, INSPECT, type Phase, physicalName } from "../base/index.js";
import { currentScope } from "./current.js";
import { fqnIn, INTERNALS, type ScopeInternals, type ScopeMethods } from "./internals.js";
import type { FinalizeOptions } from "./options.js";
import type { PendingResource } from "./pending.js";
import type { EventSource } from "./plugin/events.js";
import type { EngineHooks } from "./plugin/hook-table.js";
import type { CommandLine, ExecOptions, ExecResult, SpawnOptions, TunnelOptions } from "./processes.js";

/** A node of the hierarchy that holds resources; the root is the stage's view of the app. */
export class Scope {
  readonly #internals: ScopeInternals;
  /** The app's name for the root, else the scope's own. */
  readonly name: string;
  /** The stage for the root, else the scope's own name. */
  readonly scopeName: string;
  readonly parent: Scope | undefined;
  #resources: Map<string, PendingResource<unknown>> | undefined;
  #children: Map<string, Scope> | undefined;

  private constructor(name: string, scopeName: string, parent: Scope | undefined, internals: ScopeInternals) {
    this.name = name;
    this.scopeName = scopeName;
    this.parent = parent;
    this.#internals = internals;
  }
  /** @internal Programs get scopes from engine() and engine.run(). */
  static make(name: string, scopeName: string, parent: Scope | undefined, internals: ScopeInternals): Scope {
    return new Scope(name, scopeName, parent, internals);
  }

  /** @internal Out of sight of what prints or serialises a scope: the password is in there. */
  get [INTERNALS](): ScopeInternals {
    return this.#internals;
  }
  get #methods(): ScopeMethods {
    return this.#internals.app.methods;
  }
  /** Resources declared in this scope, by id. */
  get resources(): Map<string, PendingResource<unknown>> {
    this.#resources ??= new Map();
    return this.#resources;
  }
  /** Child scopes, by name. */
  get children(): Map<string, Scope> {
    this.#children ??= new Map();
    return this.#children;
  }

  /** True also for the scopes of another copy of the package in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && INTERNALS in value;
  }

  /** @throws EngineError `NO_SCOPE`, `AMBIGUOUS_SCOPE` */
  static get current(): Scope {
    return currentScope();
  }

  /** Root of the current app. @throws EngineError `NO_SCOPE`, `AMBIGUOUS_SCOPE` */
  static get root(): Scope {
    return currentScope().root;
  }

  get root(): Scope {
    return this[INTERNALS].app.root;
  }
  get appName(): string {
    return this.root.name;
  }
  get stage(): string {
    return this.root.scopeName;
  }
  /** App, stage, and the names of the child scopes down to this one. */
  get chain(): readonly string[] {
    const { path } = this[INTERNALS];
    return [this.appName, this.stage, ...(path === "" ? [] : path.split("/"))];
  }
  get phase(): Phase {
    return this[INTERNALS].options.phase;
  }
  get local(): boolean {
    return this[INTERNALS].options.local;
  }
  get watch(): boolean {
    return this[INTERNALS].options.watch;
  }
  get tunnel(): boolean {
    return this[INTERNALS].options.tunnel;
  }
  get quiet(): boolean {
    return this[INTERNALS].options.quiet;
  }
  get force(): boolean {
    return this[INTERNALS].options.force;
  }
  get adopt(): boolean {
    return this[INTERNALS].options.adopt;
  }
  get destroyOrphans(): boolean {
    return this[INTERNALS].options.destroyOrphans;
  }
  get destroyStrategy(): DestroyStrategy {
    return this[INTERNALS].options.destroyStrategy;
  }
  /** Passphrase for the secrets of this scope. Never printed or serialised. */
  get password(): string | undefined {
    return this[INTERNALS].options.password;
  }
  get profile(): string | undefined {
    return this[INTERNALS].options.profile;
  }
  /** Absolute path of the project's root folder. */
  get rootDir(): string {
    return this[INTERNALS].options.rootDir;
  }
  /** Aborted when the run is interrupted or can no longer record what it does. */
  get signal(): AbortSignal {
    return this[INTERNALS].app.signal;
  }
  get hooks(): EngineHooks {
    return this[INTERNALS].app.hooks;
  }
  get events(): EventSource {
    return this[INTERNALS].app.events.source;
  }

  /** `{app}/{stage}/{child scopes}/{id}`. @throws EngineError `INVALID_NAME` */
  fqn(id: string): string {
    checkName("id", id);
    return fqnIn(this, id);
  }

  /**
   * `{app}-{child scopes}-{id}-{stage}`; the guide on scopes says how a name that is too long is shortened.
   *
   * @throws EngineError `INVALID_OPTION` where `maxLength` cannot hold a distinct name
   */
  createPhysicalName(id: string, delimiter = "-", maxLength?: number): string {
    const { path } = this[INTERNALS];
    const chain = path === "" ? [] : path.split("/");
    return physicalName({ app: this.appName, chain, id, stage: this.stage, delimiter, maxLength });
  }

  /** True when an output is recorded for `id` here, and is of kind `type` where one is given. */
  has(id: string, type?: string): Promise<boolean> {
    return this.#methods.has(this, id, type);
  }

  /** The value stored under `key` in this scope, or `undefined`. */
  get<T>(key: string): Promise<T | undefined> {
    return this.#methods.get<T>(this, key);
  }
  /** @throws EngineError `UNSERIALIZABLE`, `READ_ONLY` */
  set<T>(key: string, value: T): Promise<void> {
    return this.#methods.set(this, key, value);
  }
  delete(key: string): Promise<void> {
    return this.#methods.delete(this, key);
  }
  /**
   * Of an app: records what its stage offers to others (`engine.ref()`); promises in the value are awaited. Another
   * call replaces the whole value, and `undefined` takes it away. Only the phase `up` does anything, so that a program
   * may call it in all. A failure fails the run.
   *
   * @throws EngineError `INVALID_CALL`, `NO_SCOPE`, `UNSERIALIZABLE`, `PASSWORD_REQUIRED`, and what a promise rejected with
   */
  outputs(value: unknown): Promise<void> {
    return this.#methods.outputs(this, value);
  }

  /** Runs `fn` with this scope as the current one. In a finalized app it starts a new run. */
  run<T>(fn: (scope: this) => Promise<T> | T): Promise<T> {
    return this.#methods.run(this, fn);
  }

  /**
   * Waits for what was declared, runs deferred functions, prunes what is no longer declared, and ends the run. A scope
   * other than the root only runs its deferred functions, unless forced.
   *
   * @throws EngineError `RUN_FAILED`
   */
  finalize(options: FinalizeOptions = {}): Promise<void> {
    return this[INTERNALS].app.finalize(this, options);
  }

  /** Runs `fn` when the scope is finalized, in every phase; resolves with its result. */
  defer<T>(fn: () => Promise<T> | T): Promise<T> {
    return this.#methods.defer(this, fn);
  }

  /**
   * Runs a command to its end and gives what it wrote, whatever its exit code. A string is for the shell; a list is a
   * program and its arguments. What it writes goes, redacted, into `.engine/logs`, too.
   *
   * @throws EngineError `COMMAND_FAILED` where it cannot be started, `TIMEOUT`, `ABORTED`, `READ_ONLY`, `INVALID_CALL`
   */
  exec(id: string, command: CommandLine, options?: ExecOptions): Promise<ExecResult> {
    return this.#methods.exec(this, id, command, options);
  }

  /**
   * Sees to it that a process runs: one of this id that runs with the same configuration is taken as it is. It ends with
   * the run, in watch and dev mode with the session. Resolves with what `extract` finds in its output.
   *
   * @throws EngineError `PROCESS_FAILED` where it cannot be started, or ends first; `DUPLICATE_ID`, `READ_ONLY`, …
   */
  spawn(
    id: string,
    options: SpawnOptions & { readonly extract: (line: string) => string | undefined },
  ): Promise<string>;
  spawn(id: string, options: SpawnOptions): Promise<string | undefined>;
  spawn(id: string, options: SpawnOptions): Promise<string | undefined> {
    return this.#methods.spawn(this, id, options);
  }

  /**
   * A public URL for a port of this machine, by a plugin such as `sshTunnel()`, as long as the process lives. Asked once
   * a port; for what opens nothing (plans, and the other phases) the URL is unknown. Ask `scope.tunnel` before.
   *
   * @throws EngineError `NO_TUNNEL` where the option `tunnel` is false, or no plugin opens any; `TUNNEL_FAILED`
   */
  openTunnel(port: number, options?: TunnelOptions): Promise<string> {
    return this.#methods.openTunnel(this, port, options);
  }

  /** Runs `fn` when the process ends, the last registered first; without process handlers, at the end of the run. */
  onCleanup(fn: () => unknown): void {
    this.#methods.onCleanup(this, fn);
  }

  /** What is printed of a scope: no option asks its getters, and the password is behind one of them. */
  [INSPECT](): string {
    return `Scope(${this.chain.join("/")})`;
  }

  /** Ends the run without pruning: waits, records results, lets go of the state, and says what it left. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#methods.dispose(this);
  }
}
