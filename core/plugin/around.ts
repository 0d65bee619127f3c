/** Taps around one piece of work: each is given `next`, which is the tap after it, and at last the work itself. */
import type { Around, HookName, TapOptions } from "../contract/index.js";
import { failure } from "./hook-guards.js";
import { orderOf } from "./tap-options.js";

type Next<T> = () => Promise<T>;

/** A hook of tapable that only keeps the taps in their order. */
interface Ordered<C> {
  readonly taps: readonly { readonly name: string; readonly fn: unknown }[];
  tap(options: ReturnType<typeof orderOf>, fn: (context: C) => undefined): void;
  isUsed(): boolean;
}

/** The taps of one hook, the first of them outermost. */
export class AroundTaps<C> {
  readonly #name: HookName;
  readonly #ordered: Ordered<C>;

  constructor(name: HookName, ordered: Ordered<C>) {
    this.#name = name;
    this.#ordered = ordered;
  }

  isUsed(): boolean {
    return this.#ordered.isUsed();
  }

  add(options: TapOptions, fn: Around<C>): void {
    this.#ordered.tap(orderOf(options, this.#ordered), fn as never);
  }

  call<T>(context: C, work: Next<T>): Promise<T> {
    const outermost = this.#ordered.taps.reduceRight<Next<T>>(
      (next, { name, fn }) =>
        () =>
          through(fn as Around<C>, context, next, (why) => failure(name, this.#name, context, why)),
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
