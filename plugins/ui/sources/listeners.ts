/** A set of listeners, each with a function that removes it. */
export class Listeners {
  readonly #all = new Set<() => void>();

  add(listener: () => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(): void {
    for (const listener of this.#all) listener();
  }
}
