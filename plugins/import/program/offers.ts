/** Finds the output that a value most likely came from. */
import { type ScopePath, Sensitive } from "../contract.js";
import { isNamedAfter, positionsIn } from "./affinity.js";
import { type Group, instanceOf, isData } from "./groups.js";
import { Reference, Template } from "./program.js";
import { Digits, Fixed, type SettledResource } from "./settled.js";

/** Shortest text that is not equal by chance. */
const SHORTEST = 3;
const FEWEST_DIGITS = 4;
/** Shortest text that another text contains on purpose: of a dependency, and of any resource. */
const SHORTEST_WITHIN = 4;
const SHORTEST_WITHOUT_DIGIT = 8;
/** Most words of a text that is looked for in others, such as those of an ARN. */
const MOST_WORDS = 40;
/** Characters from which a text is data without references. */
export const LONG_TEXT = 20_000;

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

interface At extends Pick<SettledResource, "scope" | "key"> {
  /** Names in the props that lead to the value. */
  readonly path?: readonly string[];
}

/** Resources that a reference may name. */
export interface Candidates {
  /** The group that refers, if the source records its dependencies. */
  readonly of?: Group;
  /** Collects groups that references surely name. */
  readonly sure?: Set<Group>;
  /** Dependencies that the source records; undefined if it records none, so that all groups count. */
  readonly needed?: ReadonlySet<Group>;
  /** Of a guess: false for an offer that is unique, but that no reference may name. */
  readonly isAllowed?: (group: Group, member: string) => boolean;
}

/** A group that offers a value. */
interface Source {
  readonly group: Group;
  readonly first: Offer;
  /** Undefined if several of its instances offer the value, and none is the nearest. */
  readonly nearest: Offer | undefined;
}

/** A value of which the source is unclear, so that it stays a literal. */
const UNCLEAR = "unclear";

