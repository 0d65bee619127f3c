/** The context of a handler. */

import { type AnyHandlerPhase, EngineError, type HandlerPhase, type ResourceRef } from "../base/index.js";
import type { HandlerBase, ResourceRecord, Scope } from "../contract/index.js";
import { type App, appOf, DestroySignal, ReplaceSignal, type Signal } from "../run/index.js";
import { type DataHome, deleteData, getData, setData } from "../scope/index.js";

/** One call of a handler, as its context shows it. */
export interface HandlerRun {
  readonly phase: AnyHandlerPhase;
  readonly ref: ResourceRef;
  /** The scope that the resource was declared in. */
  readonly scope: Scope;
  /** The record as its intent left it. */
  readonly record: ResourceRecord;
  readonly recovering: boolean;
  /** True if the local handlers created, or are to create, the copy. */
  readonly local: boolean;
  readonly adopt: boolean;
  readonly changes: readonly string[];
  readonly previous: unknown;
  readonly output: unknown;
  /** False if the program has not declared it, or not yet. */
  readonly isDeclared: boolean;
  /** In a plan: the dependencies that would be changed. */
  readonly changing?: readonly ResourceRef[] | undefined;
  /** Aborted when the handler is to give up. */
  readonly signal: AbortSignal;
  /** The requested end, kept even if the handler's own `catch` swallowed the signal. */
  ending: Signal | undefined;
  /** True if the handler says that its output is no change. */
  isUnchanged: boolean;
}

export class HandlerContext implements HandlerBase {
  readonly #run: HandlerRun;
  readonly props: unknown;

  constructor(run: HandlerRun, props: unknown) {
    this.#run = run;
    this.props = props;
  }

  get phase(): AnyHandlerPhase {
    return this.#run.phase;
  }
  get previous(): unknown {
    return this.#run.previous;
  }
  get output(): unknown {
    return this.#run.output;
  }
  get changing(): readonly ResourceRef[] {
    return this.#run.changing ?? [];
  }
  get id(): string {
    return this.#run.ref.id;
  }
  get fqn(): string {
    return this.#run.ref.fqn;
  }
  get uid(): string {
    return this.#run.record.uid;
  }
  get stage(): string {
    return this.scope.stage;
  }
  get scope(): Scope {
    return this.#run.scope;
  }
  get changes(): readonly string[] {
    return this.#run.changes;
  }
  get physicalName(): string {
    return this.#run.record.physicalName;
  }
  get token(): string {
    return this.#run.record.token;
  }
  get attempt(): number {
    return this.#run.record.attempt;
  }
  get recovering(): boolean {
    return this.#run.recovering;
  }
  get recordedKind(): string {
    return this.#run.record.kind;
  }
  get isDeclared(): boolean {
    return this.#run.isDeclared;
  }
  get isReplacement(): boolean {
    return this.#run.record.replaces !== undefined;
  }
  get adopt(): boolean {
    return this.#run.adopt;
  }
  get local(): boolean {
    return this.#run.local;
  }
  get watch(): boolean {
    return this.scope.watch;
  }
  get tunnel(): boolean {
    return this.scope.tunnel;
  }
  get force(): boolean {
    return this.scope.force;
  }
  get quiet(): boolean {
    return this.scope.quiet;
  }
  get profile(): string | undefined {
    return this.scope.profile;
  }
  get signal(): AbortSignal {
    return this.#run.signal;
  }

  // Functions bound to this context: a handler may use them on their own.
  get get(): <T>(key: string) => Promise<T | undefined> {
    return <T>(key: string) => getData<T>(this.#home, key);
  }
  get set(): <T>(key: string, value: T) => Promise<void> {
    return (key, value) => setData(this.#home, key, value);
  }
  get delete(): (key: string) => Promise<void> {
    return (key) => deleteData(this.#home, key);
  }
  get replace(): (force?: boolean, forcedBy?: readonly string[]) => never {
    return (force = false, forcedBy = []) => this.#end("replace", "update", new ReplaceSignal(force, forcedBy));
  }
  get unchanged(): <Output>(output: Output) => Output {
    return (output) => {
      this.#check("unchanged", "update");
      this.#run.isUnchanged = true;
      return output;
    };
  }
  get destroy(): (retainChildren?: boolean) => never {
    return (retainChildren = false) => this.#end("destroy", "delete", new DestroySignal(retainChildren));
  }
  get onCleanup(): (fn: () => unknown) => void {
    return (fn) => this.scope.onCleanup(fn);
  }
  get log(): (message: string) => void {
    return (message) => this.#app.events.emit("resource:log", { ...this.#run.ref, message: String(message) });
  }

  get redact(): (text: string) => string {
    return this.#app.redact;
  }

  get #home(): DataHome {
    return { app: this.#app, scope: this.scope, fqn: this.fqn, owner: this.uid };
  }

  get #app(): App {
    return appOf(this.scope);
  }

  #end(method: string, phase: HandlerPhase, signal: Signal): never {
    this.#check(method, phase);
    this.#run.ending = signal;
    throw signal;
  }

  #check(method: string, phase: HandlerPhase): void {
    if (this.phase === phase) return;
    const message = `this.${method}() was called in the phase "${this.phase}" of "${this.fqn}". Call this.${method}() only in the phase "${phase}".`;
    throw new EngineError("INVALID_CALL", message, { fqn: this.fqn });
  }
}
