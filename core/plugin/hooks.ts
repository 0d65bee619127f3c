/** The hooks of an engine, built on tapable and guarded against its pitfalls. The only file that imports tapable. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import { EngineError, nameHint } from "../base/index.js";
import {
  type Around,
  type EngineHooks,
  HOOKS,
  type HookCalls,
  type HookName,
  type TapOptions,
} from "../contract/index.js";
import { callInTurn, firstAnswerOf, passOn, untilAnswered } from "./call-taps.js";
import { failure, guardedSync, orderOf } from "./tap-options.js";
import { asynchronous, type Run, type Session, tappable, type Ways } from "./tappable.js";

/** Both sides of one hook: plugins tap `hook`, and the engine uses `calls`. */
interface Hook {
  readonly hook: object;
  readonly calls: object;
}

const NAMES = Object.keys(HOOKS) as readonly HookName[];

/**
 * Makes the hooks of one engine: the frozen object that plugins get, and the calls that only the engine has. After
 * `cleanup` was called, hooks can no longer be tapped.
 *
 * @param warn called for a tap that returned a promise from `tap`
 */
export function createHooks(warn: Session["warn"] = () => {}): {
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
} {
  const session: Session = { warn, isOver: false };
  const make = makers(session);
  const hooks: Record<string, object> = {};
  const calls: Record<string, object> = {};
  for (const name of NAMES) {
    const made = make[HOOKS[name].kind](name);
    hooks[name] = made.hook;
    calls[name] = made.calls;
  }
  Object.setPrototypeOf(hooks, NO_OTHERS);
  // Each kind makes the types that the table gives it.
  return { hooks: Object.freeze(hooks) as EngineHooks, calls: Object.freeze(calls) as HookCalls };
}

/** A hook of tapable, made when it is first tapped: each run has hooks of its own, and taps few of them. */
class Inner<H extends { isUsed(): boolean; intercept(interceptor: never): void }> {
  readonly #make: () => H;
  /** Undefined as long as nothing has tapped it. */
  made: H | undefined;

  constructor(make: () => H) {
    this.#make = make;
  }

  get hook(): H {
    this.made ??= this.#make();
    return this.made;
  }

  isUsed(): boolean {
    return this.made?.isUsed() === true;
  }

  intercept(interceptor: object): void {
    this.hook.intercept(interceptor as never);
  }
}

// tapable passes a tap only as many arguments as its constructor lists names, so each one lists them. Asynchronous
// hooks only use tapPromise: tapable would not await a promise returned from `tap`.

function makers(session: Session) {
  const made = (name: HookName, taps: { isUsed(): boolean }, ways: Ways, call: unknown): Hook => ({
    hook: tappable(name, session, taps, ways),
    calls: new Callable(taps, call),
  });

  function series(name: HookName): Hook {
    const inner = new Inner(() => new AsyncSeriesHook<[unknown]>(["context"], name));
    const ways = asynchronous<unknown, void>(name, session, () => inner.hook);
    return made(name, inner, ways, async (context: unknown) => {
      if (inner.made) await callInTurn(inner.made, context);
    });
  }

  function firstAnswer(name: HookName): Hook {
    const inner = new Inner(() => new AsyncSeriesBailHook<[unknown], unknown>(["context"], name));
    const ways = asynchronous<unknown, unknown>(name, session, () => inner.hook);
    return made(name, inner, ways, async (context: unknown) => inner.made && untilAnswered(inner.made, context));
  }

  function syncFirstAnswer(name: HookName): Hook {
    const inner = new Inner(() => new SyncBailHook<[unknown], unknown>(["context"], name));
    const tap: Ways["tap"] = (options, fn) =>
      inner.hook.tap(orderOf(options, inner.hook), guardedSync(options, name, fn as Run<unknown, unknown>));
    return made(name, inner, { tap }, (context: unknown) => inner.made && firstAnswerOf(inner.made, context));
  }

  function waterfall(name: HookName): Hook {
    const inner = new Inner(() => new SyncWaterfallHook<[unknown]>(["context"], name));
    const tap: Ways["tap"] = (options, fn) =>
      inner.hook.tap(orderOf(options, inner.hook), guardedSync(options, name, returning(fn as Run<unknown, unknown>)));
    return made(name, inner, { tap }, (context: unknown) => (inner.made ? passOn(inner.made, context) : context));
  }

  /** tapable stops a series at the first rejection, so these taps never reject, and collect their errors. */
  function every(name: HookName): Hook {
    const inner = new Inner(() => new AsyncSeriesHook<[unknown, unknown[]]>(["context", "errors"], name));
    const collecting = () => ({
      taps: inner.hook.taps,
      tapPromise(options: ReturnType<typeof orderOf>, run: (context: unknown) => Promise<unknown>): void {
        inner.hook.tapPromise(options, (context, errors) =>
          run(context).then(undefined, (error: unknown) => void errors.push(error)),
        );
      },
    });
    return made(name, inner, asynchronous<unknown, void>(name, session, collecting), async (context: unknown) => {
      const errors: unknown[] = [];
      session.isOver = true;
      if (inner.made) await callInTurn(inner.made, context, errors);
      return errors;
    });
  }

  function around(name: HookName): Hook {
    const inner = new Inner(() => new SyncBailHook<[unknown], undefined>(["context"], name));
    const taps = new AroundTaps<unknown>(name, inner);
    const tapPromise: Ways["tapPromise"] = (options, fn) => taps.add(options, fn as never);
    return made(name, taps, { tapPromise }, (context: unknown, work: Next<unknown>) => taps.call(context, work));
  }

  return { series, firstAnswer, syncFirstAnswer, waterfall, every, around };
}

