/** Names of Terraform's language for names of the engine. Pure. */

/** Gives each name once. */
export class Names {
  readonly #taken = new Set<string>();

  /** Returns a name made from the text: letters, digits, `_` and `-`, not beginning with a digit. */
  give(text: string): string {
    const plain = text.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    const name = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
    let found = name;
    for (let count = 2; this.#taken.has(found); count++) found = `${name}_${count}`;
    this.#taken.add(found);
    return found;
  }
}
