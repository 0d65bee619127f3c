/** Values as JSON, as states have them: a number is what it says, and what tells its type itself is an object of both. */

import { isNull } from "./known.js";
import { keyOf } from "./path.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { partsOf } from "./walk.js";

/** @throws TypeError for what is not known */
export function jsonText(type: CtyType, value: CtyValue): string {
  if (value instanceof Unknown) throw new TypeError("What is not known cannot be written as JSON.");
  if (isNull(value)) return "null";
  if (value instanceof Dynamic) {
    return type === "dynamic"
      ? `{"value":${jsonText(value.type, value.value)},"type":${JSON.stringify(value.type)}}`
      : jsonText(type, value.value);
  }
  if (type === "number") return String(value);
  if (typeof type === "string") return JSON.stringify(value);
  const parts = partsOf(type, value);
  if (type[0] !== "object" && type[0] !== "map")
    return `[${parts.map((part) => jsonText(part.type, part.value)).join(",")}]`;
  return `{${parts.map((part) => `${JSON.stringify(String(keyOf(part.step)))}:${jsonText(part.type, part.value)}`).join(",")}}`;
}
