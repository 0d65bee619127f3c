/** Guesses dependencies that a source does not record, from equal values. */
import { type ScopePath, Sensitive } from "../contract.js";
import { isIdentity } from "../infer-dependencies.js";
import { withoutKeys } from "../without-keys.js";
import { type Group, isData } from "./groups.js";
import type { Candidates, Offers } from "./offers.js";
import { Reference } from "./program.js";
import type { SettledProject } from "./settled.js";

interface Guessing extends Pick<SettledProject, "dependencies"> {
  /** By address. */
  readonly groups: ReadonlyMap<string, Group>;
  readonly offers: Offers;
}

/** Adds the needs of data sources, of which states record none, and those of a list. No guess closes a cycle. */
export function guessNeeds({ groups, offers, dependencies }: Guessing): void {
  const isList = dependencies === "unknown";
  const users = new Map<Group, Group[]>([...groups.values()].map((one) => [one, []]));
  for (const one of groups.values()) for (const needed of one.needs) users.get(needed)?.push(one);
  for (const group of groups.values()) {
    if (!group.isGuessed || group.needs.size > 0 || !(isList || isData(group))) continue;
    const { scope, props } = group.first;
    let around: ReadonlySet<Group> | undefined;
    const isAllowed = (one: Group, member: string): boolean => {
      if (isList && !isIdentity(member)) return false;
      around ??= usersOf(group, users);
      return !around.has(one);
    };
    for (const address of addressesIn(props, offers, { isAllowed }, { scope })) {
      const owner = groups.get(withoutKeys(address));
      if (!owner || group.needs.has(owner)) continue;
      group.needs.add(owner);
      users.get(owner)?.push(group);
    }
  }
}

/** Returns the addresses of the resources that values most likely came from. */
function addressesIn(props: unknown, offers: Offers, candidates: Candidates, at: { readonly scope: ScopePath }) {
  return valuesIn(props).flatMap((value) => {
    const whole = offers.find(value, candidates, at);
    if (whole) return [whole.address];
    const parts = typeof value === "string" ? offers.findIn(value, candidates, at)?.parts : undefined;
    return (parts ?? []).flatMap((part) => (part instanceof Reference ? part.address : []));
  });
}

/** Returns the candidates for references of a group whose needs are known or guessed. */
export function candidatesOf(group: Group, { dependencies }: Pick<SettledProject, "dependencies">): Candidates {
  const { needs, isGuessed } = group;
  if (!isGuessed) return { needed: needs, of: group };
  const isList = dependencies === "unknown";
  return { isAllowed: (one, member) => needs.has(one) && (!isList || isIdentity(member)) };
}

/** Returns the groups that need a group, and the group itself. */
function usersOf(group: Group, users: ReadonlyMap<Group, readonly Group[]>): ReadonlySet<Group> {
  const all = new Set([group]);
  // The loop also visits the groups that it adds.
  for (const one of all) for (const user of users.get(one) ?? []) all.add(user);
  return all;
}

/** Returns the texts and secrets of props. */
function valuesIn(value: unknown): readonly unknown[] {
  if (typeof value === "string" || value instanceof Sensitive) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}
