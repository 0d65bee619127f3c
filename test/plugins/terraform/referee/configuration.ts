/** Configurations of the fixture, for both sides. */
import type { CtyRecord } from "../fixture/kind.ts";

/**
 * A resource of a configuration. Its tag is its address, and the value of its attribute {@link TAG_OF}, which
 * identifies the questions about it.
 */
export interface Declared {
  /** E.g. `g1r2`. */
  readonly tag: string;
  readonly type: string;
  /** Attributes by the provider's names, with {@link reference references} in it. */
  readonly config: CtyRecord;
  readonly createBeforeDestroy: boolean;
}

/** A data source that looks up a resource once it exists as declared. */
export interface LookedUp {
  readonly tag: string;
  readonly thing: string;
}

/** A change of a real object behind the back of both sides. */
export interface Drift {
  readonly type: string;
  readonly tag: string;
  /** Undefined: it is removed. */
  readonly change?: { readonly attribute: string; readonly value: unknown };
}

export interface Step {
  readonly declared: readonly Declared[];
  readonly lookups: readonly LookedUp[];
  readonly drift: readonly Drift[];
  /** Real objects are read before the plan. */
  readonly isRefreshed: boolean;
  /** Uses the older version of the provider. */
  readonly isOlder: boolean;
  /** It is invalid: neither side plans it. */
  readonly isRefused?: boolean;
}

/** The attribute of each type that holds the tag. */
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

/** Placeholder in a configuration for an attribute of another resource. */
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

/** Tags that a configuration refers to. */
export function tagsIn(config: CtyRecord): ReadonlySet<string> {
  const tags = new Set<string>();
  withReferences(config, (tag) => tags.add(tag));
  return tags;
}
