/** One call of a handler: in its place, in its scope, with its context. */
import type { App } from "../app.js";
import { EngineError } from "../errors.js";
import {
  DestroySignal,
  type Ending,
  HandlerContext,
  type HandlerRun,
  type ReplaceSignal,
} from "../resource/context.js";
import type { DefinedHandlers, Definition, HandlerCall } from "../resource/definition.js";
import { runInScope } from "../scope/current.js";
import { INTERNALS } from "../scope/internals.js";
import { Scope } from "../scope/scope.js";
import type { ResourceRecord } from "../state/record.js";
import { Place } from "./limit.js";
import { withTimeout } from "./timeout.js";

export interface HandlerInput extends Omit<HandlerRun, "ref" | "local"> {
  readonly app: App;
  readonly definition: Definition;
  readonly ref: HandlerRun["ref"];
  readonly props: unknown;
  /** Milliseconds that the handler may take. */
  readonly timeout?: number | undefined;
  /** Called when nothing keeps the handler from running any more: what it does may take effect from then on. */
  begin?(): void;
}

/** How a handler asked to end. */
export type Signal = ReplaceSignal | DestroySignal;

/** What the handler returned, or how it asked to end instead. */
export type HandlerEnd =
  | { readonly output: unknown; readonly signal?: undefined }
  | { readonly output?: undefined; readonly signal: Signal };

/** Those that make, and go on with, what is declared in a scope. */
export function handlersOf(definition: Definition, scope: Scope): DefinedHandlers {
  return definition.handlers(isSimulated(definition, scope));
}

/** Those that know what is recorded: the ones that made it. */
export function handlersFor(definition: Definition, record: ResourceRecord): DefinedHandlers {
  return definition.handlers(record.local === true);
}

/** True where what is declared in a scope is made by handlers of its own. */
export function isSimulated({ hasLocal }: Definition, scope: Scope): boolean {
  return hasLocal && scope.local;
}

/** Waits for a place, then runs the handler. Rejects with what the handler threw. */
export async function callHandler(input: HandlerInput): Promise<HandlerEnd> {
  const { app, scope, phase, definition, record } = input;
  const handler = handlersFor(definition, record)[phase];
  if (!handler) throw new EngineError("INVALID_DEFINITION", `"${definition.kind}" has no ${phase} handler.`);
  const parent = scope[INTERNALS].resource?.place;
  parent?.lend();
  const taken = Place.take(app.limiter);
  const place = taken instanceof Place ? taken : await taken;
  const ending: Ending = { signal: undefined };
  const { running } = app.generation;
  const local = definition.hasLocal ? record.local === true : scope.local;
  let run: HandlerRun = { ...input, local };
  const view = (props: unknown): HandlerContext => new HandlerContext(run, props, ending);
  const call: HandlerCall = { id: input.ref.id, props: input.props, previous: input.previous, view };
  try {
    const closed = app.gate.pass();
    if (closed !== undefined) await closed;
    app.throwIfInterrupted();
    input.begin?.();
    running.add(input.ref);
    const { timeout } = input;
    const make = (): unknown =>
      runInScope(scopeOf(input, place), () => {
        if (timeout === undefined) return handler(call);
        return withTimeout({ timeout, signal: scope.signal, phase, fqn: input.ref.fqn }, (signal) => {
          run = { ...input, local, signal };
          // It may end as it meant to, if late.
          return asMeant(ending, async () => handler(call));
        });
      });
    const output = await (app.calls.handler.used ? around(input, () => asMeant(ending, async () => make())) : make());
    return ending.signal ? { signal: ending.signal } : { output };
  } catch (error) {
    if (ending.signal && error === ending.signal) return { signal: ending.signal };
    throw error;
  } finally {
    running.delete(input.ref);
    // In this order: a parent, which is half-way, has its place again before somebody new gets one.
    parent?.giveBack();
    place.end();
  }
}

/** What the handler returns; undefined where it asked to end in another way. */
async function asMeant(ending: Ending, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (ending.signal && error === ending.signal) return undefined;
    throw error;
  }
}

/** The call as plugins have wrapped it; made once, whatever they do. @throws EngineError `PLUGIN_FAILED` where it is not */
async function around(input: HandlerInput, call: () => Promise<unknown>): Promise<unknown> {
  const { app, ref, scope, phase, record } = input;
  let made: Promise<unknown> | undefined;
  const once = (): Promise<unknown> => {
    made ??= call();
    return made;
  };
  const output = await app.calls.handler.call({ ...ref, scope, phase, attempt: record.attempt, call: once }).call();
  if (made !== undefined) return output;
  const message = `A plugin that taps the hook "handler" has not made the ${phase} of "${ref.fqn}": it must call the \`call\` that it is given.`;
  throw new EngineError("PLUGIN_FAILED", message, { fqn: ref.fqn });
}

/** The scope that children declared by the handler belong to. */
function scopeOf({ app, scope, record, ref }: HandlerInput, place: Place): Scope {
  const { path, options } = scope[INTERNALS];
  const { uid, key, ready } = record;
  return new Scope(ref.id, ref.id, scope, {
    app,
    options,
    path: path === "" ? ref.id : `${path}/${ref.id}`,
    resource: { uid, key, ready, place },
  });
}

export function isRetaining(end: HandlerEnd): boolean {
  return end.signal instanceof DestroySignal && end.signal.retainChildren;
}
