/** Groups of resources in a batch: they refer to each other, and to no others. */
import { type Step, tagsIn } from "./configuration.ts";

/**
 * E.g. `g1`.
 * @param key a tag, or `TYPE.TAG`
 */
export function groupOf(key: string): string {
  return /(?:^|\.)(g\d+)r/.exec(key)?.[1] ?? key;
}

/** @param key `TYPE.TAG` */
export function tagOf(key: string): string {
  return key.slice(key.indexOf(".") + 1);
}

/** A step in which these groups stay unchanged. */
export function withheld(step: Step, before: Step | undefined, groups: ReadonlySet<string>): Step {
  const mixed = <T extends { readonly tag: string }>(now: readonly T[], then: readonly T[] = []): readonly T[] => [
    ...now.filter(({ tag }) => !groups.has(groupOf(tag))),
    ...then.filter(({ tag }) => groups.has(groupOf(tag))),
  ];
  return {
    ...step,
    declared: mixed(step.declared, before?.declared),
    lookups: mixed(step.lookups, before?.lookups),
  };
}

/** True if it refers to one of these, directly or indirectly. */
export function needsOneOf(step: Step, tag: string, others: ReadonlySet<string>): boolean {
  const one = step.declared.find((declared) => declared.tag === tag);
  const lookedUp = step.lookups.flatMap(({ tag: lookup, thing }) => (lookup === tag ? [thing] : []));
  const needed = [...tagsIn(one?.config ?? {}), ...lookedUp];
  return needed.some((other) => others.has(other) || needsOneOf(step, other, others));
}
