/**
 * Replaces the numbers of a world, which depend on the order of independent resources, with the names of their first
 * users.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** No configuration contains such a number, or its digits. */
const FIRST = 7_000_000_000;
const COUNTER = /(?<![\d.])70{4}\d{5}(?![\d.])/g;

/** Sets the counter, before anything is created in the world. */
export function startCounting(world: string): void {
  writeFileSync(join(world, "counter"), String(FIRST));
}

/** The names of one world. */
export class Counters {
  readonly #names = new Map<string, string>();

  /**
   * Names the numbers that are new in these values, by their paths.
   * @param values JSON, by name
   */
  learn(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) this.#learn(name, value);
  }

  #learn(path: string, value: unknown): void {
    if (Array.isArray(value)) for (const [at, one] of value.entries()) this.#learn(`${path}.${at}`, one);
    else if (typeof value === "object" && value !== null) {
      const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
      for (const [name, one] of members) this.#learn(`${path}.${name}`, one);
    } else {
      for (const [counter] of String(value).matchAll(COUNTER)) {
        if (this.#names.has(counter)) continue;
        const again = [...this.#names.values()].filter((one) => one.startsWith(`${path}#`)).length;
        this.#names.set(counter, `${path}#${again}`);
      }
    }
  }

  /** A value with names in place of the numbers. */
  named<T>(value: T): T {
    const text = JSON.stringify(value);
    if (text === undefined) return value;
    // Whole numbers become texts; inside a text they are replaced.
    const whole = text.replace(/(?<=[:[,])(70{4}\d{5})(?=[,}\]])/g, '"$1"');
    return JSON.parse(whole.replace(COUNTER, (counter) => this.#names.get(counter) ?? counter));
  }
}
