/** Props with a secret for each value that the schema marks, so that no record, plan or log has it in the clear. */
import { types } from "node:util";
import { isUnknown, unknownValue } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import type { StandardSchema } from "../../../core/contract/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import { type Attribute, attributeOf, blockOf, holding, type Level, namesOf, nestedIn } from "../schema/index.js";

/** An argument that is only written is among the props here if it was promised in a block, and could not be set apart. */
const isMarked = ({ sensitive, writeOnly }: Attribute): boolean => sensitive === true || writeOnly === true;
const holdsMarked = holding(isMarked);

/** A member of a type's definition, by which its props are sealed once they are resolved. Empty for a type that has nothing to seal. */
export function sealing<Props>(level: Level | undefined): { readonly schema?: StandardSchema<Props> } {
  if (!level || !holdsMarked(level)) return {};
  return schemaThat((props) => sealedProps(level, props));
}

/** @param turn makes the props that are recorded of those that are declared */
export function schemaThat<Props>(turn: (props: unknown) => unknown): { readonly schema: StandardSchema<Props> } {
  const validate = (props: unknown) => ({ value: Object(turn(props)) });
  return { schema: { "~standard": { version: 1, vendor: "scope-engine", validate } } };
}

/** A secret stays as it is, and so does a part that the schema does not know. */
export function sealedProps(level: Level, props: unknown): unknown {
  if (!holdsMarked(level)) return props;
  const { toProvider } = namesOf(level);
  return mapMembers(props, (member, program) => {
    const name = toProvider.get(program);
    const attribute = name === undefined ? undefined : attributeOf(level, name);
    if (attribute && isMarked(attribute)) return sealed(member, program);
    const of = attribute ?? (name === undefined ? undefined : blockOf(level, name));
    const nested = of && nestedIn(of);
    if (!nested) return member;
    if (nested.nesting !== "map") return mapElements(member, (element) => sealedProps(nested.level, element));
    return mapMembers(member, (element) => sealedProps(nested.level, element));
  });
}

/** As a secret. Where a part of it is not known yet, none of it is: a secret would hide that. */
export function sealed(value: unknown, name: string): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  return holdsUnknown(value) ? unknownValue(name) : new Secret(value, name);
}

export function holdsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  const members = types.isMap(value) ? value.values() : types.isSet(value) ? value : Object.values(value);
  return [...members].some(holdsUnknown);
}

/** The elements of an array or a set, else the value itself. */
function mapElements(value: unknown, turn: (element: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(turn);
  return types.isSet(value) ? new Set([...value].map(turn)) : turn(value);
}

function mapMembers(value: unknown, turn: (member: unknown, key: string) => unknown): unknown {
  if (isUnknown(value) || typeof value !== "object" || value === null) return value;
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [key, turn(member, String(key))]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, turn(member, key)]));
}
