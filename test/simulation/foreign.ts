/** What somebody else has made under names that are ours: it may be adopted where the program has ever said so, and by nobody else. */
import type { Thing } from "./thing.ts";

export class Foreign {
  readonly #things: Map<string, Thing>;
  /** FQNs. */
  readonly #adopters = new Set<string>();

  constructor(things: Map<string, Thing>) {
    this.#things = things;
  }

  /** Unless something is there already. */
  make(name: string): void {
    if (this.#things.has(name)) return;
    const nobodys = { uid: `foreign ${name}`, fqn: "", token: "", uses: [], refs: [], parent: undefined } as const;
    const thing = { ...nobodys, name, kind: "named", value: "of somebody", isStray: false, released: true } as const;
    this.#things.set(name, { ...thing, isForeign: true });
  }

  mayAdopt(fqn: string): void {
    this.#adopters.add(fqn);
  }

  /** What is wrong with a change or a delete. */
  touched(fqn: string, { name, isForeign }: Thing): readonly string[] {
    if (!isForeign || this.#adopters.has(fqn)) return [];
    return [`foreign: ${fqn} changed or deleted ${name}, which somebody else has made`];
  }
}
