/** One call of a handler: with its slot, in its scope, with its context. */

import {
  type AnyHandlerPhase,
  ConcurrencySlot,
  EngineError,
  joined,
  type ResourceRef,
  readable,
} from "../base/index.js";
import {
  type DefinedHandlers,
  type Definition,
  type HandlerCall,
  INTERNALS,
  type ResourceRecord,
  runInScope,
  Scope,
} from "../contract/index.js";
import { HandlerContext, type HandlerRun } from "../resource/index.js";
import { type Admission, type App, DestroySignal, type Operation, type Signal } from "../run/index.js";
import { forgetScopes } from "../scope/index.js";
import { withTimeout } from "./retry.js";

/** The values that a handler is called with. */
export interface HandlerValues {
  readonly props: unknown;
  readonly previous: unknown;
  readonly output: unknown;
}

/** The resource that a handler is called for. */
export type Subject = Pick<Operation<"begun">, "app" | "scope" | "definition" | "ref" | "record">;

export interface CallOptions {
  readonly phase: AnyHandlerPhase;
  readonly recovering?: boolean;
  readonly adopt?: boolean;
  readonly changes?: readonly string[];
  /** False if the program has not declared the resource, or not yet. Default: true. */
  readonly isDeclared?: boolean;
  /** In a plan: the dependencies that would be changed. */
  readonly changing?: readonly ResourceRef[];
  /** Milliseconds that the handler may take. */
  readonly timeout: number | undefined;
  /** Called once the handler has its slot: as little as possible is kept for a waiting handler. */
  values(): HandlerValues | Promise<HandlerValues>;
  /** Called with these values before that: a rejection or exception prevents the call of the handler. */
  check?(values: HandlerValues): Promise<unknown> | undefined;
  /** Called when nothing prevents the handler from running any more: its effects may begin from then on. */
  begin?(): void;
  /** The admission of its operation; absent for a handler that only reads. */
  readonly admission?: Admission;
}

/** The output of the handler, or its request to end in another way. */
export type HandlerEnd =
  | { readonly output: unknown; readonly signal?: undefined; readonly isUnchanged?: boolean }
  | { readonly output?: undefined; readonly signal: Signal };

/** Returns the handlers that create and update resources declared in a scope. */
export function handlersOf(definition: Definition, scope: Scope): DefinedHandlers {
  return definition.handlers(isSimulated(definition, scope));
}

/** Returns the handlers for a record: those that created its resource. */
export function handlersFor(definition: Definition, record: ResourceRecord): DefinedHandlers {
  return definition.handlers(record.local === true);
}

/** True if local handlers create the resources declared in a scope. */
export function isSimulated({ hasLocal }: Definition, scope: Scope): boolean {
  return hasLocal && scope.local;
}

/**
 * True if a resource was created locally and must not be, or vice versa: the handlers that created it must delete it.
 */
export function isElsewhere({ local }: ResourceRecord, isLocal: boolean): boolean {
  return (local === true) !== isLocal;
}

/**
 * Waits for a slot, then runs the handler. Rejects with the handler's error.
 *
 * @throws EngineError `INVALID_DEFINITION` if the type has no such handler
 */
export function callHandler(subject: Subject, options: CallOptions): Promise<HandlerEnd> {
  const { app, scope, definition, record } = subject;
  const { phase } = options;
  const handler = handlersFor(definition, record)[phase];
  if (!handler) throw new EngineError("INVALID_DEFINITION", `"${definition.kind}" has no ${phase} handler.`);
  scope[INTERNALS].resource?.slot.lend();
  const taken = ConcurrencySlot.take(app.limiter);
  if (taken instanceof ConcurrencySlot) return perform(new RunningHandler(subject, options, handler, taken));
  return taken.then((slot) => perform(new RunningHandler(subject, options, handler, slot)));
}

/** Synchronous, because each promise costs every resource a turn. */
function perform(call: RunningHandler): Promise<HandlerEnd> {
  let made: unknown;
  try {
    made = call.make();
  } catch (error) {
    made = Promise.reject(error);
  }
  // A promise of the program's own class may have an arbitrary `then`: a native promise calls it.
  return Promise.resolve(made).then(
    (output) => call.returned(output),
    (error) => call.threw(error),
  );
}

/** Frozen, because handlers of all types receive it. */
const NO_CHANGES: readonly string[] = Object.freeze([]);

/** A call of a handler, from getting its slot until it returns it. */
class RunningHandler implements HandlerCall, HandlerRun {
  readonly phase: AnyHandlerPhase;
  readonly scope: Scope;
  readonly ref: ResourceRef;
  readonly id: string;
  readonly record: ResourceRecord;
  readonly recovering: boolean;
  readonly local: boolean;
  readonly adopt: boolean;
  readonly changes: readonly string[];
  readonly isDeclared: boolean;
  readonly changing: readonly ResourceRef[] | undefined;
  readonly #app: App;
  readonly #definition: Definition;
  readonly #options: CallOptions;
  readonly #handler: (call: HandlerCall) => unknown;
  readonly #slot: ConcurrencySlot;
  props: unknown = undefined;
  previous: unknown = undefined;
  output: unknown = undefined;
  signal: AbortSignal;
  ending: Signal | undefined = undefined;
  isUnchanged = false;

