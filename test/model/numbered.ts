/** Gives numbers to values in the order of their first use; number 0 is nothing. */
export class Numbered<Key, Thing> {
  readonly #things: Thing[];
  readonly #numbers = new Map<Key, number>();

  constructor(nothing: Thing) {
    this.#things = [nothing];
  }

  find(key: Key): number | undefined {
    return this.#numbers.get(key);
  }

  add(key: Key, thing: Thing): number {
    const number = this.#things.push(thing) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  at(number: number): Thing {
    const thing = this.#things[number];
    if (thing === undefined) throw new RangeError(`nothing is numbered ${number}`);
    return thing;
  }
}
