/** Finds the output that a value most likely came from. */
import { type ScopePath, Sensitive } from "../contract.js";
import { type Group, instanceOf } from "./groups.js";
import { Reference, Template } from "./program.js";
import type { SettledResource } from "./settled.js";

/** Shortest text that is not equal by chance. */
const SHORTEST = 3;
const FEWEST_DIGITS = 4;
/** Shortest text that another text contains on purpose. */
const SHORTEST_WITHIN = 4;
/** Number of values from which they are not compared one by one. */
const MANY = 300;

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

/** Outputs by value, for each group. Found values are cached, because groups may have thousands of instances. */
export class Offers {
  readonly #byGroup = new Map<Group, Map<string, SameValue>>();

  /** Returns a reference to a member of one of the groups whose value is the same. */
  find(
    value: unknown,
    groups: Iterable<Group>,
    { scope, key }: Pick<SettledResource, "scope" | "key">,
  ): Reference | undefined {
    const text = keyOf(value);
    if (text === undefined) return undefined;
    for (const group of groups) {
      const same = this.#offersOf(group).get(text);
      const found = same && nearest(same, scope, key);
      if (found) return new Reference(found.resource.address, found.member, found.value);
    }
    return undefined;
  }

  /** Returns a text with references in place of the outputs that it contains. */
  findIn(text: string, groups: Iterable<Group>, at: Pick<SettledResource, "scope" | "key">): Template | undefined {
    for (const group of groups) {
      const offers = this.#offersOf(group);
      if (offers.size > MANY) continue;
      for (const [value, same] of offers) {
        const own = value.slice(1);
        const found =
          value.startsWith("s") &&
          own.length >= SHORTEST_WITHIN &&
          text.includes(own) &&
          nearest(same, at.scope, at.key);
        // A part of a word is equal by chance, and a secret has no text.
        if (!found || found.value instanceof Sensitive || !isWord(text, own)) continue;
        const reference = new Reference(found.resource.address, found.member, found.value);
        const start = text.indexOf(own);
        return new Template(
          [text.slice(0, start), reference, text.slice(start + own.length)].filter((part) => part !== ""),
        );
      }
    }
    return undefined;
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

/** True if no letter or digit touches the part. */
function isWord(text: string, part: string): boolean {
  const at = text.indexOf(part);
  const touches = (one: string | undefined, own: string | undefined): boolean =>
    /[\p{L}\p{N}]/u.test(one ?? "") && /[\p{L}\p{N}]/u.test(own ?? "");
  return !touches(text[at - 1], part[0]) && !touches(text[at + part.length], part.at(-1));
}

/** Returns a text that only equal values have; undefined for values that are equal by chance. */
function keyOf(value: unknown): string | undefined {
  const inner = value instanceof Sensitive ? value.value : value;
  if (typeof inner === "string") return inner.length >= SHORTEST ? `s${inner}` : undefined;
  if (typeof inner !== "number" && typeof inner !== "bigint") return undefined;
  return String(inner).replace("-", "").length >= FEWEST_DIGITS ? `n${inner}` : undefined;
}
