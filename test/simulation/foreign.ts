/** Foreign resources under names of ours: they may be adopted only if the program has ever said so. */
import type { Thing } from "./thing.ts";

export class Foreign {
  readonly #things: Map<string, Thing>;
  /** FQNs. */
  readonly #adopters = new Set<string>();

  constructor(things: Map<string, Thing>) {
    this.#things = things;
  }

  /** Unless the name is taken already. */
  make(name: string): void {
    if (this.#things.has(name)) return;
    const nobodys = { uid: `foreign ${name}`, fqn: "", token: "", uses: [], refs: [], parent: undefined } as const;
    const thing = { ...nobodys, name, kind: "named", value: "of somebody", isStray: false, released: true } as const;
    this.#things.set(name, { ...thing, isForeign: true });
  }

  mayAdopt(fqn: string): void {
    this.#adopters.add(fqn);
  }

  isAdopted(fqn: string, { isForeign }: Thing): boolean {
    return isForeign === true && this.#adopters.has(fqn);
  }

  /** The violations of a change. */
  touched(fqn: string, thing: Thing): readonly string[] {
    if (!thing.isForeign || this.isAdopted(fqn, thing)) return [];
    return [`foreign: ${fqn} changed ${thing.name}, which somebody else has made`];
  }
}
