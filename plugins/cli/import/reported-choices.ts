/** Members that a provider could choose itself: those that the program sets, and those that it leaves to it. */

interface OfResource {
  readonly chosen: readonly string[];
  readonly left: readonly string[];
}

/** What became of one resource of a type. */
interface Result {
  readonly refused?: readonly string[];
}

export class Choices {
  readonly #byKind = new Map<string, Map<string, OfResource>>();
  readonly #first = new Map<string, Promise<Result>>();

  /**
   * Settles the first resource of a kind before all others, which then leave out the members that its provider did not
   * accept. So the result does not depend on the speed of the provider.
   */
  async inTurn<T extends object>(
    kind: string,
    work: (refused: ReadonlySet<string>) => Promise<T & Result>,
  ): Promise<T> {
    const first = this.#first.get(kind);
    if (first !== undefined) return work(new Set((await first).refused));
    const own = work(new Set());
    this.#first.set(
      kind,
      own.catch((): Result => ({})),
    );
    return own;
  }

  note(kind: string, address: string, of: OfResource): void {
    const known = this.#byKind.get(kind) ?? new Map<string, OfResource>();
    this.#byKind.set(kind, known.set(address, of));
  }

  /** Leaves members to the provider after all. */
  leave(address: string, names: readonly string[]): void {
    for (const all of this.#byKind.values()) {
      const one = all.get(address);
      if (!one) continue;
      const chosen = one.chosen.filter((name) => !names.includes(name));
      all.set(address, { chosen, left: [...one.left, ...names] });
    }
  }

  /** Sentences for the user, each with a line for every kind. */
  get notes(): readonly string[] {
    const [chosen, left] = [this.#lines("chosen"), this.#lines("left")];
    const sets = "The program sets values that a provider could also choose. Remove those that it chose:";
    const leaves = "The program leaves these values to their provider. Add those that you had configured:";
    return [...(chosen === "" ? [] : [`${sets}${chosen}`]), ...(left === "" ? [] : [`${leaves}${left}`])];
  }

  #lines(which: keyof OfResource): string {
    const all = [...this.#byKind].sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = all.flatMap(([kind, resources]) => {
      const names = new Set([...resources.values()].flatMap((one) => one[which]));
      const texts = [...names].sort().map((name) => `${name}${ownersText(name, which, resources)}`);
      return texts.length === 0 ? [] : `\n${kind}: ${texts.join(", ")}`;
    });
    return lines.join("");
  }
}

/** Most resources that a note names for one member. */
const SHOWN = 3;

/** Names the resources of a member that other resources of the kind have in the other list. */
function ownersText(name: string, which: keyof OfResource, resources: ReadonlyMap<string, OfResource>): string {
  const other = which === "chosen" ? "left" : "chosen";
  if (![...resources.values()].some((one) => one[other].includes(name))) return "";
  const owners = [...resources].flatMap(([address, one]) => (one[which].includes(name) ? [address] : []));
  const more = owners.length > SHOWN ? ` and ${owners.length - SHOWN} more` : "";
  return ` of ${owners.sort().slice(0, SHOWN).join(", ")}${more}`;
}
