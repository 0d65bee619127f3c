/** Taps around one piece of work: each is given `next`, which is the tap after it, and at last the work itself. */
import type { Around, HookName, Tap } from "../contract/index.js";
import { failure } from "./hook-guards.js";

type Next<T> = () => Promise<T>;

/** The taps of one hook, the first of them outermost. */
export class AroundTaps<C> {
  readonly #name: HookName;
  readonly #taps: { readonly tap: Tap; readonly fn: Around<C> }[] = [];

  constructor(name: HookName) {
    this.#name = name;
  }

  isUsed(): boolean {
    return this.#taps.length > 0;
  }

  add(tap: Tap, fn: Around<C>): void {
    this.#taps.push({ tap, fn });
    this.#taps.sort((one, other) => Number(one.tap.last ?? false) - Number(other.tap.last ?? false));
  }

  call<T>(context: C, work: Next<T>): Promise<T> {
    const outermost = this.#taps.reduceRight<Next<T>>(
      (next, { tap, fn }) =>
        () =>
          through(fn, context, next, (why) => failure(tap.plugin, this.#name, context, why)),
      work,
    );
    return outermost();
  }
}

/** @throws EngineError `PLUGIN_FAILED` where the tap has not called `next` once, and waited for it; else what the tap throws */
async function through<C, T>(fn: Around<C>, context: C, next: Next<T>, failed: (why: Error) => Error): Promise<T> {
  let work: Promise<T> | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  await fn(context, () => {
    if (work !== undefined)
      throw failed(new TypeError("it called next() a second time, and what it does is done once."));
    work = next();
    work.then(end, end);
    return work;
  });
  if (work === undefined) throw failed(new TypeError("it did not call next(), which does the work."));
  // What the work gave or threw stands, whatever the tap returns.
  if (isOver) return work;
  await Promise.allSettled([work]);
  throw failed(new TypeError("it did not wait for the promise of next()."));
}
