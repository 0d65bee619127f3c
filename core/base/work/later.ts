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
