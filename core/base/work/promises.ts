import { platform } from "../machine/platform.js";

/** An answer that a synchronous hook gives later. */
const BRAND = Symbol.for("scope-engine/later");

/**
 * What a tap of `encodeValue` or `decodeValue` returns where it has to wait for something: the engine waits, too.
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
    // Whoever asked awaits it; it must not end the process where that one has failed before.
    answer.catch(() => {});
  }
}

/** True for those of every copy of the package. */
export function isLater<T>(answer: T | Later<T>): answer is Later<T> {
  return typeof answer === "object" && answer !== null && BRAND in answer;
}

/** A promise that is settled from outside: what `Promise.withResolvers()` of later versions of Node gives. */
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

/** Takes an outcome that is of no interest where it comes, e.g. a rejection that is told by another promise as well. */
export function ignore(): void {}

/**
 * What the work comes to, if that is within so many milliseconds. What it comes to later is not heard.
 *
 * @throws what the work rejects with; what `late` gives, when the time is up
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