/** Outputs by value, for each group. Found values are cached, because groups may have thousands of instances. */
export class Offers {
  readonly #byGroup = new Map<Group, Map<string, SameValue>>();
  readonly #groups: readonly Group[];
  /** For each group, those that its references surely name. */
  readonly #sure = new Map<Group, ReadonlySet<Group>>();
  /** The groups that offer a text, in their order. */
  #byText: Map<string, Group[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** Returns a reference to the member that offers the value; undefined if none or several resources do. */
  find(value: unknown, candidates: Candidates, at: At): Reference | undefined {
    const text = keyOf(value);
    const found = text === undefined ? undefined : this.#sourceOf(text, candidates, at);
    return found === undefined || found === UNCLEAR ? undefined : referenceTo(found);
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
        parts.push(text.slice(done, start), found === UNCLEAR ? text.slice(start, end) : found);
        done = end;
        break;
      }
    }
    parts.push(text.slice(done));
    const isPlain = parts.every((part) => typeof part === "string");
    return isPlain ? undefined : new Template(joined(parts));
  }

  #within(part: string, candidates: Candidates, at: At): Reference | typeof UNCLEAR | undefined {
    if (!candidates.needed && part.length < SHORTEST_WITHOUT_DIGIT && !/\d/.test(part)) return undefined;
    const found = this.#sourceOf(`s${part}`, candidates, at);
    if (found === undefined || found === UNCLEAR) return found;
    // A secret has no text.
    return found.value instanceof Sensitive ? undefined : referenceTo(found);
  }

  /**
   * The one rule for all references: of the resources that offer a value, exactly one is the most likely source.
   * Otherwise, the value stays a literal.
   */
  #sourceOf(text: string, candidates: Candidates, at: At): Offer | typeof UNCLEAR | undefined {
    const all = this.#sources(text, candidates, at);
    const [only, ...others] = all.length > 1 ? mostLikely(all, text, candidates) : all;
    if (!only) return undefined;
    if (others.length > 0 || !only.nearest) return UNCLEAR;
    if (candidates.isAllowed?.(only.group, only.nearest.member) === false) return undefined;
    return this.#isLikely(only.nearest, { group: only.group, all, text }, candidates, at) ? only.nearest : UNCLEAR;
  }

  /**
   * A value that a person gave to both resources may be a reference. It is one if its name says so, or if nothing
   * else explains the recorded dependency.
   *
   * @param found the group of the offer, and all sources of the value
   */
  #isLikely(
    { resource, member, value }: Offer,
    { group, all, text }: { readonly group: Group; readonly all: readonly Source[]; readonly text: string },
    { of, sure }: Candidates,
    { path = [] }: At,
  ): boolean {
    if (!of) return true;
    const isSure =
      value instanceof Sensitive || !keysIn(resource.props).has(text) || isNamedAfter(path, resource, member);
    if (isSure) sure?.add(group);
    if (isSure || sure) return true;
    // A state lists all resources that one needs, also those that others need for it.
    const isIndirect = [...of.needs].some((other) => other.needs.has(group) && !all.some((one) => one.group === other));
    return !isIndirect && !this.#sureOf(of).has(group);
  }

  #sureOf(of: Group): ReadonlySet<Group> {
    const known = this.#sure.get(of);
    if (known) return known;
    const sure = new Set<Group>();
    this.#sure.set(of, sure);
    const candidates = { needed: of.needs, of, sure };
    for (const { value, path } of positionsIn(of.first.props)) {
      const at = { ...of.first, path };
      if (!this.find(value, candidates, at) && typeof value === "string" && value.length < LONG_TEXT)
        this.findIn(value, candidates, at);
    }
    return sure;
  }

  #sources(text: string, { needed }: Candidates, at: At): readonly Source[] {
    this.#byText ??= this.#groupsByText();
    // Most texts have none.
    const offering = this.#byText.get(text) ?? [];
    const likely = needed ? offering.filter((group) => needed.has(group)) : offering;
    return likely.flatMap((group) => {
      const same = this.#offersOf(group).get(text);
      return same ? [{ group, first: same.first, nearest: nearest(same, at.scope, at.key) }] : [];
    });
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

function referenceTo({ resource, member, value }: Offer): Reference {
  return new Reference(resource.address, member, value);
}

/** Returns the sources that nothing tells apart. */
function mostLikely(all: readonly Source[], text: string, { needed }: Candidates): readonly Source[] {
  const ranked = all.map((source) => {
    const { group, first } = source;
    // A value that a resource was given came from another one: from one that it needs, if that is recorded.
    const mayBeCopy = group.isGuessed || all.some((other) => group.needs.has(other.group));
    const isCopy = mayBeCopy && keysIn(first.resource.props).has(text);
    // A dependency on a data source has a reason. Without one, the data source looked the resource up.
    const isUnlikely = isData(group) !== (needed !== undefined);
    return { source, rank: (isCopy ? 2 : 0) + (isUnlikely ? 1 : 0) };
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ source }) => source);
}

const cachedKeys = new WeakMap<object, ReadonlySet<string>>();

/** Returns the texts of all values in props. */
function keysIn(props: object): ReadonlySet<string> {
  const known = cachedKeys.get(props);
  if (known) return known;
  const keys = new Set<string>();
  const visit = (value: unknown): void => {
    const key = keyOf(value);
    if (key !== undefined) keys.add(key);
    else if (value instanceof Sensitive || value instanceof Fixed) visit(value.value);
    else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array))
      for (const one of Object.values(value)) visit(one);
  };
  visit(props);
  cachedKeys.set(props, keys);
  return keys;
}

/** Joins neighbouring texts. */
function joined(parts: readonly (string | Reference)[]): readonly (string | Reference)[] {
  const all: (string | Reference)[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part === "string" && typeof last === "string") all.splice(-1, 1, last + part);
    else if (part !== "") all.push(part);
  }
  return all;
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
