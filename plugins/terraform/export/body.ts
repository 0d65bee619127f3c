/** Writes props as the body of a block in Terraform's JSON language. Secrets become variables. */
import { isSecret, Secret } from "../../secrets/secret.js";
import {
  type CtyType,
  type CtyValue,
  Dynamic,
  elementType,
  isList,
  jsonText,
  memberOf,
  withKeptTypes,
} from "../cty/index.js";
import { unwrapped } from "../lifecycle/values.js";
import { elementsOf, isObject, membersOf } from "../schema/given-value.js";
import { configOf, givenValue, type Level, type Nested, namesOf, nestedIn, typeOfAttribute } from "../schema/index.js";
import type { Attribute } from "../schema/schema.js";
import { escaped, scalarText, typedText } from "./typed-text.js";

/** A step of a path in a state. */
export type Step =
  | { readonly type: "get_attr"; readonly value: string }
  | { readonly type: "index"; readonly value: { readonly value: string | number; readonly type: "string" | "number" } };

export type StatePath = readonly Step[];

/** Collects the secrets of a body. */
export interface Secrets {
  /** Returns the name of the variable that stands for a secret. @param json its value @param name that of the secret */
  variable(path: StatePath, json: string, name?: string): string;
}

/** A member of a body: its name and JSON. */
export type Member = readonly [name: string, json: string];

interface Place {
  readonly path: StatePath;
  readonly secrets: Secrets;
  /** The path of the outermost set: its elements have no paths of their own. */
  readonly set?: StatePath;
  /** The recorded value, whose dynamic parts have types; null in a set. */
  readonly recorded: CtyValue;
}

export interface Props {
  /** In the names of programs. */
  readonly props: unknown;
  /** The recorded value of the resource. */
  readonly recorded?: CtyValue;
}

/** Returns the members of a body. */
export function bodyOf(level: Level, { props, recorded = null }: Props, secrets: Secrets): readonly Member[] {
  return membersIn(level, props, { path: [], secrets, recorded });
}

/** Formats members as an object. */
export function objectText(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ")}}`;
}

function membersIn(level: Level, props: unknown, place: Place): readonly Member[] {
  const given = new Map(isObject(props) ? membersOf(props) : []);
  const { toProgram } = namesOf(level);
  const member = (name: string): unknown => given.get(toProgram.get(name) ?? name) ?? undefined;
  const attributes = Object.entries(level.attributes).flatMap(([name, attribute]): Member[] => {
    const value = member(name);
    return value === undefined ? [] : [[name, attributeText(attribute, value, attr(place, name))]];
  });
  const blocks = Object.entries(level.blocks ?? {}).flatMap(([name, block]): Member[] => {
    const value = member(name);
    if (value === undefined) return [];
    const nested = { nesting: block.nesting, level: block.block };
    const text = nestedText(nested, isSecret(value) ? secretMembers(value.unencrypted) : value, attr(place, name));
    return text === "[]" || (text === "{}" && block.nesting === "map") ? [] : [[name, text]];
  });
  return [...attributes, ...blocks];
}

/** A block cannot come from a variable, but each of its arguments can. */
function secretMembers(value: unknown): unknown {
  const elements = elementsOf(value);
  if (elements) return elements.map(secretMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(membersOf(value).map(([name, one]) => [name, isSecret(one) ? one : new Secret(one)]));
}

function attributeText(attribute: Attribute, value: unknown, place: Place): string {
  if (isSecret(value)) return secretText(place, attributeJson(attribute, value), value.name);
  const nested = nestedIn(attribute);
  return nested ? nestedText(nested, value, place) : valueText(typeOfAttribute(attribute), value, place);
}

/** Returns the value of one attribute as JSON with the provider's names. */
function attributeJson(attribute: Attribute, value: unknown): string {
  const optional: Attribute = { ...attribute, required: false, optional: true, computed: false };
  const { value: whole } = configOf({ attributes: { x: optional }, blocks: {} }, { x: unwrapped(value) });
  return plainJson(typeOfAttribute(attribute), memberOf(whole, "x"));
}

function nestedText({ nesting, level }: Nested, value: unknown, place: Place): string {
  const one = (props: unknown, at: Place): string => objectText(membersIn(level, props, at));
  if (nesting === "single" || nesting === "group") return one(value, place);
  if (nesting === "map") {
    const all = isObject(value) ? membersOf(value) : [];
    return objectText(all.map(([key, member]) => [escaped(key), one(member, index(place, key))]));
  }
  const inner = nesting === "set" ? inSet(place) : place;
  return `[${(elementsOf(value) ?? [value]).map((element, key) => one(element, index(inner, key))).join(", ")}]`;
}

function valueText(type: CtyType, given: unknown, place: Place): string {
  // A state has no paths into dynamic values.
  if (isSecret(given) || (type === "dynamic" && holdsSecret(given)))
    return secretText(
      place,
      plainJson(type, converted(type, unwrapped(given))),
      isSecret(given) ? given.name : undefined,
    );
  if (given === undefined || given === null) return "null";
  if (type === "dynamic") {
    const value = withKeptTypes(converted(type, given), place.recorded);
    return value instanceof Dynamic ? typedText(value.type, value.value) : scalarText(value);
  }
  const elements = elementsOf(given);
  if (elements) {
    const inner = typeof type !== "string" && type[0] === "set" ? inSet(place) : place;
    const texts = elements.map((one, key) => valueText(elementType(type, key), one, index(inner, key)));
    return `[${texts.join(", ")}]`;
  }
  if (!isObject(given)) return scalarText(converted(type, given));
  if (typeof type !== "string" && type[0] === "object") {
    const { toProgram } = namesOf(type[1]);
    const members = new Map(membersOf(given));
    // Terraform requires all members of an object, also the ones that are null.
    return objectText(
      Object.entries(type[1]).map(([name, of]) => {
        const member = members.get(toProgram.get(name) ?? name);
        return [escaped(name), valueText(of, member, attr(place, name))];
      }),
    );
  }
  const of = typeof type === "string" ? "dynamic" : elementType(type);
  return objectText(membersOf(given).map(([key, one]) => [escaped(key), valueText(of, one, index(place, key))]));
}

/** Returns a value as JSON; a dynamic one without its type. */
function plainJson(type: CtyType, value: CtyValue): string {
  return value instanceof Dynamic ? jsonText(value.type, value.value) : jsonText(type, value);
}

export function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

function converted(type: CtyType, given: unknown): CtyValue {
  return givenValue(type, given, { path: [], problems: [] });
}

function secretText({ path, set, secrets }: Place, json: string, name?: string): string {
  return JSON.stringify(`\${var.${secrets.variable(set ?? path, json, name)}}`);
}

function attr(place: Place, value: string): Place {
  return { ...place, path: [...place.path, { type: "get_attr", value }], recorded: memberOf(place.recorded, value) };
}

function index(place: Place, value: string | number): Place {
  const type = typeof value === "number" ? "number" : "string";
  const { recorded } = place;
  const own = isList(recorded) && typeof value === "number" ? recorded[value] : memberOf(recorded, String(value));
  return { ...place, path: [...place.path, { type: "index", value: { value, type } }], recorded: own ?? null };
}

function inSet(place: Place): Place {
  return { ...place, set: place.set ?? place.path, recorded: null };
}
