/** The hooks of an engine, made of tapable and guarded against its traps. The only file that imports tapable. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import { EngineError, nearest } from "../base/index.js";
import type {
  Around,
  AroundCall,
  AroundHook,
  EngineHooks,
  EveryCall,
  EveryHook,
  FirstAnswerCall,
  FirstAnswerHook,
  HookCalls,
  HookName,
  SeriesCall,
  SeriesHook,
  SyncFirstAnswerCall,
  SyncFirstAnswerHook,
  Tap,
  WaterfallCall,
  WaterfallHook,
} from "../contract/index.js";
import { AroundTaps } from "./around.js";
import { guarded, guardedSync } from "./hook-guards.js";

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
    storeRequest: around("storeRequest"),
    stateKey: syncFirstAnswer("stateKey"),
    stateLoaded: series("stateLoaded"),
    scopeCreated: series("scopeCreated"),
    encodeValue: syncFirstAnswer("encodeValue"),
    decodeValue: syncFirstAnswer("decodeValue"),
    resolveKind: firstAnswer("resolveKind"),
    props: series("props"),
    beforeApply: series("beforeApply"),
    handler: around("handler"),
    afterApply: series("afterApply"),
    applyFailed: series("applyFailed"),
    beforeDelete: series("beforeDelete"),
    afterDelete: series("afterDelete"),
    deleteFailed: series("deleteFailed"),
    beforePrune: series("beforePrune"),
    scopePruned: series("scopePruned"),
    beforeDestroy: series("beforeDestroy"),
    scopeDestroyed: series("scopeDestroyed"),
    beforeFinalize: series("beforeFinalize"),
    afterFinalize: series("afterFinalize"),
    ask: firstAnswer("ask"),
    exec: syncFirstAnswer("exec"),
    spawn: syncFirstAnswer("spawn"),
    tunnel: firstAnswer("tunnel"),
    redact: waterfall("redact"),
    seal: syncFirstAnswer("seal"),
    unseal: firstAnswer("unseal"),
    cleanup: every("cleanup"),
  };
  const side = <S extends "hook" | "calls">(which: S): object =>
    Object.fromEntries(Object.entries(table).map(([name, hook]) => [name, hook[which]]));
  const hooks = withoutOthers(side("hook"));
  return { hooks: Object.freeze(hooks) as EngineHooks, calls: Object.freeze(side("calls")) as HookCalls };
}

// tapable gives taps no arguments unless their names are listed: hence the list at each constructor.
// An asynchronous tap is always given as tapPromise: `.tap(name, async fn)` would not be awaited.

function series<C>(name: HookName): Hook<SeriesHook<C>, SeriesCall<C>> {
  const inner = new AsyncSeriesHook<[C]>(["context"]);
  return {
    hook: tappable(name, (tap, fn) => inner.tapPromise(orderOf(tap), guarded(tap, name, fn))),
    calls: callable(inner, async (context) => {
      if (inner.isUsed()) await inner.promise(context);
    }),
  };
}

function firstAnswer<C, R>(name: HookName): Hook<FirstAnswerHook<C, R>, FirstAnswerCall<C, R>> {
  const inner = new AsyncSeriesBailHook<[C], R | undefined>(["context"]);
  return {
    hook: tappable(name, (tap, fn) => inner.tapPromise(orderOf(tap), guarded(tap, name, fn))),
    calls: callable(inner, async (context) => (inner.isUsed() ? await inner.promise(context) : undefined)),
  };
}

function syncFirstAnswer<C, R>(name: HookName): Hook<SyncFirstAnswerHook<C, R>, SyncFirstAnswerCall<C, R>> {
  const inner = new SyncBailHook<[C], R | undefined>(["context"]);
  return {
    hook: tappable(name, (tap, fn) => inner.tap(orderOf(tap), guardedSync(tap, name, fn))),
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
    hook: tappable(name, (tap, fn) => inner.tap(orderOf(tap), guardedSync(tap, name, returning(fn)))),
    calls: callable(inner, (context) => inner.call(context)),
  };
}

/** tapable stops a series at the first rejection: these taps never reject, and hand their errors in. */
function every<C>(name: HookName): Hook<EveryHook<C>, EveryCall<C>> {
  const inner = new AsyncSeriesHook<[C, unknown[]]>(["context", "errors"]);
  return {
    hook: tappable(name, (tap, fn: (context: C) => void | Promise<void>) => {
      const run = guarded(tap, name, fn);
      inner.tapPromise(orderOf(tap), (context, errors) =>
        run(context).catch((error: unknown) => void errors.push(error)),
      );
    }),
    calls: callable(inner, async (context) => {
      const errors: unknown[] = [];
      if (inner.isUsed()) await inner.promise(context, errors);
      return errors;
    }),
  };
}

function around<C>(name: HookName): Hook<AroundHook<C>, AroundCall<C>> {
  const taps = new AroundTaps<C>(name);
  return {
    hook: tappable(name, (tap, fn: Around<C>) => taps.add(tap, fn)),
    calls: callable(taps, (context, work) => taps.call(context, work)),
  };
}

function tappable<F>(name: HookName, add: (tap: Tap, fn: F) => void): { tap(plugin: string | Tap, fn: F): void } {
  return Object.freeze({
    tap(plugin: string | Tap, fn: F): void {
      const tap = typeof plugin === "object" && plugin !== null ? plugin : { plugin };
      const invalid = whyNotTappable(tap, fn);
      if (invalid) throw new EngineError("INVALID_DEFINITION", `Hook "${name}" cannot be tapped: ${invalid}.`);
      add(tap, fn);
    },
  });
}

function whyNotTappable({ plugin }: Tap, fn: unknown): string | undefined {
  if (typeof plugin !== "string" || plugin.trim() === "")
    return "the first argument must be, or hold, the name of the plugin";
  if (typeof fn !== "function") return `plugin "${plugin}" passed ${typeof fn} instead of a function`;
  return undefined;
}

/** As tapable has it: what is tapped with a greater number comes later. */
function orderOf({ plugin, last = false }: Tap): { readonly name: string; readonly stage: number } {
  return { name: plugin, stage: last ? 1 : 0 };
}

function callable<F>(taps: { isUsed(): boolean }, call: F): { readonly used: boolean; readonly call: F } {
  return Object.freeze({
    get used(): boolean {
      return taps.isUsed();
    },
    call,
  });
}

/**
 * Behind the hooks, so that who asks for one that is there pays nothing. `"name" in hooks` asks whether there is one.
 *
 * @param hooks by name
 */
function withoutOthers<T extends object>(hooks: T): T {
  const refuse = (_target: object, name: string | symbol): unknown => {
    // What the language, and what shows values, asks of every object.
    if (typeof name === "symbol" || name in Object.prototype || name === "then" || name === "toJSON") {
      return Reflect.get(Object.prototype, name);
    }
    const near = nearest(name, Object.keys(hooks));
    const hint = near === undefined ? `The hooks are: ${Object.keys(hooks).join(", ")}.` : `Did you mean "${near}"?`;
    throw new EngineError("INVALID_DEFINITION", `There is no hook "${name}". ${hint}`);
  };
  return Object.setPrototypeOf(hooks, new Proxy({}, { get: refuse }));
}
