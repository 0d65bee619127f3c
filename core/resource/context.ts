/** What a handler sees. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import { deleteData, getData, setData } from "../scope/data.js";
import { INTERNALS } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import type { ResourceRecord } from "../state/record.js";
import type { HandlerPhase, ResourceRef } from "../vocabulary.js";
import type { HandlerBase } from "./definition.js";

/** Thrown by `this.replace()`; the engine catches it. */
export class ReplaceSignal {
  readonly deleteFirst: boolean;

  constructor(deleteFirst: boolean) {
    this.deleteFirst = deleteFirst;
  }
}

/** Thrown by `this.destroy()`; the engine catches it. */
export class DestroySignal {
  readonly retainChildren: boolean;

  constructor(retainChildren: boolean) {
    this.retainChildren = retainChildren;
  }
}

/** One call of a handler. */
export interface HandlerRun {
  readonly phase: HandlerPhase | "read";
  readonly ref: ResourceRef;
  /** The scope that the resource was declared in. */
  readonly scope: Scope;
  /** As its intent was recorded. */
  readonly record: ResourceRecord;
  readonly recovering: boolean;
  readonly adopt: boolean;
  readonly changes: readonly string[];
  readonly previous: unknown;
  readonly output: unknown;
}

export class HandlerContext implements HandlerBase {
  readonly #run: HandlerRun;
  readonly props: unknown;
  /** How the handler asked to end, even where its own `catch` swallowed the signal. */
  ending: { signal: ReplaceSignal | DestroySignal | undefined };

  constructor(run: HandlerRun, props: unknown, ending: { signal: ReplaceSignal | DestroySignal | undefined }) {
    this.#run = run;
    this.props = props;
    this.ending = ending;
  }

  get phase(): HandlerPhase | "read" {
    return this.#run.phase;
  }
  get previous(): unknown {
    return this.#run.previous;
  }
  get output(): unknown {
    return this.#run.output;
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
  get isReplacement(): boolean {
    return this.#run.record.replaces !== undefined;
  }
  get adopt(): boolean {
    return this.#run.adopt;
  }
  get local(): boolean {
    return this.scope.local;
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
    return this.scope.signal;
  }

  get<T>(key: string): Promise<T | undefined> {
    return getData<T>(this.#app, this.uid, key);
  }
  set<T>(key: string, value: T): Promise<void> {
    return setData(this.#app, this.uid, key, value);
  }
  delete(key: string): Promise<void> {
    return deleteData(this.#app, this.uid, key);
  }

  replace(force = false): never {
    if (this.phase !== "update") throw this.#misused("replace", "an update");
    this.ending.signal = new ReplaceSignal(force);
    throw this.ending.signal;
  }
  destroy(retainChildren = false): never {
    if (this.phase !== "delete") throw this.#misused("destroy", "a delete");
    this.ending.signal = new DestroySignal(retainChildren);
    throw this.ending.signal;
  }

  onCleanup(fn: () => unknown): void {
    this.scope.onCleanup(fn);
  }
  log(message: string): void {
    this.#app.events.emit("resource:log", { ...this.#run.ref, message: String(message) });
  }

  get #app(): App {
    return this.scope[INTERNALS].app;
  }

  #misused(method: string, phase: string): EngineError {
    const message = `this.${method}() was called in the ${this.phase} of "${this.fqn}"; it belongs into ${phase}.`;
    return new EngineError("INVALID_CALL", message, { fqn: this.fqn });
  }
}
