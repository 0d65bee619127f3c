/** A hook as plugins get it: tapable's own methods, except those that call it. */
import { EngineError, messageOf, nameHint } from "../base/index.js";
import { HOOKS, type HookName, type TapOptions } from "../contract/index.js";
import {
  type GivenOptions,
  guarded,
  NO_OPTIONS,
  orderOf,
  partOptions,
  refused,
  type Tapped,
  tapOptions,
} from "./tap-options.js";

/** State that the hooks of one engine share. */
export interface Session {
  warn(code: string, message: string): void;
  /** True after the app has ended: no hook is called any more. */
  isOver: boolean;
}

export type Run<C, R> = (context: C) => R;
type Callback<R> = (error?: unknown, result?: R) => void;

/** Registers a function that has been checked. */
type Register = (options: TapOptions, fn: (...args: never[]) => unknown) => void;

/** The methods that tap a hook: a synchronous one has only `tap`, one around work only `tapPromise`. */
export type Ways = { readonly [Way in "tap" | "tapPromise" | "tapAsync"]?: Register };

/** What a hook for plugins needs of the engine's side. */
export interface Inner {
  readonly used: boolean;
  intercept(interceptor: object): void;
  ways(): Ways;
}

interface Promising<C, R> extends Tapped {
  tapPromise(options: ReturnType<typeof orderOf>, run: (context: C) => Promise<R | undefined>): void;
}

/** Returns the tap methods of a hook that waits for its taps. */
export function asynchronous<C, R>(name: HookName, session: Session, hook: Promising<C, R>): Ways {
  const add = (options: TapOptions, fn: Run<C, R | Promise<R>>): void => {
    hook.tapPromise(orderOf(options, hook), guarded(options, name, fn));
  };
  return {
    tap: (options, fn) => add(options, warning(name, session, options, fn as Run<C, R>)),
    tapPromise: (options, fn) => add(options, fn as Run<C, Promise<R>>),
    tapAsync(options, fn) {
      const given = fn as (context: C, callback: Callback<R>) => unknown;
      add(options, (context) => called((callback) => given(context, callback)));
    },
  };
}

/** Warns once about a promise that was returned from `tap`; the engine awaits it, although tapable would not. */
function warning<C, R>(hook: HookName, session: Session, { name }: TapOptions, fn: Run<C, R>): Run<C, R> {
  let hasWarned = false;
  return (context) => {
    const answer = fn(context);
    if (!hasWarned && answer instanceof Promise) {
      hasWarned = true;
      const message = `Plugin "${name}" returned a promise from tap() of the hook "${hook}". The engine awaits it, but tap() is for synchronous functions: use tapPromise().`;
      session.warn("TAP_RETURNED_PROMISE", message);
    }
    return answer;
  };
}

/**
 * Converts a callback tap to a promise. An error thrown after the callback, or a rejection of an asynchronous function,
 * counts: it may be a veto.
 */
function called<R>(work: (callback: Callback<R>) => unknown): Promise<R> {
  return new Promise((resolve, reject) => {
    let hasReturned = false;
    let settle: (() => void) | undefined;
    const answer = work((error, result) => {
      if (settle && !error) return;
      settle = () => (error ? reject(error) : resolve(result as R));
      if (hasReturned) settle();
    });
    hasReturned = true;
    if (answer instanceof Promise) answer.then(() => settle?.(), reject);
    else settle?.();
  });
}

/** A hook as plugins get it. Each run makes one for each hook, so its methods are shared. */
export class Tappable {
  readonly #name: HookName;
  readonly #session: Session;
  readonly #inner: Inner;
  readonly #defaults: GivenOptions;

  constructor(name: HookName, session: Session, inner: Inner, defaults: GivenOptions = NO_OPTIONS) {
    this.#name = name;
    this.#session = session;
    this.#inner = inner;
    this.#defaults = defaults;
    Object.freeze(this);
  }

  tap(given: unknown, fn: unknown): void {
    this.#add("tap", given, fn);
  }

  tapPromise(given: unknown, fn: unknown): void {
    this.#add("tapPromise", given, fn);
  }

