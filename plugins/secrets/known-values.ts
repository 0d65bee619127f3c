/** The values that are masked, each once, with the time at which it was last made known. */
import { encodingsOfBytes, encodingsOfText } from "./encodings.js";
import { type Forms, SHORTEST } from "./patterns.js";

export class KnownValues {
  /** By number. Of binary data a character a byte. */
  #values: string[] = [];
  /** In milliseconds, without fractions: so they are no objects. */
  #seen: number[] = [];
  #texts = new Map<string, number>();
  #binaries = new Map<string, number>();

  get count(): number {
    return this.#values.length;
  }

  /** @param now milliseconds */
  add(value: string | Buffer, now: number): void {
    if (value.length < SHORTEST) return;
    const text = typeof value === "string" ? value : value.toString("latin1");
    const numbers = typeof value === "string" ? this.#texts : this.#binaries;
    const known = numbers.get(text);
    const seen = Math.floor(now);
    if (known !== undefined) {
      this.#seen[known] = seen;
      return;
    }
    numbers.set(text, this.#values.length);
    this.#values.push(text);
    this.#seen.push(seen);
  }

  /** Characters of the value of a number. */
  sizeOf(number: number): number {
    return this.#values[number]?.length ?? 0;
  }

  /** What is to be looked for of the value of a number. */
  formsOf(number: number): Forms {
    const value = this.#values[number] ?? "";
    return this.#binaries.get(value) === number
      ? encodingsOfBytes(Buffer.from(value, "latin1"))
      : encodingsOfText(value);
  }

  /**
   * Forgets what was last made known before a time.
   *
   * @returns what gives the new number of each that stays, in the same order; undefined where all do
   */
  forget(before: number): ((number: number) => number | undefined) | undefined {
    if (!this.#seen.some((seen) => seen < before)) return undefined;
    const numbers = new Int32Array(this.count).fill(-1);
    const left = new KnownValues();
    for (const [number, value] of this.#values.entries()) {
      const seen = this.#seen[number] ?? 0;
      if (seen < before) continue;
      numbers[number] = left.count;
      left.add(this.#binaries.get(value) === number ? Buffer.from(value, "latin1") : value, seen);
    }
    this.#values = left.#values;
    this.#seen = left.#seen;
    this.#texts = left.#texts;
    this.#binaries = left.#binaries;
    return (number) => {
      const next = numbers[number] ?? -1;
      return next < 0 ? undefined : next;
    };
  }
}
