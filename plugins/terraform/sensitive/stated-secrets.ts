/**
 * Secrets with the JSON of a state, as a user copies it into a variable. Its members have the names of the provider,
 * absent ones are null, and computed ones are there.
 */
import { isSecret, Secret } from "../../secrets/secret.js";
import { type CtyType, elementType, memberType } from "../cty/index.js";
import {
  attributeOf,
  blockOf,
  isComputedOnly,
  type Level,
  type Names,
  type Nested,
  namesOf,
  nestedIn,
} from "../schema/index.js";
import { isMembered } from "../schema/written-only.js";

/** Returns props whose secrets have the form of props. */
export function withStatedSecrets(level: Level, props: unknown): unknown {
  return holdsStated(props) ? inForm(shapeOfLevel(level), props, false) : props;
}

/** True for a secret with members or elements. */
function holdsStated(value: unknown): boolean {
  if (isSecret(value)) return typeof value.unencrypted === "object" && value.unencrypted !== null;
  if (Array.isArray(value)) return value.some(holdsStated);
  return isMembered(value) && Object.values(value).some(holdsStated);
}

/** The members of an object or the elements of a collection; undefined if they keep their names. */
type Shape = { readonly names: Names | undefined; of(name: string | number): Shape | "computed" } | undefined;

function shapeOfLevel(level: Level): Shape {
  return {
    names: namesOf(level),
    of(name) {
      const of = attributeOf(level, String(name)) ?? blockOf(level, String(name));
      if (of === undefined) return undefined;
      if ("type" in of && isComputedOnly(of)) return "computed";
      const nested = nestedIn(of);
      return nested ? shapeOfNested(nested) : "type" in of ? shapeOfType(of.type) : undefined;
    },
  };
}

function shapeOfNested({ nesting, level }: Nested): Shape {
  const inner = shapeOfLevel(level);
  return nesting === "single" || nesting === "group" ? inner : { names: undefined, of: () => inner };
}

function shapeOfType(type: CtyType): Shape {
  if (typeof type === "string") return undefined;
  if (type[0] !== "object") return { names: undefined, of: (at) => shapeOfType(elementType(type, Number(at))) };
  return { names: namesOf(type[1]), of: (name) => shapeOfType(memberType(type[1], String(name)) ?? "dynamic") };
}

function inForm(shape: Shape, value: unknown, isStated: boolean): unknown {
  if (shape === undefined) return value;
  if (isSecret(value))
    return holdsStated(value) ? new Secret(inForm(shape, value.unencrypted, true), value.name) : value;
  const inner = (name: string | number, one: unknown): unknown => {
    const of = shape.of(name);
    return of === "computed" ? one : inForm(of, one, isStated);
  };
  if (Array.isArray(value)) return value.map((one, at) => inner(at, one));
  if (!isMembered(value)) return value;
  const { names } = shape;
  if (!names) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(key, one)]));
  const members = Object.entries(value).flatMap(([given, one]): [string, unknown][] => {
    const name = names.toProvider.get(given) ?? given;
    if (isStated && (one === null || shape.of(name) === "computed")) return [];
    return [[names.toProgram.get(name) ?? given, inner(name, one)]];
  });
  return Object.fromEntries(members);
}
