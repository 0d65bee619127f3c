/** The hooks of an engine, made of tapable and guarded against its traps. The only file that imports tapable. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import { EngineError, isEngineError, messageOf } from "./errors.js";
import type {
  EngineHooks,
  EveryCall,
  FirstAnswerCall,
  FirstAnswerHook,
  HookCalls,
  HookName,
  SeriesCall,
  SeriesHook,
  SyncFirstAnswerCall,
  SyncFirstAnswerHook,
  Tappable,
  WaterfallCall,
  WaterfallHook,
} from "./hook-table.js";

/** One hook from both sides: what plugins tap, and what the engine calls. */
interface Hook<Tapped, Called> {
  readonly hook: Tapped;
  readonly calls: Called;
}

/** The hooks of one engine: the frozen object that plugins get, and the calls that only the engine has. */
export function createHooks(): { readonly hooks: EngineHooks; readonly calls: HookCalls } {
  const table: { readonly [N in HookName]: Hook<EngineHooks[N], HookCalls[N]> } = {
    options: waterfall("options"),
    stateStore: firstAnswer("stateStore"),
    stateLoaded: series("stateLoaded"),
    scopeCreated: series("scopeCreated"),
    encodeValue: syncFirstAnswer("encodeValue"),
    decodeValue: syncFirstAnswer("decodeValue"),
    resolveKind: firstAnswer("resolveKind"),
    props: series("props"),
    beforeApply: series("beforeApply"),
    afterApply: series("afterApply"),
    applyFailed: series("applyFailed"),
    beforeDelete: series("beforeDelete"),
    afterDelete: series("afterDelete"),
    beforePrune: series("beforePrune"),
    beforeFinalize: series("beforeFinalize"),
    afterFinalize: series("afterFinalize"),
    tunnel: firstAnswer("tunnel"),
    redact: waterfall("redact"),
    seal: syncFirstAnswer("seal"),
    unseal: firstAnswer("unseal"),
    cleanup: every("cleanup"),
  };
  const side = <S extends "hook" | "calls">(which: S): unknown =>
    Object.freeze(Object.fromEntries(Object.entries(table).map(([name, hook]) => [name, hook[which]])));
  return { hooks: side("hook") as EngineHooks, calls: side("calls") as HookCalls };
}

// tapable gives taps no arguments unless their names are listed: hence the list at each constructor.
// An asynchronous tap is always given as tapPromise: `.tap(name, async fn)` would not be awaited.

function series<C>(name: HookName): Hook<SeriesHook<C>, SeriesCall<C>> {
  const inner = new AsyncSeriesHook<[C]>(["context"]);
  return {
    hook: tappable(name, (plugin, fn) => inner.tapPromise(plugin, guarded(plugin, name, fn))),
    calls: callable(inner, async (context) => {
      if (inner.isUsed()) await inner.promise(context);
    }),
  };
}

function firstAnswer<C, R>(name: HookName): Hook<FirstAnswerHook<C, R>, FirstAnswerCall<C, R>> {
  const inner = new AsyncSeriesBailHook<[C], R | undefined>(["context"]);
  return {
    hook: tappable(name, (plugin, fn) => inner.tapPromise(plugin, guarded(plugin, name, fn))),
    calls: callable(inner, async (context) => (inner.isUsed() ? await inner.promise(context) : undefined)),
  };
}

function syncFirstAnswer<C, R>(name: HookName): Hook<SyncFirstAnswerHook<C, R>, SyncFirstAnswerCall<C, R>> {
  const inner = new SyncBailHook<[C], R | undefined>(["context"]);
  return {
    hook: tappable(name, (plugin, fn) => inner.tap(plugin, guardedSync(plugin, name, fn))),
    calls: callable(inner, (context) => inner.call(context)),
  };
}

