/** Single values in a Keyv: whatever failed rejects, and nothing that failed counts as absent. */
import { codeOf, EngineError, isEngineError, messageOf, withResolvers } from "../../core/base/index.js";
import type { OpenedKeyv } from "./source.js";

export class KeyvValues {
  readonly #opened: OpenedKeyv;
  readonly #namespace: string;
  readonly #hear = (error: unknown): void => {
    this.#emitted += 1;
    this.#last = error;
    this.#patience.hear(error);
  };
  readonly #patience: Patience;
  #emitted = 0;
  #last: unknown;

  /** @param warn is told once that there is no answer */
  constructor(opened: OpenedKeyv, warn: (code: string, message: string) => void) {
    this.#opened = opened;
    this.#patience = new Patience((message) => warn("STORE_RETRIED", `Keyv (${opened.location}): ${message}.`));
    this.#namespace = this.#presentNamespace();
    this.#listen("on");
  }

  /** Undefined: there is none. */
  async get(key: string): Promise<string | undefined> {
    const before = this.#emitted;
    const value: unknown = await this.#call("read", key, () => this.#opened.keyv.get(key));
    if (typeof value === "string") return value;
    if (value === undefined) {
      // An adapter that only tells of its errors has found nothing then, either. A value that was found speaks for itself.
      this.#checkEmitted("read", key, before);
      return undefined;
    }
    throw this.#failed("read", key, new Error(`it holds a ${typeof value} and not a text`));
  }

  async set(key: string, value: string): Promise<void> {
    const before = this.#emitted;
    // 0: none, whatever the Keyv may have been set to since it was looked at.
    const isKept: unknown = await this.#call("write", key, () => this.#opened.keyv.set(key, value, 0));
    this.#checkEmitted("write", key, before);
    if (isKept === false) throw this.#failed("write", key, new Error("the adapter has not taken it"));
  }

  /** False: it was not there; not every adapter knows. */
  async remove(key: string): Promise<boolean> {
    const before = this.#emitted;
    const wasThere: unknown = await this.#call("delete", key, () => this.#opened.keyv.delete(key));
    this.#checkEmitted("delete", key, before);
    return wasThere !== false;
  }

  /** Lets go of what was handed over. */
  release(): void {
    this.#listen("off");
  }

  /** Where the value of any key is: apart from the keys of the index, which begin with one `=`. */
  storedKey(key: string): string {
    const { namespace } = this.#opened.keyv;
    // Keyv puts no namespace in front of a key that begins with it, as though it were there already.
    const looksPrefixed = namespace !== undefined && key.startsWith(`${namespace}:`);
    return looksPrefixed || key.startsWith("=") ? `==${key}` : key;
  }

  unreadable(key: string, reason: string): EngineError {
    return this.#failed("read", key, new Error(reason));
  }

  async #call<T>(act: string, key: string, work: () => Promise<T>): Promise<T> {
    if (this.#presentNamespace() !== this.#namespace) {
      const cause = new Error(
        "the namespace has changed, or another Keyv on the same adapter has given it another one",
      );
      throw this.#failed(act, key, cause, "Give each Keyv an adapter of its own.");
    }
    try {
      return await this.#patience.call(work);
    } catch (error) {
      throw this.#failed(act, key, error);
    }
  }

  /** Keyv and adapters with connections use what is set at that moment. A `Map` has no use for one of its own. */
  #presentNamespace(): string {
    const { keyv, storage } = this.#opened;
    return `${keyv.namespace} ${storage instanceof Map ? "" : Reflect.get(storage, "namespace")}`;
  }

  #checkEmitted(act: string, key: string, before: number): void {
    if (this.#emitted !== before) throw this.#failed(act, key, this.#last);
  }

  #failed(
    act: string,
    key: string,
    cause: unknown,
    advice = "Check what Keyv stores in, then run again.",
  ): EngineError {
    if (isEngineError(cause)) return cause;
    const message = `Could not ${act} "${key}" in Keyv (${this.#opened.location}): ${messageOf(cause)}. ${advice}`;
    return new EngineError("STORE_FAILED", message, { cause });
  }

  #listen(method: "on" | "off"): void {
    const { storage } = this.#opened;
    const listen: unknown = Reflect.get(storage, method);
    if (typeof listen === "function") Reflect.apply(listen, storage, ["error", this.#hear]);
  }
}

/** Milliseconds after which a call is slow, and after which nothing is expected any more. */
const [SLOW, LONGEST] = [2_000, 30_000];

interface Waiting {
  isSlow: boolean;
  reject(error: Error): void;
}

/** Ends calls that get no answer, and tells what they waited for. */
class Patience {
  readonly #warn: (message: string) => void;
  readonly #waiting = new Set<Waiting>();
  #hasAnswered = false;
  #hasWarned = false;
  /** What the adapter has told since it last answered. */
  #told: unknown;

  /** @param warn is told once what is waited for */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** An error that the adapter tells of by itself, as when it cannot connect. */
  hear(error: unknown): void {
    this.#told = error;
    for (const waiting of this.#waiting) this.#giveUpEarly(waiting);
  }

  /**
   * @throws what the work throws; an error when no answer has come for 30 s, and after 2 s if there never was one and the adapter has
   * told of an error
   */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const { promise: late, reject } = withResolvers<never>();
    const waiting: Waiting = { isSlow: false, reject };
    this.#waiting.add(waiting);
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(this.#noAnswer(LONGEST)), LONGEST - SLOW);
      waiting.isSlow = true;
      if (!this.#giveUpEarly(waiting)) this.#tell();
    }, SLOW);
    try {
      const value = await Promise.race([work(), late]);
      this.#hasAnswered = true;
      this.#told = undefined;
      return value;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }

  /** False where there is still something to wait for. */
  #giveUpEarly({ isSlow, reject }: Waiting): boolean {
    const isDown = isSlow && !this.#hasAnswered && this.#told !== undefined;
    if (isDown) reject(this.#noAnswer(SLOW));
    return isDown;
  }

  #tell(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(`${this.#noAnswer(SLOW).message}; it is waited for up to ${LONGEST / 1_000} s`);
  }

  #noAnswer(milliseconds: number): Error {
    const told = this.#told === undefined ? "" : `: ${messageOf(this.#told) || codeOf(this.#told)}`;
    return new Error(`no answer within ${milliseconds / 1_000} s${told}`, { cause: this.#told });
  }
}
