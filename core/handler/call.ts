/** One call of a handler: in its slot, in its scope, with its context. */

import { ConcurrencySlot, EngineError, joined, readable } from "../base/index.js";
import {
  type DefinedHandlers,
  type Definition,
  type HandlerCall,
  INTERNALS,
  type ResourceRecord,
  runInScope,
  Scope,
} from "../contract/index.js";
import { DestroySignal, type Ending, HandlerContext, type HandlerRun } from "../resource/index.js";
import type { Admission, App, Signal } from "../run/index.js";
import { withTimeout } from "./retry.js";

/** What a handler is called with. */
export interface HandlerValues {
  readonly props: unknown;
  readonly previous: unknown;
  readonly output: unknown;
}

export interface HandlerInput extends Omit<HandlerRun, "ref" | "local" | "signal" | "previous" | "output"> {
  readonly app: App;
  readonly definition: Definition;
  readonly ref: HandlerRun["ref"];
  /** Milliseconds that the handler may take. */
  readonly timeout: number | undefined;
  /** Asked for once the handler has its slot: of what waits for one, as little as possible is kept. */
  values(): HandlerValues | Promise<HandlerValues>;
  /** Asked with these values before that: a rejection, or what it throws, keeps the handler from being called. */
  check?(values: HandlerValues): Promise<unknown> | undefined;
  /** Called when nothing keeps the handler from running any more: what it does may take effect from then on. */
  begin?(): void;
  /** The admission of its task; absent for a handler that only looks. */
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

/**
 * Waits for a slot, then runs the handler. Rejects with what the handler threw.
 *
 * @throws EngineError `INVALID_DEFINITION` where there is none
 */
export function callHandler(input: HandlerInput): Promise<HandlerEnd> {
  const { app, scope, phase, definition, record } = input;
  const handler = handlersFor(definition, record)[phase];
  if (!handler) throw new EngineError("INVALID_DEFINITION", `"${definition.kind}" has no ${phase} handler.`);
  scope[INTERNALS].resource?.slot.lend();
  const taken = ConcurrencySlot.take(app.limiter);
  if (taken instanceof ConcurrencySlot) return perform(new Call(input, handler, taken));
  return taken.then((slot) => perform(new Call(input, handler, slot)));
}

/** Not asynchronous itself: each promise costs every resource a turn. */
function perform(call: Call): Promise<HandlerEnd> {
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

/** The call of a handler that has its slot, until it gives that back. */
class Call implements HandlerCall {
  readonly #input: HandlerInput;
  readonly #handler: (call: HandlerCall) => unknown;
  readonly #slot: ConcurrencySlot;
  readonly #ending: Ending = { signal: undefined, isUnchanged: false };
  #run: HandlerRun | undefined = undefined;
  props: unknown = undefined;
  previous: unknown = undefined;

  constructor(input: HandlerInput, handler: (call: HandlerCall) => unknown, slot: ConcurrencySlot) {
    this.#input = input;
    this.#handler = handler;
    this.#slot = slot;
  }

  get id(): string {
    return this.#input.ref.id;
  }

  view(props: unknown): HandlerContext {
    if (!this.#run) throw new EngineError("INVALID_CALL", "The handler has not begun.");
    return new HandlerContext(this.#run, props, this.#ending);
  }

  /** What the handler returns, or a promise of it, once nothing is in its way. */
  make(): unknown {
    const { app, phase } = this.#input;
    const closed = app.preflight.run({ isRead: phase === "read" || phase === "plan" });
    const values = closed === undefined ? this.#input.values() : closed.then(() => this.#input.values());
    return values instanceof Promise ? values.then((read) => this.#check(read)) : this.#check(values);
  }

  #check(values: HandlerValues): unknown {
    const checked = this.#input.check?.(values);
    return checked === undefined ? this.#begin(values) : checked.then(() => this.#begin(values));
  }

  returned(output: unknown): HandlerEnd {
    this.#leave();
    const { signal, isUnchanged } = this.#ending;
    return signal ? { signal } : { output, isUnchanged };
  }

  threw(error: unknown): HandlerEnd {
    this.#leave();
    const { signal } = this.#ending;
    if (signal && error === signal) return { signal };
    throw readable(error);
  }

  #begin(values: HandlerValues): unknown {
    const input = this.#input;
    const { app, scope, ref } = input;
    app.signal.throwIfAborted();
    input.admission?.begin();
    input.begin?.();
    app.generation.running.add(ref);
    this.props = values.props;
    this.previous = values.previous;
    this.#run = runOf(input, values, scope.signal);
    return app.calls.handler.used ? this.#around(() => this.#called(values)) : this.#called(values);
  }

  /** The call, inside of the taps of the hook `handler`. */
  #around(call: () => unknown): Promise<unknown> {
    const { app, ref, scope, phase, record, admission } = this.#input;
    const context = { ...ref, scope, phase, attempt: record.attempt, waited: admission?.waited ?? 0 };
    return app.calls.handler.call(context, () => this.#asMeant(call));
  }

  #called(values: HandlerValues): unknown {
    const input = this.#input;
    const { timeout, phase, ref, scope } = input;
    if (phase === "create" || phase === "update") forgetScopes(input);
    return runInScope(scopeOf(input, this.#slot), () => {
      if (timeout === undefined) return this.#handler(this);
      return withTimeout({ timeout, signal: scope.signal, phase, fqn: ref.fqn }, (signal) => {
        this.#run = runOf(input, values, signal);
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
      const { signal } = this.#ending;
      if (signal && error === signal) return undefined;
      throw error;
    }
  }

  #leave(): void {
    const { app, ref, scope, admission, phase, definition, record } = this.#input;
    admission?.end();
    // Also where it has failed: it may have taken effect.
    if (phase === "create" && definition.readLag > 0) app.generation.readLags.created(record.uid);
    app.generation.running.delete(ref);
    // In this order: a parent, which is half-way, has its slot again before a new handler gets one.
    scope[INTERNALS].resource?.slot.giveBack();
    this.#slot.end();
  }
}

/** Member by member: an object that is copied and then added to takes ten times as long to make and to read. */
function runOf(input: HandlerInput, { previous, output }: HandlerValues, signal: AbortSignal): HandlerRun {
  const { phase, ref, scope, record, recovering, adopt, changes, isDeclared, definition, changing } = input;
  const local = definition.hasLocal ? record.local === true : scope.local;
  return {
    phase,
    ref,
    scope,
    record,
    recovering,
    local,
    adopt,
    changes,
    previous,
    output,
    isDeclared,
    changing,
    signal,
  };
}

/** Scopes that an earlier call has entered are those of this one only once it enters them again. */
function forgetScopes({ app, scope: { children }, record: { key }, ref }: HandlerInput): void {
  app.generation.aliases.forget(key);
  if (children.get(ref.id)?.[INTERNALS].resource?.key === key) children.delete(ref.id);
}

/** The scope that children declared by the handler belong to. */
function scopeOf({ app, scope, record, ref }: HandlerInput, slot: ConcurrencySlot): Scope {
  const { path, options } = scope[INTERNALS];
  const { uid, key, ready } = record;
  return Scope.make(ref.id, ref.id, scope, {
    app,
    options,
    path: joined(path, ref.id),
    // What is recorded in there moves with the resource.
    formerPaths: [],
    resource: { uid, key, kind: ref.kind, ready, slot },
  });
}

export function isRetaining(end: HandlerEnd): boolean {
  return end.signal instanceof DestroySignal && end.signal.retainChildren;
}
