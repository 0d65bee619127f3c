/** Names of Terraform's language for names of the engine, and lists of names for messages. Pure. */

/** Most names in a list. */
const SHOWN = 20;

/** Returns the first names, and the number of the others. */
export function firstOf(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Gives each name once. */
export class Names {
  readonly #taken = new Set<string>();
  /** The next number to try, by name. */
  readonly #next = new Map<string, number>();

  /** Returns a name made from the text: letters, digits, `_` and `-`, not beginning with a digit. */
  give(text: string): string {
    const plain = text.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    const name = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
    let found = name;
    let count = this.#next.get(name) ?? 2;
    for (; this.#taken.has(found); count++) found = `${name}_${count}`;
    this.#next.set(name, count);
    this.#taken.add(found);
    return found;
  }
}
