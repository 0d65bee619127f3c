/** Converts types of providers to types of TypeScript. Pure. */
import type { CtyType } from "../cty/index.js";
import { namesOf } from "../schema/index.js";

const PRIMITIVE = { string: "string", number: "number", bool: "boolean", dynamic: "unknown" } as const;

/**
 * Type of a string that a program passes. A secret is always allowed, even if the schema does not mark the attribute.
 */
export const GIVEN_TEXT = "string | Secret";

/**
 * Returns the TypeScript of a type. Members of objects may be absent, as in props. They are then null for the provider.
 *
 * @param text the type of a string
 */
export function typeText(type: CtyType, text: string = PRIMITIVE.string): string {
  if (typeof type === "string") return type === "string" ? text : PRIMITIVE[type];
  const inner = (of: CtyType): string => typeText(of, text);
  switch (type[0]) {
    case "list":
    case "set":
      return listOf(inner(type[1]));
    case "map":
      return mapOf(inner(type[1]));
    case "tuple":
      return `readonly [${type[1].map(inner).join(", ")}]`;
    case "object":
      return objectText(type[1], inner);
  }
}

function objectText(types: Readonly<Record<string, CtyType>>, text: (type: CtyType) => string): string {
  const { toProgram } = namesOf(types);
  const members = Object.entries(types).map(
    ([name, type]) => `readonly ${memberName(toProgram.get(name) ?? name)}?: ${text(type)}`,
  );
  return members.length === 0 ? "Readonly<Record<string, never>>" : `{ ${members.join("; ")} }`;
}

export function listOf(element: string): string {
  return /^[\w<>, ]+$/.test(element) ? `readonly ${element}[]` : `readonly (${element})[]`;
}

export function mapOf(element: string): string {
  return `Readonly<Record<string, ${element}>>`;
}

/** Returns the name of a member as code. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns the beginning of a type's name: `AwsS3Bucket` for `aws_s3-bucket`, `S3Bucket` for `s3Bucket`. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9$]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z$]/.test(joined) ? joined : `_${joined}`;
}
