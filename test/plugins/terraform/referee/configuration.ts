/** Configurations of the fixture, as both sides are given them. */
import type { CtyRecord } from "../fixture/kind.ts";

/** A resource of a configuration. Its tag is its address, and what it says in {@link TAG_OF}, by which what was asked about it is known. */
export interface Declared {
  /** E.g. `g1r2`. */
  readonly tag: string;
  readonly type: string;
  /** In the provider's names, with {@link reference references} in it. */
  readonly config: CtyRecord;
  readonly createBeforeDestroy: boolean;
}

/** A data source that looks a thing up once that is as declared. */
export interface LookedUp {
  readonly tag: string;
  readonly thing: string;
}

/** A change of what is there behind the back of both sides. */
export interface Drift {
  readonly type: string;
  readonly tag: string;
  /** Undefined: it is gone. */
  readonly change?: { readonly attribute: string; readonly value: unknown };
}

export interface Step {
  readonly declared: readonly Declared[];
  readonly lookups: readonly LookedUp[];
  readonly drift: readonly Drift[];
  /** What is there is looked at before it is planned. */
  readonly isRefreshed: boolean;
  /** The provider is the one that was there before. */
  readonly isOlder: boolean;
  /** It is no good: nobody plans it. */
  readonly isRefused?: boolean;
}

/** The attribute of each type that has the tag. */
export const TAG_OF: Readonly<Record<string, string>> = {
  fixture_thing: "name",
  fixture_attributes: "string",
  fixture_nested: "name",
  fixture_blocks: "name",
  fixture_timeouts: "name",
  fixture_versioned: "name",
  fixture_private: "name",
  fixture_legacy: "name",
  fixture_sdk: "name",
  fixture_behaviour: "name",
};

/** Stands in a configuration for an attribute of another resource. */
export function reference(tag: string, attribute: string): string {
  return `→${tag}.${attribute}`;
}

export function referenced(value: unknown): { readonly tag: string; readonly attribute: string } | undefined {
  const [, tag, attribute] = (typeof value === "string" && /^→(\w+)\.(\w+)$/.exec(value)) || [];
  return tag === undefined || attribute === undefined ? undefined : { tag, attribute };
}

/** A value with each reference in it replaced. */
export function withReferences(value: unknown, by: (tag: string, attribute: string) => unknown): unknown {
  const to = referenced(value);
  if (to) return by(to.tag, to.attribute);
  if (Array.isArray(value)) return value.map((one) => withReferences(one, by));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReferences(one, by)]));
}

/** Tags of what a configuration refers to. */
export function tagsIn(config: CtyRecord): ReadonlySet<string> {
  const tags = new Set<string>();
  withReferences(config, (tag) => tags.add(tag));
  return tags;
}
