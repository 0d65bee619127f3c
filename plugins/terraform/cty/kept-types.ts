/**
 * Keeps the types of recorded dynamic values. A program has only arrays and objects, which are tuples and objects of a
 * provider, but a configuration of Terraform may have had a list, a set or a map.
 */
import { numberOf } from "../../internal/text/decimal.js";
import { sameType, setOf } from "./equal.js";
import { type CtyType, elementType, memberType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { isList, isRecord, memberOf, recordOf } from "./walk.js";

/** Returns a value whose dynamic parts have the types of the recorded ones, wherever these fit. */
export function withKeptTypes(value: CtyValue, recorded: CtyValue): CtyValue {
  if (value instanceof Dynamic) return recorded instanceof Dynamic ? kept(value, recorded.type) : value;
  if (isList(value)) {
    return isList(recorded) ? value.map((one, at) => withKeptTypes(one, recorded[at] ?? null)) : value;
  }
  if (!isRecord(value) || !isRecord(recorded)) return value;
  return recordOf(Object.entries(value).map(([name, one]) => [name, withKeptTypes(one, memberOf(recorded, name))]));
}

/** @param recorded the type that the value gets as far as it fits */
function kept({ type, value }: Dynamic, recorded: CtyType): Dynamic {
  if (value === null || value instanceof Unknown) return new Dynamic(recorded, value);
  if (typeof recorded === "string") return scalar(type, value, recorded);
  if (isList(value)) return keptList(type, value, recorded);
  return isRecord(value) ? keptRecord(type, value, recorded) : new Dynamic(type, value);
}

type Whole = Exclude<CtyType, string>;

function keptList(type: CtyType, value: readonly CtyValue[], recorded: Whole): Dynamic {
  if (recorded[0] === "map" || recorded[0] === "object") return new Dynamic(type, value);
  const all = value.map((one, at) => kept(new Dynamic(elementType(type, at), one), elementType(recorded, at)));
  const values = all.map((one) => one.value);
  if (recorded[0] === "tuple") return new Dynamic(["tuple", all.map((one) => one.type)], values);
  const [kind, element] = recorded;
  if (!all.every((one) => sameType(one.type, element))) return new Dynamic(type, value);
  return new Dynamic(recorded, kind === "set" ? setOf(element, values) : values);
}

function keptRecord(type: CtyType, value: Readonly<Record<string, CtyValue>>, recorded: Whole): Dynamic {
  if (recorded[0] !== "map" && recorded[0] !== "object") return new Dynamic(type, value);
  const [kind, inner] = recorded;
  const members = Object.entries(value).map(([name, one]) => {
    const own = memberIn(type, name) ?? "dynamic";
    return [name, kept(new Dynamic(own, one), memberIn(recorded, name) ?? own)] as const;
  });
  const all = recordOf(members.map(([name, one]) => [name, one.value]));
  if (kind === "object") {
    return new Dynamic(["object", Object.fromEntries(members.map(([name, one]) => [name, one.type]))], all);
  }
  return members.every(([, one]) => sameType(one.type, inner)) ? new Dynamic(recorded, all) : new Dynamic(type, value);
}

/** A number with more digits than JavaScript has is a text in a program. */
function scalar(type: CtyType, value: CtyValue, recorded: CtyType): Dynamic {
  const number = recorded === "number" && typeof value === "string" ? numberOf(value) : undefined;
  return number === undefined || typeof number === "number" ? new Dynamic(type, value) : new Dynamic("number", number);
}

function memberIn(type: CtyType, name: string): CtyType | undefined {
  return typeof type !== "string" && type[0] === "object" ? memberType(type[1], name) : elementType(type);
}
