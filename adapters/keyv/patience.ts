/** Calls that get no answer: who waits is told for what, and does not wait for ever. */
import { codeOf, messageOf, withResolvers } from "../../core/base/index.js";

/** Milliseconds after which a call is slow, and after which nothing is expected any more. */
const [SLOW, LONGEST] = [2_000, 30_000];

interface Waiting {
  isSlow: boolean;
  reject(error: Error): void;
}

export class Patience {
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
