/** The hooks of an engine, built on tapable and guarded against its pitfalls. The only file that imports tapable. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import { EngineError, nameHint } from "../base/index.js";
import { type Around, type EngineHooks, HOOKS, type HookCalls, type HookName } from "../contract/index.js";
import { callInTurn, firstAnswerOf, passOn, untilAnswered } from "./call-taps.js";
import { failure, guardedSync, orderOf } from "./tap-options.js";
import { asynchronous, type Inner, type Run, type Session, Tappable, type Ways } from "./tappable.js";

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
  const hooks: Record<string, object> = {};
  const calls: Record<string, object> = {};
  for (const name of NAMES) {
    const call = new KINDS[HOOKS[name].kind](name, session);
    calls[name] = call;
    hooks[name] = new Tappable(name, session, call);
  }
  Object.setPrototypeOf(hooks, NO_OTHERS);
  // Each kind makes the types that the table gives it.
  return { hooks: Object.freeze(hooks) as EngineHooks, calls: Object.freeze(calls) as unknown as HookCalls };
}

/** A hook of tapable, as far as all kinds have the same members. */
interface Made {
  isUsed(): boolean;
  intercept(interceptor: never): void;
}

/**
 * The engine's side of a hook. Each run has hooks of its own and taps few of them, so this is small, and tapable's hook
 * is made when it is first tapped.
 */
abstract class HookCall<H extends Made> implements Inner {
  readonly name: HookName;
  readonly session: Session;
  /** Undefined as long as nothing has tapped it. */
  made: H | undefined;

  constructor(name: HookName, session: Session) {
    this.name = name;
    this.session = session;
  }

  get hook(): H {
    this.made ??= this.make();
    return this.made;
  }

  get used(): boolean {
    return this.made?.isUsed() === true;
  }

  intercept(interceptor: object): void {
    this.hook.intercept(interceptor as never);
  }

  abstract make(): H;
  abstract ways(): Ways;
}

// tapable passes a tap only as many arguments as its constructor lists names, so each one lists them. Asynchronous
// hooks only use tapPromise: tapable would not await a promise returned from `tap`.

class Series extends HookCall<AsyncSeriesHook<[unknown]>> {
  make() {
    return new AsyncSeriesHook<[unknown]>(["context"], this.name);
  }

  ways(): Ways {
    return asynchronous<unknown, void>(this.name, this.session, this.hook);
  }

  async call(context: unknown): Promise<void> {
    if (this.made) await callInTurn(this.made, context);
  }
}

class FirstAnswer extends HookCall<AsyncSeriesBailHook<[unknown], unknown>> {
  make() {
    return new AsyncSeriesBailHook<[unknown], unknown>(["context"], this.name);
  }

  ways(): Ways {
    return asynchronous<unknown, unknown>(this.name, this.session, this.hook);
  }

  async call(context: unknown): Promise<unknown> {
    return this.made && untilAnswered(this.made, context);
  }
}

class SyncFirstAnswer extends HookCall<SyncBailHook<[unknown], unknown>> {
  make() {
    return new SyncBailHook<[unknown], unknown>(["context"], this.name);
  }

  ways(): Ways {
    const { name, hook } = this;
    return {
      tap: (options, fn) => hook.tap(orderOf(options, hook), guardedSync(options, name, fn as Run<unknown, unknown>)),
    };
  }

  call(context: unknown): unknown {
    return this.made && firstAnswerOf(this.made, context);
  }
}

class Waterfall extends HookCall<SyncWaterfallHook<[unknown]>> {
  make() {
    return new SyncWaterfallHook<[unknown]>(["context"], this.name);
  }

  ways(): Ways {
    const { name, hook } = this;
    return {
      tap: (options, fn) =>
        hook.tap(orderOf(options, hook), guardedSync(options, name, returning(fn as Run<unknown, unknown>))),
    };
  }

  call(context: unknown): unknown {
    return this.made ? passOn(this.made, context) : context;
  }
}

/** tapable stops a series at the first rejection, so these taps never reject, and collect their errors. */
class Every extends HookCall<AsyncSeriesHook<[unknown, unknown[]]>> {
  make() {
    return new AsyncSeriesHook<[unknown, unknown[]]>(["context", "errors"], this.name);
  }

  ways(): Ways {
    const { hook } = this;
    return asynchronous<unknown, void>(this.name, this.session, {
      taps: hook.taps,
      tapPromise(options: ReturnType<typeof orderOf>, run: (context: unknown) => Promise<unknown>): void {
        hook.tapPromise(options, (context, errors) =>
          run(context).then(undefined, (error: unknown) => void errors.push(error)),
        );
      },
    });
  }

  async call(context: unknown): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    this.session.isOver = true;
    if (this.made) await callInTurn(this.made, context, errors);
    return errors;
  }
}

/** tapable's hook is used only to keep the taps in order; the first one is the outermost. */
class AroundWork extends HookCall<SyncBailHook<[unknown], undefined>> {
  make() {
    return new SyncBailHook<[unknown], undefined>(["context"], this.name);
  }

  ways(): Ways {
    const { hook } = this;
    return { tapPromise: (options, fn) => hook.tap(orderOf(options, hook), fn as never) };
  }

  call<T>(context: unknown, work: Next<T>): Promise<T> {
    const taps = this.made?.taps ?? [];
    const outermost = taps.reduceRight<Next<T>>(
      (next, { name, fn }) =>
        () =>
          through(fn as Around<unknown>, context, next, (why) => failure(name, this.name, context, why)),
      work,
    );
    return outermost();
  }
}

const KINDS = {
  series: Series,
  firstAnswer: FirstAnswer,
  syncFirstAnswer: SyncFirstAnswer,
  waterfall: Waterfall,
  every: Every,
  around: AroundWork,
};

/** Without this check, tapable would silently pass on the old context and lose the tap's additions. */
function returning<C>(fn: Run<C, C>): Run<C, C> {
  return (context) => {
    const next: unknown = fn(context);
    if (typeof next === "object" && next !== null) return next as C;
    const returned = next === null ? "null" : typeof next;
    throw new TypeError(`a tap must return the context with its additions; it returned ${returned}.`);
  };
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
