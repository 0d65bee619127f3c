import { checkName, type DestroyStrategy, INSPECT, type Phase, physicalName } from "../base/index.js";
import { currentScope } from "./current.js";
import { fqnIn, INTERNALS, type ScopeInternals, type ScopeMethods } from "./internals.js";
import type { FinalizeOptions } from "./options.js";
import type { PendingResource } from "./pending.js";
import type { EventSource } from "./plugin/events.js";
import type { EngineHooks } from "./plugin/hook-table.js";
import type { CommandLine, ExecOptions, ExecResult, SpawnOptions, TunnelOptions } from "./processes.js";

/** A node of the hierarchy that holds resources. The root scope stands for one stage of the app. */
export class Scope {
  readonly #internals: ScopeInternals;
  /** Name of the app for the root scope, otherwise the scope's own name. */
  readonly name: string;
  /** Stage for the root scope, otherwise the scope's own name. */
  readonly scopeName: string;
  /** Enclosing scope; undefined for the root scope. */
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

  /** @internal Behind a symbol, so that printing or serialising a scope does not show the password. */
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

  /** Accepts the scopes of another copy of the package in the same process, too. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && INTERNALS in value;
  }

  /** Returns the scope that the calling code runs in. @throws EngineError `NO_SCOPE`, `AMBIGUOUS_SCOPE` */
  static get current(): Scope {
    return currentScope();
  }

  /** Returns the root scope of the current app. @throws EngineError `NO_SCOPE`, `AMBIGUOUS_SCOPE` */
  static get root(): Scope {
    return currentScope().root;
  }

  /** Root scope of this scope's app. */
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
  /** Phase of the run. */
  get phase(): Phase {
    return this[INTERNALS].options.phase;
  }
  /** True if resources are simulated locally. */
  get local(): boolean {
    return this[INTERNALS].options.local;
  }
  /** True if local changes are pushed as they happen. */
  get watch(): boolean {
    return this[INTERNALS].options.watch;
  }
  /** True if tunnels are opened for resources that support them. */
  get tunnel(): boolean {
    return this[INTERNALS].options.tunnel;
  }
  /** True if no create, update and delete messages are printed. */
  get quiet(): boolean {
    return this[INTERNALS].options.quiet;
  }
  /** True if resources are updated even if nothing changed. */
  get force(): boolean {
    return this[INTERNALS].options.force;
  }
  /** True if existing real resources are adopted. */
  get adopt(): boolean {
    return this[INTERNALS].options.adopt;
  }
  /** True if finalize deletes resources that are no longer declared. */
  get destroyOrphans(): boolean {
    return this[INTERNALS].options.destroyOrphans;
  }
  /** Order of deletes in this scope. */
  get destroyStrategy(): DestroyStrategy {
    return this[INTERNALS].options.destroyStrategy;
  }
  /** Passphrase for the secrets of this scope. Never printed or serialised. */
  get password(): string | undefined {
    return this[INTERNALS].options.password;
  }
  /** Profile that resources and stores use to authorize requests. */
  get profile(): string | undefined {
    return this[INTERNALS].options.profile;
  }
  /** Absolute path of the project's root folder. */
  get rootDir(): string {
    return this[INTERNALS].options.rootDir;
  }
  /** Signal that is aborted when the run is interrupted or can no longer record its results. */
  get signal(): AbortSignal {
    return this[INTERNALS].app.signal;
  }
  /** Hooks of the engine. */
  get hooks(): EngineHooks {
    return this[INTERNALS].app.hooks;
  }
  /** Events of the run. */
  get events(): EventSource {
    return this[INTERNALS].app.events.source;
  }

  /** Returns the fully qualified name `{app}/{stage}/{child scopes}/{id}`. @throws EngineError `INVALID_NAME` */
  fqn(id: string): string {
    checkName("id", id);
    return fqnIn(this, id);
  }

  /**
   * Returns the physical name `{app}-{child scopes}-{id}-{stage}`. The guide on scopes explains how a name that is too
   * long is shortened.
   *
   * @throws EngineError `INVALID_OPTION` if `maxLength` cannot hold a distinct name
   */
  createPhysicalName(id: string, delimiter = "-", maxLength?: number): string {
    const { app, path } = this[INTERNALS];
    return physicalName({ app: app.root.name, path, id, stage: app.root.scopeName, delimiter, maxLength });
  }

