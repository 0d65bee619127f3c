/** Infers dependencies of tools that record none: a value of the props is also a member of one earlier output. */
import { type ImportedResource, Sensitive } from "./contract.js";

/** Shorter texts are often equal by chance. */
const SHORTEST = 4;

/** Members that identify a resource, so that others may refer to them although the program chose their value. */
const IDENTITY = /(?:^|[a-z_])(?:id|name|path|arn|url|uri|slug|address)$/i;

export function isIdentity(member: string): boolean {
  return IDENTITY.test(member);
}

/** @param resources in the order of their declaration, so that no cycle can result */
export function inferDependencies(resources: readonly ImportedResource[]): readonly ImportedResource[] {
  /** Address by text; undefined for a text that several resources offer. */
  const offered = new Map<string, string | undefined>();
  return resources.map((resource) => {
    if (resource.value.by !== "value") return resource;
    const { props, output } = resource.value;
    const found = new Set<string>(resource.dependencies);
    const given = new Set(textsIn(props));
    for (const text of given) {
      const address = offered.get(text);
      if (address !== undefined) found.add(address);
    }
    for (const value of offersOf(props, output).values()) {
      const text = textOf(value);
      // A text from another resource stays that resource's own.
      if (text === undefined || (given.has(text) && offered.has(text))) continue;
      offered.set(text, offered.has(text) ? undefined : resource.address);
    }
    return found.size === resource.dependencies.length ? resource : { ...resource, dependencies: [...found] };
  });
}

/**
 * Returns the members of an output that other resources may refer to: values that do not come from its own props, and
 * those that identify it.
 */
export function offersOf(props: unknown, output: unknown): ReadonlyMap<string, unknown> {
  const given = new Set(textsIn(props));
  const members = typeof output === "object" && output !== null && !Array.isArray(output) ? Object.entries(output) : [];
  return new Map(
    members.filter(([name, value]) => {
      const text = textOf(value);
      return text !== undefined && (isIdentity(name) || !given.has(text));
    }),
  );
}

function textOf(value: unknown): string | undefined {
  const plain = value instanceof Sensitive ? value.value : value;
  return typeof plain === "string" && plain.length >= SHORTEST ? plain : undefined;
}

function* textsIn(value: unknown): Generator<string> {
  const text = textOf(value);
  if (text !== undefined) yield text;
  else if (value instanceof Sensitive) yield* textsIn(value.value);
  else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array))
    for (const one of Object.values(value)) yield* textsIn(one);
}
