import { elementType } from "./element-type.js";
import { isList, isRecord, memberOf } from "./known.js";
import { keyOf, type Path, type PathStep } from "./path.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic } from "./value.js";

/** A part of a value, one step in. */
export interface Part {
  readonly step: PathStep;
  readonly type: CtyType;
  readonly value: CtyValue;
}

/** What is directly in a value: nothing in one that is null, unknown or a single one. A dynamic value has what its own type says. */
export function partsOf(type: CtyType, value: CtyValue): readonly Part[] {
  if (value instanceof Dynamic) return partsOf(value.type, value.value);
  if (typeof type === "string") return [];
  if (type[0] === "object") {
    if (!isRecord(value)) return [];
    return Object.entries(type[1]).map(([name, of]) => ({ step: name, type: of, value: memberOf(value, name) }));
  }
  if (type[0] === "map") {
    const of = type[1];
    if (!isRecord(value)) return [];
    return Object.entries(value).map(([key, member]) => ({
      step: { element: "string", key },
      type: of,
      value: member,
    }));
  }
  if (!isList(value)) return [];
  return value.map((element, key) => ({
    step: { element: "number", key },
    type: elementType(type, key),
    value: element,
  }));
}

/** Visits a value and all in it, from the outside in. What `visit` answers with false is not entered. */
export function walk(
  type: CtyType,
  value: CtyValue,
  visit: (path: Path, value: CtyValue, type: CtyType) => boolean,
  path: Path = [],
): void {
  if (!visit(path, value, type)) return;
  for (const part of partsOf(type, value)) walk(part.type, part.value, visit, [...path, part.step]);
}

/** What a path leads to; undefined where that is not there. Into what is unknown there is no way. */
export function valueAt(value: CtyValue, path: Path): CtyValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (value instanceof Dynamic) return valueAt(value.value, path);
  const key = keyOf(step);
  const inner = isList(value) ? value[Number(key)] : isRecord(value) ? memberAt(value, String(key)) : undefined;
  return inner === undefined ? undefined : valueAt(inner, rest);
}

function memberAt(value: { readonly [name: string]: CtyValue }, name: string): CtyValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
