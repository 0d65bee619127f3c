/** What plugins hold of a hook: tapable's own methods, without those that call it. */
import { messageOf } from "../base/index.js";
import type { HookName, TapOptions } from "../contract/index.js";
import { failure, guarded } from "./hook-guards.js";
import { type GivenOptions, orderOf, partOptions, refused, tapOptions } from "./tap-options.js";

/** What the hooks of one engine share. */
export interface Session {
  warn(code: string, message: string): void;
  /** The engine has let go of its app: nothing would be called any more. */
  isOver: boolean;
}

export type Run<C, R> = (context: C) => R;
type Callback<R> = (error?: unknown, result?: R) => void;

/** Registers a function that was checked to be one. */
type Register = (options: TapOptions, fn: (...args: never[]) => unknown) => void;

/** How a hook is tapped: a synchronous one has `tap` alone, one around work `tapPromise`. */
export type Ways = { readonly [Way in "tap" | "tapPromise" | "tapAsync"]?: Register };

interface Inner {
  isUsed(): boolean;
  /** Not of a hook around work. */
  intercept?(interceptor: object): void;
}

interface Promising<C, R> {
  tapPromise(options: ReturnType<typeof orderOf>, run: (context: C) => Promise<R | undefined>): void;
}

/** The ways of a hook that waits for its taps. */
export function asynchronous<C, R>(name: HookName, session: Session, inner: unknown): Ways {
  const { tapPromise } = inner as Promising<C, R>;
  const add = (options: TapOptions, fn: Run<C, R | Promise<R>>): void =>
    Reflect.apply(tapPromise, inner, [orderOf(options), guarded(options, name, fn)]);
  return {
    tap: (options, fn) => add(options, warning(name, session, options, fn as Run<C, R>)),
    tapPromise: (options, fn) => add(options, fn as Run<C, Promise<R>>),
    tapAsync(options, fn) {
      const given = fn as (context: C, callback: Callback<R>) => void;
      add(options, (context) => called((callback) => given(context, callback)));
    },
  };
}

/** What is returned to `tap` is awaited, whatever tapable would do. */
function warning<C, R>(hook: HookName, session: Session, { name }: TapOptions, fn: Run<C, R>): Run<C, R> {
  let isTold = false;
  return (context) => {
    const answer = fn(context);
    if (!isTold && answer instanceof Promise) {
      isTold = true;
      const message = `Plugin "${name}" returned a promise to tap() of the hook "${hook}". It is awaited. Use tapPromise().`;
      session.warn("TAP_RETURNED_PROMISE", message);
    }
    return answer;
  };
}

function called<R>(work: (callback: Callback<R>) => void): Promise<R> {
  return new Promise((resolve, reject) => {
    work((error, result) => (error ? reject(error) : resolve(result as R)));
  });
}

/** @param inner what orders the taps */
export function tappable<H>(hook: HookName, session: Session, inner: Inner, ways: Ways): H {
  const refuseLate = (): void => {
    if (session.isOver) throw refused(hook, "the run has ended. Tap it in `apply` of the plugin");
  };
  const adder =
    (way: keyof Ways, defaults: GivenOptions) =>
    (given: unknown, fn: unknown): void => {
      refuseLate();
      const options = tapOptions(hook, given, defaults);
      const register = ways[way];
      if (!register) throw refused(hook, `it has no ${way}(). Use ${Object.keys(ways).join("() or ")}()`);
      if (typeof fn !== "function")
        throw refused(hook, `plugin "${options.name}" passed ${typeof fn} instead of a function`);
      register(options, fn as never);
    };
  const withDefaults = (defaults: GivenOptions): object =>
    Object.freeze({
      tap: adder("tap", defaults),
      tapPromise: adder("tapPromise", defaults),
      tapAsync: adder("tapAsync", defaults),
      intercept(interceptor: unknown): void {
        refuseLate();
        if (!inner.intercept) throw refused(hook, "it has no intercept(): a tap of it is around the work");
        inner.intercept(named(hook, interceptor));
      },
      isUsed: () => inner.isUsed(),
      withOptions: (options: unknown) => withDefaults({ ...defaults, ...partOptions(hook, options) }),
    });
  return withDefaults({}) as H;
}

/** Functions of an interceptor that get the context. */
const WITH_CONTEXT: readonly string[] = ["call", "loop"];

/** An interceptor whose errors name it and the hook. */
function named(hook: HookName, interceptor: unknown): object {
  if (typeof interceptor !== "object" || interceptor === null) throw refused(hook, "an interceptor must be an object");
  const name = Reflect.get(interceptor, "name");
  const whose = typeof name === "string" && name !== "" ? name : "(an interceptor)";
  // With the option `context` all of them get first what interceptors share.
  const first = Reflect.get(interceptor, "context") === true ? 1 : 0;
  const guardedOnes = Object.entries(interceptor).map(([member, fn]) => {
    if (typeof fn !== "function") return [member, fn];
    const run = (...args: unknown[]): unknown => {
      // What collects the errors of taps is the engine's.
      const given = WITH_CONTEXT.includes(member) ? args.slice(0, first + 1) : args;
      try {
        const answer: unknown = Reflect.apply(fn, interceptor, given);
        return member === "register" ? (answer ?? args[0]) : answer;
      } catch (error) {
        throw failure(whose, hook, args[0], new Error(`its ${member}() threw: ${messageOf(error)}`, { cause: error }));
      }
    };
    return [member, run];
  });
  return Object.fromEntries(guardedOnes);
}
