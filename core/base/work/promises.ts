import { platform } from "../machine/platform.js";

/** Key of the brand that all copies of the package share. */
const BRAND = Symbol.for("scope-engine/later");

/**
 * An asynchronous answer of a synchronous hook. A tap of `encodeValue` or `decodeValue` returns it, and the engine
 * waits for it.
 *
 * @example
 * ```ts
 * hooks.decodeValue.tap("kms", ({ tag, body }) =>
 *   tag === "$kms" ? new Later(kms.decrypt(body).then((value) => ({ value }))) : undefined,
 * );
 * ```
 */
export class Later<T> {
  readonly answer: Promise<T>;
  /** @internal */
  get [BRAND](): true {
    return true;
  }

  constructor(answer: Promise<T>) {
    this.answer = answer;
    // The caller awaits it. A rejection must not end the process if the caller has failed before.
    answer.catch(() => {});
  }
}

/** Returns true for instances of every copy of the package. */
export function isLater<T>(answer: T | Later<T>): answer is Later<T> {
  return typeof answer === "object" && answer !== null && BRAND in answer;
}

/** A promise that is settled from outside, as `Promise.withResolvers()` of later Node versions returns. */
interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

export function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>["resolve"] = () => {};
  let reject: Resolvers<T>["reject"] = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Ignores an outcome, e.g. a rejection that another promise reports as well. */
export function ignore(): void {}

/**
 * Returns the result of the work if it settles in time. A later result is ignored.
 *
 * @throws the error of the work; the result of `late`, when the time is up
 */
export async function withDeadline<T>(milliseconds: number, work: Promise<T>, late: () => unknown): Promise<T> {
  const { promise, reject } = withResolvers<never>();
  const cancel = platform().after(milliseconds, () => reject(late()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}

/** Resolves when the work ends, or after some milliseconds. @throws the error of the work */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  const cancel = platform().after(milliseconds, resolve);
  try {
    await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}
