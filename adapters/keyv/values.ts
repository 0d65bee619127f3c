/** Reads and writes single values in a Keyv. Every failure rejects, so that it never counts as absent. */
import { codeOf, EngineError, isEngineError, messageOf, typeName, withResolvers } from "../../core/base/index.js";
import type { OpenedKeyv } from "./source.js";

export class KeyvValues {
  readonly #opened: OpenedKeyv;
  readonly #namespace: string;
  readonly #hear = (error: unknown): void => {
    this.#emitted += 1;
    this.#last = error;
    this.#timeouts.hear(error);
  };
  readonly #timeouts: Timeouts;
  #emitted = 0;
  #last: unknown;

  /** @param warn called once if there is no answer */
  constructor(opened: OpenedKeyv, warn: (code: string, message: string) => void) {
    this.#opened = opened;
    this.#timeouts = new Timeouts((message) => warn("STORE_RETRIED", `Keyv (${opened.location}): ${message}.`));
    this.#namespace = this.#currentNamespace();
    this.#listen("on");
  }

  /** Returns undefined if there is no value. */
  async get(key: string): Promise<string | undefined> {
    const before = this.#emitted;
    const value: unknown = await this.#call("read", key, () => this.#opened.keyv.get(key));
    if (typeof value === "string") return value;
    if (value === undefined) {
      // An adapter that only emits its errors returns undefined, too. A value that was found needs no check.
      this.#checkEmitted("read", key, before);
      return undefined;
    }
    throw this.#failed("read", key, new Error(`the value is ${typeName(value)}, not a string`));
  }

  async set(key: string, value: string): Promise<void> {
    const before = this.#emitted;
    // 0 means no expiry, even if the Keyv's ttl was changed after the check.
    const isKept: unknown = await this.#call("write", key, () => this.#opened.keyv.set(key, value, 0));
    this.#checkEmitted("write", key, before);
    if (isKept === false) throw this.#failed("write", key, new Error("the adapter refused the value"));
  }

  /** Deletes a value. False if it did not exist; not every adapter reports this. */
  async remove(key: string): Promise<boolean> {
    const before = this.#emitted;
    const wasThere: unknown = await this.#call("delete", key, () => this.#opened.keyv.delete(key));
    this.#checkEmitted("delete", key, before);
    return wasThere !== false;
  }

  /** Removes the listener from the source. */
  release(): void {
    this.#listen("off");
  }

  /** Returns the key in Keyv for a key. It never collides with keys of the index, which begin with one `=`. */
  storedKey(key: string): string {
    const { namespace } = this.#opened.keyv;
    // Keyv does not add its namespace to a key that already begins with it.
    const looksPrefixed = namespace !== undefined && key.startsWith(`${namespace}:`);
    return looksPrefixed || key.startsWith("=") ? `==${key}` : key;
  }

  unreadable(key: string, reason: string): EngineError {
    return this.#failed("read", key, new Error(reason));
  }

  async #call<T>(act: string, key: string, work: () => Promise<T>): Promise<T> {
    if (this.#currentNamespace() !== this.#namespace) {
      const cause = new Error("the namespace was changed, perhaps by another Keyv on the same adapter");
      throw this.#failed(act, key, cause, "Give each Keyv its own adapter.");
    }
    try {
      return await this.#timeouts.call(work);
    } catch (error) {
      throw this.#failed(act, key, error);
    }
  }

  /** Keyv and adapters with connections use the namespace of the moment. A `Map` has none. */
  #currentNamespace(): string {
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
    advice = "Check the storage of Keyv, then run again.",
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

/** Milliseconds after which a call is slow, and after which it fails. */
const [SLOW, LONGEST] = [2_000, 30_000];

interface Waiting {
  isSlow: boolean;
  reject(error: Error): void;
}

/** Fails calls without an answer, with the reason, and warns about slow ones. */
class Timeouts {
  readonly #warn: (message: string) => void;
  readonly #waiting = new Set<Waiting>();
  #hasAnswered = false;
  #hasWarned = false;
  /** Error that the adapter emitted since its last answer. */
  #emitted: unknown;

  /** @param warn called once for a slow call */
  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Takes an error that the adapter emitted, e.g. because it cannot connect. */
  hear(error: unknown): void {
    this.#emitted = error;
    for (const waiting of this.#waiting) this.#giveUpEarly(waiting);
  }

  /**
   * Runs work with a timeout.
   *
   * @throws the error of the work; an error after 30 s without an answer, or after 2 s if there never was one and the
   * adapter has emitted an error
   */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const { promise: late, reject } = withResolvers<never>();
    const waiting: Waiting = { isSlow: false, reject };
    this.#waiting.add(waiting);
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(this.#noAnswer(LONGEST)), LONGEST - SLOW);
      waiting.isSlow = true;
      if (!this.#giveUpEarly(waiting)) this.#warnOnce();
    }, SLOW);
    try {
      const value = await Promise.race([work(), late]);
      this.#hasAnswered = true;
      this.#emitted = undefined;
      return value;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }

  /** Fails a slow call if the storage is down. False if the call may still succeed. */
  #giveUpEarly({ isSlow, reject }: Waiting): boolean {
    const isDown = isSlow && !this.#hasAnswered && this.#emitted !== undefined;
    if (isDown) reject(this.#noAnswer(SLOW));
    return isDown;
  }

  #warnOnce(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(`${this.#noAnswer(SLOW).message}; the engine waits up to ${LONGEST / 1_000} s`);
  }

  #noAnswer(milliseconds: number): Error {
    const reason = this.#emitted === undefined ? "" : `: ${messageOf(this.#emitted) || codeOf(this.#emitted)}`;
    return new Error(`no answer within ${milliseconds / 1_000} s${reason}`, { cause: this.#emitted });
  }
}