  constructor(subject: Subject, options: CallOptions, handler: (call: HandlerCall) => unknown, slot: ConcurrencySlot) {
    const { app, scope, definition, ref, record } = subject;
    this.phase = options.phase;
    this.scope = scope;
    this.ref = ref;
    this.id = ref.id;
    this.record = record;
    this.recovering = options.recovering ?? false;
    this.local = definition.hasLocal ? record.local === true : scope.local;
    this.adopt = options.adopt ?? false;
    this.changes = options.changes ?? NO_CHANGES;
    this.isDeclared = options.isDeclared ?? true;
    this.changing = options.changing;
    this.#app = app;
    this.#definition = definition;
    this.#options = options;
    this.#handler = handler;
    this.#slot = slot;
    this.signal = scope.signal;
  }

  view(props: unknown): HandlerContext {
    return new HandlerContext(this, props);
  }

  /** Calls the handler once nothing prevents it; returns its result or a promise of it. */
  make(): unknown {
    const { phase } = this;
    const closed = this.#app.run.preflight.run({ isRead: phase === "read" || phase === "plan" });
    const values = closed === undefined ? this.#options.values() : closed.then(() => this.#options.values());
    return values instanceof Promise ? values.then((read) => this.#check(read)) : this.#check(values);
  }

  #check(values: HandlerValues): unknown {
    const checked = this.#options.check?.(values);
    if (checked !== undefined) return checked.then(() => this.#prove(values));
    return this.#prove(values);
  }

  /** Makes sure that no other run has taken over: this run would then change nothing more. */
  #prove(values: HandlerValues): unknown {
    const { phase, record } = this;
    const isLook = phase === "read" || phase === "plan";
    const proof = isLook ? undefined : this.#app.ledger.proveOwn(record.uid);
    return proof === undefined ? this.#begin(values) : proof.then(() => this.#begin(values));
  }

  returned(output: unknown): HandlerEnd {
    this.#leave();
    const { ending, isUnchanged } = this;
    return ending ? { signal: ending } : { output, isUnchanged };
  }

  threw(error: unknown): HandlerEnd {
    this.#leave();
    const { ending } = this;
    if (ending && error === ending) return { signal: ending };
    throw readable(error);
  }

  #begin({ props, previous, output }: HandlerValues): unknown {
    const app = this.#app;
    app.signal.throwIfAborted();
    this.#options.admission?.begin();
    this.#options.begin?.();
    app.run.running.add(this.ref);
    this.props = props;
    this.previous = previous;
    this.output = output;
    this.signal = this.scope.signal;
    return app.calls.handler.used ? this.#around(() => this.#called()) : this.#called();
  }

  /** Calls the handler inside the taps of the hook `handler`. */
  #around(call: () => unknown): Promise<unknown> {
    const { ref, scope, phase, record } = this;
    const { admission } = this.#options;
    const context = { ...ref, scope, phase, attempt: record.attempt, waited: admission?.waited ?? 0 };
    return this.#app.calls.handler.call(context, () => this.#asMeant(call));
  }

  #called(): unknown {
    const { phase, ref, scope } = this;
    const { timeout } = this.#options;
    if (phase === "create" || phase === "update") forgetScopes(scope, this.record.key);
    return runInScope(this.#ownScope(), () => {
      if (timeout === undefined) return this.#handler(this);
      return withTimeout({ timeout, signal: scope.signal, phase, fqn: ref.fqn }, (signal) => {
        this.signal = signal;
        // `this.replace()` and `this.destroy()` count even after the timeout.
        return this.#asMeant(() => this.#handler(this));
      });
    });
  }

  /** Returns the handler's result; undefined if it has called `this.replace()` or `this.destroy()`. */
  async #asMeant(call: () => unknown): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      const { ending } = this;
      if (ending && error === ending) return undefined;
      throw error;
    }
  }

  /** Returns the scope of the children that the handler declares. */
  #ownScope(): Scope {
    const { id, kind } = this.ref;
    const { path, options } = this.scope[INTERNALS];
    const { uid, key, ready } = this.record;
    return Scope.make(id, id, this.scope, {
      app: this.#app,
      options,
      path: joined(path, id),
      // Its contents move with the resource.
      formerPaths: [],
      resource: { uid, key, kind, ready, slot: this.#slot },
    });
  }

  #leave(): void {
    const { phase, ref, record } = this;
    const { run } = this.#app;
    this.#options.admission?.end();
    // Even after a failure, because it may have taken effect.
    if (phase === "create" && this.#definition.readLag > 0) run.readLags.created(record.uid);
    run.running.delete(ref);
    // In this order: a parent whose handler is under way gets its slot back before a new handler gets one.
    this.scope[INTERNALS].resource?.slot.giveBack();
    this.#slot.end();
  }
}

export function isRetaining(end: HandlerEnd): boolean {
  return end.signal instanceof DestroySignal && end.signal.retainChildren;
}
