/** The two forms of a value of a type with `dynamic` in it: with each such part telling its type, or with the whole doing so. */
import { elementType, memberType } from "./element-type.js";
import { isList, isRecord, memberOf, recordOf } from "./known.js";
import { memoized } from "./memoized.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

/** True where a value of the type, or a part of it, brings its own type along. */
export function hasDynamic(type: CtyType): boolean {
  return typeof type === "string" ? type === "dynamic" : holdsDynamic(type);
}

const holdsDynamic = memoized((type: Exclude<CtyType, string>): boolean => {
  if (type[0] === "tuple") return type[1].some(hasDynamic);
  return type[0] === "object" ? Object.values(type[1]).some(hasDynamic) : hasDynamic(type[1]);
});

/** The whole with its exact type, and nothing dynamic in it but what is null or unknown. */
export function concrete(type: CtyType, value: CtyValue): Dynamic {
  if (value instanceof Dynamic) return concrete(value.type, value.value);
  if (typeof type === "string" || value === null || value instanceof Unknown) return new Dynamic(type, value);
  if (type[0] === "object") {
    const members = Object.entries(type[1]).map(([name, of]) => [name, concrete(of, memberOf(value, name))] as const);
    const types = Object.fromEntries(members.map(([name, member]) => [name, member.type]));
    return new Dynamic(["object", types], recordOf(members.map(([name, member]) => [name, member.value])));
  }
  if (type[0] === "tuple") {
    const elements = type[1].map((of, index) => concrete(of, isList(value) ? (value[index] ?? null) : null));
    return new Dynamic(
      ["tuple", elements.map((element) => element.type)],
      elements.map((element) => element.value),
    );
  }
  return concreteCollection(type[0], type[1], value);
}

/** Elements of a collection have one type: that of the first which tells it. */
function concreteCollection(kind: "list" | "set" | "map", of: CtyType, value: CtyValue): Dynamic {
  if (!hasDynamic(of)) return new Dynamic([kind, of], value);
  if (kind === "map" && isRecord(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, concrete(of, member)] as const);
    const type = firstExact(members.map(([, member]) => member.type)) ?? of;
    return new Dynamic([kind, type], recordOf(members.map(([key, member]) => [key, member.value])));
  }
  const elements = isList(value) ? value.map((element) => concrete(of, element)) : [];
  const type = firstExact(elements.map((element) => element.type)) ?? of;
  return new Dynamic(
    [kind, type],
    elements.map((element) => element.value),
  );
}

function firstExact(types: readonly CtyType[]): CtyType | undefined {
  return types.find((type) => !hasDynamic(type)) ?? types[0];
}

/** A value of an exact type as one of a type with `dynamic` in it. */
export function withDynamics(type: CtyType, exact: CtyType, value: CtyValue): CtyValue {
  if (value === null || value instanceof Unknown || value instanceof Dynamic || !hasDynamic(type)) return value;
  if (type === "dynamic") return exact === "dynamic" ? value : new Dynamic(exact, value);
  if (typeof type === "string") return value;
  if (type[0] === "object") {
    const types = exact[0] === "object" && typeof exact !== "string" ? exact[1] : {};
    const members = Object.entries(type[1]).map(
      ([name, of]) => [name, withDynamics(of, memberType(types, name) ?? of, memberOf(value, name))] as const,
    );
    return recordOf(members);
  }
  if (isRecord(value)) {
    const inner = elementType(exact, 0);
    const of = elementType(type, 0);
    return recordOf(Object.entries(value).map(([key, member]) => [key, withDynamics(of, inner, member)]));
  }
  if (!isList(value)) return value;
  return value.map((element, index) => withDynamics(elementType(type, index), elementType(exact, index), element));
}
