/** One call of a handler: in its slot, in its scope, with its context. */

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
import { withTimeout } from "./retry.js";

/** What a handler is called with. */
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
  /** In a plan: the resources that it depends on and that would be changed. */
  readonly changing?: readonly ResourceRef[];
  /** Milliseconds that the handler may take. */
  readonly timeout: number | undefined;
  /** Asked for once the handler has its slot: of what waits for one, as little as possible is kept. */
  values(): HandlerValues | Promise<HandlerValues>;
  /** Asked with these values before that: a rejection, or what it throws, keeps the handler from being called. */
  check?(values: HandlerValues): Promise<unknown> | undefined;
  /** Called when nothing keeps the handler from running any more: what it does may take effect from then on. */
  begin?(): void;
  /** The admission of its operation; absent for a handler that only looks. */
  readonly admission?: Admission;
}

/** What the handler returned, or how it asked to end instead. */
export type HandlerEnd =
  | { readonly output: unknown; readonly signal?: undefined; readonly isUnchanged?: boolean }
  | { readonly output?: undefined; readonly signal: Signal };

/** The handlers that create and update what is declared in a scope. */
export function handlersOf(definition: Definition, scope: Scope): DefinedHandlers {
  return definition.handlers(isSimulated(definition, scope));
}

/** The handlers for what is recorded: those that made it. */
export function handlersFor(definition: Definition, record: ResourceRecord): DefinedHandlers {
  return definition.handlers(record.local === true);
}

/** True where what is declared in a scope is made by handlers of its own. */
export function isSimulated({ hasLocal }: Definition, scope: Scope): boolean {
  return hasLocal && scope.local;
}

/** True where a resource was made locally and is not to be, or the other way round: what made it must delete it. */
export function isElsewhere({ local }: ResourceRecord, isLocal: boolean): boolean {
  return (local === true) !== isLocal;
}

/**
 * Waits for a slot, then runs the handler. Rejects with what the handler threw.
 *
 * @throws EngineError `INVALID_DEFINITION` where there is none
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

/** Not asynchronous itself: each promise costs every resource a turn. */
function perform(call: RunningHandler): Promise<HandlerEnd> {
  let made: unknown;
  try {
    made = call.make();
  } catch (error) {
    made = Promise.reject(error);
  }
  // A promise of the program's own class may have a `then` that does anything: a native one calls it.
  return Promise.resolve(made).then(
    (output) => call.returned(output),
    (error) => call.threw(error),
  );
}

/** Frozen: handlers of all types are given it. */
const NO_CHANGES: readonly string[] = Object.freeze([]);

/** The call of a handler that has its slot, until it gives that back. */
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

  /** What the handler returns, or a promise of it, once nothing is in its way. */
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

  /** A run that another one has taken over changes nothing more. */
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

  /** The call, inside of the taps of the hook `handler`. */
  #around(call: () => unknown): Promise<unknown> {
    const { ref, scope, phase, record } = this;
    const { admission } = this.#options;
    const context = { ...ref, scope, phase, attempt: record.attempt, waited: admission?.waited ?? 0 };
    return this.#app.calls.handler.call(context, () => this.#asMeant(call));
  }

  #called(): unknown {
    const { phase, ref, scope } = this;
    const { timeout } = this.#options;
    if (phase === "create" || phase === "update") this.#forgetScopes();
    return runInScope(this.#ownScope(), () => {
      if (timeout === undefined) return this.#handler(this);
      return withTimeout({ timeout, signal: scope.signal, phase, fqn: ref.fqn }, (signal) => {
        this.signal = signal;
        // `this.replace()` and `this.destroy()` count also after the time is up.
        return this.#asMeant(() => this.#handler(this));
      });
    });
  }

  /** What the handler returns; undefined where it has called `this.replace()` or `this.destroy()`. */
  async #asMeant(call: () => unknown): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      const { ending } = this;
      if (ending && error === ending) return undefined;
      throw error;
    }
  }

  /** Scopes that an earlier call has entered are those of this one only once it enters them again. */
  #forgetScopes(): void {
    const { children } = this.scope;
    const { key } = this.record;
    this.#app.run.aliases.forget(key);
    if (children.get(this.ref.id)?.[INTERNALS].resource?.key === key) children.delete(this.ref.id);
  }

  /** The scope that children declared by the handler belong to. */
  #ownScope(): Scope {
    const { id, kind } = this.ref;
    const { path, options } = this.scope[INTERNALS];
    const { uid, key, ready } = this.record;
    return Scope.make(id, id, this.scope, {
      app: this.#app,
      options,
      path: joined(path, id),
      // What is recorded in there moves with the resource.
      formerPaths: [],
      resource: { uid, key, kind, ready, slot: this.#slot },
    });
  }

  #leave(): void {
    const { phase, ref, record } = this;
    const { run } = this.#app;
    this.#options.admission?.end();
    // Also where it has failed: it may have taken effect.
    if (phase === "create" && this.#definition.readLag > 0) run.readLags.created(record.uid);
    run.running.delete(ref);
    // In this order: a parent, which is half-way, has its slot again before a new handler gets one.
    this.scope[INTERNALS].resource?.slot.giveBack();
    this.#slot.end();
  }
}

export function isRetaining(end: HandlerEnd): boolean {
  return end.signal instanceof DestroySignal && end.signal.retainChildren;
}