  tapAsync(given: unknown, fn: unknown): void {
    this.#add("tapAsync", given, fn);
  }

  intercept(interceptor: unknown): void {
    this.#refuseLate();
    if (HOOKS[this.#name].kind === "around")
      throw refused(this.#name, "it has no intercept(), because its taps wrap the work");
    this.#inner.intercept(hearing(this.#name, this.#session, interceptor));
  }

  isUsed(): boolean {
    return this.#inner.used;
  }

  withOptions(options: unknown): Tappable {
    const defaults = { ...this.#defaults, ...partOptions(this.#name, options) };
    return new Tappable(this.#name, this.#session, this.#inner, defaults);
  }

  #add(way: keyof Ways, given: unknown, fn: unknown): void {
    this.#refuseLate();
    const name = this.#name;
    const options = tapOptions(name, given, this.#defaults);
    const ways = this.#inner.ways();
    const register = ways[way];
    if (!register) throw refused(name, `it has no ${way}(). Use ${Object.keys(ways).join("() or ")}()`);
    if (typeof fn !== "function")
      throw refused(name, `plugin "${options.name}" passed ${typeof fn} instead of a function`);
    register(options, fn as never);
  }

  #refuseLate(): void {
    if (this.#session.isOver) throw refused(this.#name, "the app has ended. Tap the hook in `apply` of the plugin");
  }
}

Object.freeze(Tappable.prototype);

/** Members of an interceptor, in addition to its name and tapable's option `context`. */
const HEARS = ["register", "call", "tap", "loop", "error", "result", "done"] as const;
const OF_INTERCEPTOR: readonly string[] = ["name", "context", ...HEARS];

/**
 * Wraps an interceptor so that it only observes. `register` gets a tap that cannot be called, and its result is
 * ignored. An error that it throws becomes a warning, because an observer must not fail a run.
 */
function hearing(hook: HookName, session: Session, interceptor: unknown): object {
  if (typeof interceptor !== "object" || interceptor === null || Array.isArray(interceptor))
    throw refused(hook, "an interceptor must be an object");
  // An object of a class may have data of its own.
  const [unknown] =
    Object.entries(interceptor).find(
      ([name, value]) => typeof value === "function" && !OF_INTERCEPTOR.includes(name),
    ) ?? [];
  if (unknown !== undefined) {
    const hint = nameHint(unknown, OF_INTERCEPTOR, "The members are");
    throw refused(hook, `an interceptor has no "${unknown}". ${hint}`);
  }
  const name = Reflect.get(interceptor, "name");
  const context = Reflect.get(interceptor, "context") === true;
  const failed = (member: string, error: unknown): void =>
    session.warn(
      "OBSERVER_FAILED",
      `The interceptor${typeof name === "string" ? ` "${name}"` : ""} of the hook "${hook}" failed in ${member}(): ${messageOf(error)}`,
    );
  const members = HEARS.flatMap((member) => {
    const fn: unknown = Reflect.get(interceptor, member);
    if (fn === undefined) return [];
    if (typeof fn !== "function") throw refused(hook, `"${member}" of an interceptor must be a function`);
    const hear = (...args: unknown[]): unknown => {
      // The collected errors of taps are internal to the engine.
      const heard = member === "call" || member === "loop" ? args.slice(0, context ? 2 : 1) : args.map(withoutCall);
      try {
        const answer: unknown = Reflect.apply(fn, interceptor, heard);
        if (answer instanceof Promise) answer.catch((error: unknown) => failed(member, error));
      } catch (error) {
        failed(member, error);
      }
      return args[0];
    };
    return [[member, hear] as const];
  });
  return { ...(context && { context }), ...Object.fromEntries(members) };
}

/** Returns tapable's description of a tap, without the function. */
function withoutCall(told: unknown): unknown {
  if (typeof told !== "object" || told === null || !("fn" in told)) return told;
  const fn = (): never => {
    throw new EngineError("INVALID_CALL", "Only the hook itself may call a tap.");
  };
  return Object.freeze({ ...told, fn });
}
