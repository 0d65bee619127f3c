import type { CtyType } from "./type.js";

/** The type of what is at a position or key of a collection or tuple; what has no such thing could have anything there. */
export function elementType(type: CtyType, index = 0): CtyType {
  if (typeof type === "string" || type[0] === "object") return "dynamic";
  return type[0] === "tuple" ? (type[1][index] ?? "dynamic") : type[1];
}

/** The type of a member of an object by its own name; undefined where there is none. */
export function memberType(types: Readonly<Record<string, CtyType>>, name: string): CtyType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined;
}
