/** Functions that run at the end of a run: deferred functions and cleanup functions. */
import { EngineError, ignore, withDeadline, withResolvers } from "../base/index.js";

interface Deferral {
  readonly path: string;
  /** Key of the resource in whose handler it was deferred. */
  readonly home: string | undefined;
  readonly run: () => Promise<void>;
  readonly drop: (why: EngineError) => void;
  hasBegun: boolean;
}

/** Functions that wait for finalize. */
export class DeferredQueue {
  readonly #waiting: Deferral[] = [];
  readonly #running = new Set<Deferral>();
  /** Functions of a resource's handler that have not succeeded, by the resource's key. */
  readonly #owed = new Map<string, Set<Deferral>>();
  /** The promises of functions, and those that the program derived from them. */
  readonly #given = new WeakMap<object, Deferral>();

  /** Number of the functions that have not begun. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Paths of the scopes whose functions have begun and not ended. */
  get running(): readonly string[] {
    return [...this.#running].map(({ path }) => path);
  }

  /** True while functions of the scopes below a path wait. */
  waits(isBelow: (path: string) => boolean): boolean {
    return this.#waiting.some(({ path }) => isBelow(path));
  }

  /** True for a promise that cannot settle before a waiting function has begun. */
  isAhead(promise: object): boolean {
    return this.#given.get(promise)?.hasBegun === false;
  }

  /** True while a function that was deferred in the handler of a resource waits or runs, and after it has failed. */
  owes(home: string): boolean {
    return this.#owed.has(home);
  }

  /**
   * Adds a function; the promise resolves with its result once finalize has run it.
   *
   * @param home key of the resource in whose handler it is deferred
   */
  add<T>(path: string, fn: () => Promise<T> | T, home?: string): Promise<T> {
    const { promise, resolve, reject } = withResolvers<T>();
    const run = async (): Promise<void> => {
      try {
        resolve(await fn());
      } catch (error) {
        reject(error);
        throw error;
      }
    };
    const deferral: Deferral = { path, home, run, drop: reject, hasBegun: false };
    this.#waiting.push(deferral);
    if (home !== undefined) this.#owe(home, deferral);
    return this.#mark(promise, deferral);
  }

  /** Removes the waiting functions of a resource's handler, which is called again and defers them again. */
  forget(home: string): void {
    const own = this.#owed.get(home);
    this.#owed.delete(home);
    for (const deferral of own ?? []) {
      if (deferral.hasBegun) continue;
      this.#waiting.splice(this.#waiting.indexOf(deferral), 1);
      deferral.drop(
        new EngineError(
          "ABORTED",
          `This deferred function was dropped: the handler of "${home}", which deferred it, is called again and defers it again.`,
        ),
      );
    }
  }

  /**
   * Runs the first waiting function of the scopes below `path`, which may defer others. Resolves with its error, if it
   * has one.
   */
  async runNext(isBelow: (path: string) => boolean): Promise<{ path: string; error: unknown } | undefined> {
    const index = this.#waiting.findIndex(({ path }) => isBelow(path));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return undefined;
    next.hasBegun = true;
    this.#running.add(next);
    try {
      await next.run();
      this.#paid(next);
      return undefined;
    } catch (error) {
      return { path: next.path, error };
    } finally {
      this.#running.delete(next);
    }
  }

  #owe(home: string, deferral: Deferral): void {
    const owed = this.#owed.get(home);
    if (owed) owed.add(deferral);
    else this.#owed.set(home, new Set([deferral]));
  }

  #paid(deferral: Deferral): void {
    const { home = "" } = deferral;
    const owed = this.#owed.get(home);
    if (owed?.delete(deferral) && owed.size === 0) this.#owed.delete(home);
  }

  /**
   * Marks a promise, and all promises derived from it by `then`, `catch` and `finally`, which wait for the function as
   * well.
   */
  #mark<T>(promise: Promise<T>, deferral: Deferral): Promise<T> {
    this.#given.set(promise, deferral);
    const plain = promise.then;
    const then = (...handlers: Parameters<typeof plain>): Promise<unknown> =>
      this.#mark(Reflect.apply(plain, promise, handlers), deferral);
    // biome-ignore lint/suspicious/noThenProperty: it is a promise and stays one
    return Object.defineProperty(promise, "then", { value: then, configurable: true, writable: true });
  }
}

/** Milliseconds that a cleanup function may take. */
const TIMEOUT = 10_000;

/** Functions to run at the end: once, last registered first, each with a timeout, errors collected. */
export class CleanupStack {
  readonly #functions: (() => unknown)[] = [];
  readonly #timeout: number;
  #added = (): void => {};

  /** @param timeout milliseconds that one function may take */
  constructor(timeout = TIMEOUT) {
    this.#timeout = timeout;
  }

  get isEmpty(): boolean {
    return this.#functions.length === 0;
  }

  add(fn: () => unknown): void {
    this.#functions.push(fn);
    this.#added();
  }

  /** Calls `added` for each function that is added from now on. */
  onAdded(added: () => void): void {
    this.#added = added;
  }

  /** Runs the synchronous part of the registered functions, for a process that is about to end; returns the errors. */
  runNow(): readonly unknown[] {
    const errors: unknown[] = [];
    for (let fn = this.#functions.pop(); fn; fn = this.#functions.pop()) {
      try {
        Promise.resolve(fn()).catch(ignore);
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  /** Runs the registered functions and removes them; resolves with the errors. */
  async run(): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    for (let fn = this.#functions.pop(); fn; fn = this.#functions.pop()) {
      const late = (): EngineError => tooLong(this.#timeout);
      await withDeadline(this.#timeout, Promise.resolve().then(fn), late).catch((error: unknown) => errors.push(error));
    }
    return errors;
  }
}

function tooLong(timeout: number): EngineError {
  return new EngineError(
    "TIMEOUT",
    `A cleanup function took longer than ${timeout / 1000} s and was abandoned. Make it faster.`,
  );
}