  /** Resolves with true if the state holds an output for `id` in this scope, of kind `type` if one is given. */
  has(id: string, type?: string): Promise<boolean> {
    return this.#methods.has(this, id, type);
  }

  /** Resolves with the value stored under `key` in this scope, or `undefined`. */
  get<T>(key: string): Promise<T | undefined> {
    return this.#methods.get<T>(this, key);
  }
  /** Stores a value under `key` in this scope. @throws EngineError `UNSERIALIZABLE`, `READ_ONLY` */
  set<T>(key: string, value: T): Promise<void> {
    return this.#methods.set(this, key, value);
  }
  /** Deletes the value stored under `key` in this scope. */
  delete(key: string): Promise<void> {
    return this.#methods.delete(this, key);
  }
  /**
   * Records the outputs that this stage offers to other stages, which read them with `engine.ref()`. Call it on the
   * root scope of an app. Promises in the value are awaited. Another call replaces the whole value, and `undefined`
   * removes it. It does nothing outside the phase `up`, so that a program may call it in every phase. A failure fails
   * the run.
   *
   * @throws EngineError `INVALID_CALL`, `NO_SCOPE`, `UNSERIALIZABLE`, `PASSWORD_REQUIRED`, and any error that a promise
   * rejected with
   */
  outputs(value: unknown): Promise<void> {
    return this.#methods.outputs(this, value);
  }

  /** Runs `fn` with this scope as the current one. In a finalized app, this starts a new run. */
  run<T>(fn: (scope: this) => Promise<T> | T): Promise<T> {
    return this.#methods.run(this, fn);
  }

  /**
   * Finishes the run: waits for the declared resources, runs deferred functions, and deletes resources that are no
   * longer declared. On a scope other than the root, it only runs the deferred functions, unless `force` is set.
   *
   * @throws EngineError `RUN_FAILED`
   */
  finalize(options: FinalizeOptions = {}): Promise<void> {
    return this[INTERNALS].app.finalize(this, options);
  }

  /** Runs `fn` when the scope is finalized, in every phase, and resolves with its result. */
  defer<T>(fn: () => Promise<T> | T): Promise<T> {
    return this.#methods.defer(this, fn);
  }

  /**
   * Runs a command until it exits and resolves with its output and exit code; a non-zero code is not an error. A string
   * is run by the shell; a list is a program and its arguments. The output is also written, redacted, to
   * `.engine/logs`.
   *
   * @throws EngineError `COMMAND_FAILED` if it cannot be started, `TIMEOUT`, `ABORTED`, `READ_ONLY`, `INVALID_CALL`
   */
  exec(id: string, command: CommandLine, options?: ExecOptions): Promise<ExecResult> {
    return this.#methods.exec(this, id, command, options);
  }

  /**
   * Ensures that a process is running. A process with this id that already runs with the same configuration is kept.
   * The process ends with the run, or with the session in watch and dev mode. Resolves with the first string that
   * `extract` returns for a line of its output.
   *
   * @throws EngineError `PROCESS_FAILED` if it cannot be started, or ends first; `DUPLICATE_ID`, `READ_ONLY`, …
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
   * Opens a public URL for a port of this machine, with a plugin such as `sshTunnel()`, for as long as the process
   * lives. Each port is opened once. Plans and the other phases open nothing, and return an unknown value. Check
   * `scope.tunnel` first.
   *
   * @throws EngineError `NO_TUNNEL` if the option `tunnel` is false, or no plugin opens tunnels; `TUNNEL_FAILED`
   */
  openTunnel(port: number, options?: TunnelOptions): Promise<string> {
    return this.#methods.openTunnel(this, port, options);
  }

  /** Runs `fn` when the process ends, the last registered first; without process handlers, at the end of the run. */
  onCleanup(fn: () => unknown): void {
    this.#methods.onCleanup(this, fn);
  }

  /** Text that `util.inspect` prints. It reads no getters, because one of them returns the password. */
  [INSPECT](): string {
    return `Scope(${this.chain.join("/")})`;
  }

  /**
   * Ends the run without pruning: waits for handlers, records results, releases the state, and reports the resources
   * left.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#methods.dispose(this);
  }
}
