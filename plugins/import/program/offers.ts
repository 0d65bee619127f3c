/** Finds the output that a value most likely came from. */
import { type ScopePath, Sensitive } from "../contract.js";
import { type Group, instanceOf, isData } from "./groups.js";
import { Reference, Template } from "./program.js";
import { Digits, type SettledResource } from "./settled.js";

/** Shortest text that is not equal by chance. */
const SHORTEST = 3;
const FEWEST_DIGITS = 4;
/** Shortest text that another text contains on purpose: of a dependency, and of any resource. */
const SHORTEST_WITHIN = 4;
const SHORTEST_WITHOUT_DIGIT = 8;
/** Most words of a text that is looked for in others, such as those of an ARN. */
const MOST_WORDS = 40;

interface Offer {
  readonly resource: SettledResource;
  readonly member: string;
  readonly value: unknown;
}

/** The offers of one value in a group. */
interface SameValue {
  readonly first: Offer;
  readonly byInstance: Map<string, Offer>;
}

type At = Pick<SettledResource, "scope" | "key">;

/** Groups that a value may have come from. */
export interface Candidates {
  /** Dependencies that the source records or that were inferred; undefined for all groups. */
  readonly needed?: ReadonlySet<Group>;
  readonly excluded?: ReadonlySet<Group>;
}

/** Outputs by value, for each group. Found values are cached, because groups may have thousands of instances. */
export class Offers {
  readonly #byGroup = new Map<Group, Map<string, SameValue>>();
  readonly #groups: readonly Group[];
  /** The groups that offer a text, in their order. */
  #byText: Map<string, Group[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** Returns a reference to the member with the same value that it most likely came from. */
  find(value: unknown, candidates: Candidates, at: At): Reference | undefined {
    const text = keyOf(value);
    const [best] = text === undefined ? [] : this.#offering(text, candidates, at);
    return best && new Reference(best.resource.address, best.member, best.value);
  }

  /** Returns a text with references in place of the outputs that it contains. */
  findIn(text: string, candidates: Candidates, at: At): Template | undefined {
    const parts: (string | Reference)[] = [];
    const ends = boundaries(text);
    let done = 0;
    for (let first = 0; first < ends.length; first++) {
      const start = ends[first] ?? 0;
      if (start < done) continue;
      for (let last = Math.min(ends.length - 1, first + MOST_WORDS); last > first; last--) {
        const end = ends[last] ?? 0;
        if (end - start < SHORTEST_WITHIN) break;
        const found = this.#within(text.slice(start, end), candidates, at);
        if (!found) continue;
        parts.push(text.slice(done, start), found);
        done = end;
        break;
      }
    }
    parts.push(text.slice(done));
    return parts.length === 1 ? undefined : new Template(parts.filter((part) => part !== ""));
  }

  #within(part: string, candidates: Candidates, at: At): Reference | undefined {
    if (!candidates.needed && part.length < SHORTEST_WITHOUT_DIGIT && !/\d/.test(part)) return undefined;
    const [best, other] = this.#offering(`s${part}`, candidates, at);
    // A secret has no text.
    if (!best || best.value instanceof Sensitive) return undefined;
    // Without a recorded dependency, a value of several resources says nothing.
    const isUnclear = !candidates.needed && other !== undefined && other.rank === best.rank;
    return isUnclear ? undefined : new Reference(best.resource.address, best.member, best.value);
  }

  /** Returns the nearest offer of each group, the most likely one first. */
  #offering(text: string, candidates: Candidates, at: At): readonly (Offer & { readonly rank: number })[] {
    const all: (Offer & { readonly rank: number })[] = [];
    for (const group of this.#likely(text, candidates)) {
      const same = this.#offersOf(group).get(text);
      const found = same && nearest(same, at.scope, at.key);
      if (!found) continue;
      // A value that a resource was given came from another one. A dependency on a data source has a reason.
      const rank =
        (Object.hasOwn(found.resource.props, found.member) ? 2 : 0) +
        (isData(group) === (candidates.needed !== undefined) ? 0 : 1);
      all.push({ ...found, rank });
    }
    return all.length > 1 ? all.sort((one, other) => one.rank - other.rank) : all;
  }

  /** Returns the candidates that may offer a text, in their order. Most texts have none. */
  #likely(text: string, { needed, excluded }: Candidates): Iterable<Group> {
    this.#byText ??= this.#groupsByText();
    const offering = this.#byText.get(text) ?? [];
    if (!needed) return excluded ? offering.filter((group) => !excluded.has(group)) : offering;
    if (offering.length >= needed.size) return needed;
    const likely = offering.filter((group) => needed.has(group));
    return likely.length > 1 ? needed : likely;
  }

  #groupsByText(): Map<string, Group[]> {
    const made = new Map<string, Group[]>();
    for (const group of this.#groups) {
      for (const text of this.#offersOf(group).keys()) {
        const known = made.get(text);
        if (known) known.push(group);
        else made.set(text, [group]);
      }
    }
    return made;
  }

  #offersOf(group: Group): Map<string, SameValue> {
    const known = this.#byGroup.get(group);
    if (known) return known;
    const made = new Map<string, SameValue>();
    for (const resource of [...group.instances.values()].flat()) {
      for (const [member, value] of resource.offers) {
        const text = keyOf(value);
        if (text !== undefined) add(made, text, { resource, member, value });
      }
    }
    this.#byGroup.set(group, made);
    return made;
  }
}

function add(offers: Map<string, SameValue>, text: string, offer: Offer): void {
  const same = offers.get(text) ?? { first: offer, byInstance: new Map<string, Offer>() };
  offers.set(text, same);
  const instance = nameOf(offer.resource.scope, offer.resource.key);
  // The first member of a resource is the preferred one.
  if (!same.byInstance.has(instance)) same.byInstance.set(instance, offer);
}

function nameOf(scope: ScopePath, key: SettledResource["key"]): string {
  return `${instanceOf(scope)} ${JSON.stringify(key)}`;
}

/** Prefers the instance with the same keys. A value that several other instances have says nothing. */
function nearest({ first, byInstance }: SameValue, scope: ScopePath, key: SettledResource["key"]): Offer | undefined {
  if (byInstance.size === 1) return first;
  for (let length = scope.length; length >= 0; length--) {
    const path = scope.slice(0, length);
    const found = byInstance.get(nameOf(path, key)) ?? byInstance.get(nameOf(path, undefined));
    if (found) return found;
  }
  return undefined;
}

/** Returns the places between words, because a part of a word is equal by chance. */
function boundaries(text: string): readonly number[] {
  const inner = [...text.matchAll(/(?<![\p{L}\p{N}])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?![\p{L}\p{N}])/gu)];
  return [...new Set([0, ...inner.map(({ index }) => index), text.length])];
}

/** Returns a text that only equal values have; undefined for values that are equal by chance. */
function keyOf(value: unknown): string | undefined {
  const inner = value instanceof Sensitive ? value.value : value;
  if (typeof inner === "string") return inner.length >= SHORTEST ? `s${inner}` : undefined;
  if (inner instanceof Digits) return `n${inner.text}`;
  if (typeof inner !== "number" && typeof inner !== "bigint") return undefined;
  return String(inner).replace("-", "").length >= FEWEST_DIGITS ? `n${inner}` : undefined;
}