/** Without this check, tapable would silently pass on the old context and lose the tap's additions. */
function returning<C>(fn: Run<C, C>): Run<C, C> {
  return (context) => {
    const next: unknown = fn(context);
    if (typeof next === "object" && next !== null) return next as C;
    const returned = next === null ? "null" : typeof next;
    throw new TypeError(`a tap must return the context with its additions; it returned ${returned}.`);
  };
}

/** The engine's side of a hook. Each run makes one for each hook, so it is small. */
class Callable<F> {
  readonly #taps: { isUsed(): boolean };
  readonly call: F;

  constructor(taps: { isUsed(): boolean }, call: F) {
    this.#taps = taps;
    this.call = call;
  }

  get used(): boolean {
    return this.#taps.isUsed();
  }
}

/**
 * Prototype of the hooks of all engines. It makes unknown names throw, and reading an existing hook costs nothing.
 * `"name" in hooks` still checks for a hook. The proxy is not the prototype itself: setting one as the prototype of an
 * object takes longer than making all hooks.
 */
const NO_OTHERS: object = Object.create(
  new Proxy(
    {},
    {
      get(_target: object, name: string | symbol): unknown {
        // Names that the language, and code that prints values, reads of every object.
        if (typeof name === "symbol" || name in Object.prototype || name === "then" || name === "toJSON") {
          return Reflect.get(Object.prototype, name);
        }
        const hint = nameHint(name, NAMES, "The hooks are");
        throw new EngineError("INVALID_DEFINITION", `There is no hook "${name}". ${hint}`);
      },
    },
  ),
);

// Taps around a piece of work. Each gets `next`, which calls the tap after it, and finally the work itself.

type Next<T> = () => Promise<T>;

/** A tapable hook that is used only to keep the taps in order. */
type Ordered = Inner<SyncBailHook<[unknown], undefined>>;

/** The taps of one hook, the first one outermost. */
class AroundTaps<C> {
  readonly #name: HookName;
  readonly #ordered: Ordered;

  constructor(name: HookName, ordered: Ordered) {
    this.#name = name;
    this.#ordered = ordered;
  }

  isUsed(): boolean {
    return this.#ordered.isUsed();
  }

  add(options: TapOptions, fn: Around<C>): void {
    const { hook } = this.#ordered;
    hook.tap(orderOf(options, hook), fn as never);
  }

  call<T>(context: C, work: Next<T>): Promise<T> {
    const taps = this.#ordered.made?.taps ?? [];
    const outermost = taps.reduceRight<Next<T>>(
      (next, { name, fn }) =>
        () =>
          through(fn as Around<C>, context, next, (why) => failure(name, this.#name, context, why)),
      work,
    );
    return outermost();
  }
}

/**
 * Runs one tap around `next`. @throws EngineError `PLUGIN_FAILED` unless the tap called `next` once and waited for it;
 * otherwise the tap's own error
 */
async function through<C, T>(fn: Around<C>, context: C, next: Next<T>, failed: (why: Error) => Error): Promise<T> {
  let work: Promise<T> | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  await fn(context, () => {
    if (work !== undefined) throw failed(new TypeError("it called next() twice, but the work is done only once."));
    work = next();
    work.then(end, end);
    return work;
  });
  if (work === undefined) throw failed(new TypeError("it did not call next(), which does the work."));
  // The result or error of the work stands, whatever the tap returns.
  if (isOver) return work;
  await Promise.allSettled([work]);
  throw failed(new TypeError("it did not wait for the promise of next()."));
}