function waterfall<C extends object>(name: HookName): Hook<WaterfallHook<C>, WaterfallCall<C>> {
  const inner = new SyncWaterfallHook<[C]>(["context"]);
  const returning =
    (fn: (context: C) => C) =>
    (context: C): C => {
      const next: unknown = fn(context);
      if (typeof next === "object" && next !== null) return next as C;
      // tapable would silently pass on the old context and lose what the tap had meant to add.
      const returned = next === null ? "null" : typeof next;
      throw new TypeError(`a tap must return the context, with what it adds; it returned ${returned}.`);
    };
  return {
    hook: tappable(name, (plugin, fn) => inner.tap(plugin, guardedSync(plugin, name, returning(fn)))),
    calls: callable(inner, (context) => inner.call(context)),
  };
}

/** tapable stops a series at the first rejection: these taps never reject, and hand their errors in. */
function every<C>(name: HookName): Hook<SeriesHook<C>, EveryCall<C>> {
  const inner = new AsyncSeriesHook<[C, unknown[]]>(["context", "errors"]);
  return {
    hook: tappable(name, (plugin, fn) => {
      const run = guarded(plugin, name, fn);
      inner.tapPromise(plugin, (context, errors) => run(context).catch((error: unknown) => void errors.push(error)));
    }),
    calls: callable(inner, async (context) => {
      const errors: unknown[] = [];
      if (inner.isUsed()) await inner.promise(context, errors);
      return errors;
    }),
  };
}

function tappable<C, R>(name: HookName, add: (plugin: string, fn: (context: C) => R) => void): Tappable<C, R> {
  return Object.freeze({
    tap(plugin: string, fn: (context: C) => R): void {
      const invalid = whyNotTappable(plugin, fn);
      if (invalid) throw new EngineError("INVALID_DEFINITION", `Hook "${name}" cannot be tapped: ${invalid}.`);
      add(plugin, fn);
    },
  });
}

function whyNotTappable(plugin: unknown, fn: unknown): string | undefined {
  if (typeof plugin !== "string" || plugin.trim() === "") return "the first argument must be the name of the plugin";
  if (typeof fn !== "function") return `plugin "${plugin}" passed ${typeof fn} instead of a function`;
  return undefined;
}

function callable<C, R>(inner: { isUsed(): boolean }, call: (context: C) => R) {
  return Object.freeze({
    get used(): boolean {
      return inner.isUsed();
    },
    call,
  });
}

/** The tap, awaited whatever it returns, its failure naming plugin and hook. */
function guarded<C, R>(plugin: string, name: HookName, fn: (context: C) => R | Promise<R>) {
  return async (context: C): Promise<R> => {
    try {
      return await fn(context);
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

function guardedSync<C, R>(plugin: string, name: HookName, fn: (context: C) => R) {
  return (context: C): R => {
    try {
      const answer = fn(context);
      if (!isThenable(answer)) return answer;
      // Its own outcome no longer matters, and must not end the process as an unhandled rejection.
      answer.then(undefined, () => undefined);
      throw new TypeError("the hook is synchronous, and the tap returned a promise.");
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Said to whoever runs the program: the plugin that found it is of no interest to them. */
const spoken: ReadonlySet<string> = new Set([
  "FENCED",
  "INVALID_ARGUMENT",
  "PASSWORD_REQUIRED",
  "STATE_CORRUPT",
  "STATE_LOCKED",
  "STATE_MOVED",
  "STORE_FAILED",
  "TOO_MANY_DELETES",
  "TUNNEL_FAILED",
  "WRONG_PASSWORD",
]);

/** The code of an EngineError is kept: it decides the exit code, and what a caller can catch. */
function failure(plugin: string, name: HookName, context: unknown, error: unknown): EngineError {
  if (isEngineError(error) && spoken.has(error.code)) return error;
  const code = isEngineError(error) ? error.code : "PLUGIN_FAILED";
  const fqn = (isEngineError(error) ? error.fqn : undefined) ?? fqnOf(context);
  return new EngineError(code, `Plugin "${plugin}" failed in hook "${name}": ${messageOf(error)}`, {
    fqn,
    cause: error,
  });
}

function fqnOf(context: unknown): string | undefined {
  if (typeof context !== "object" || context === null || !("fqn" in context)) return undefined;
  return typeof context.fqn === "string" ? context.fqn : undefined;
}
