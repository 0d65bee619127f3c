/** Turns a configuration into props as a person writes them. Pure. */
import { Sensitive, type SensitivePath } from "../../import/contract.js";
import { Fixed } from "../../import/program/settled.js";
import { type CtyType, elementType, memberType } from "../../terraform/cty/index.js";
import { literalsIn } from "../../terraform/generate/interfaces.js";
import {
  type Attribute,
  attributeOf,
  type Block,
  blockOf,
  isComputedOnly,
  type Level,
  type NestedBlock,
  namesOf,
  nestedIn,
  programPath,
} from "../../terraform/schema/index.js";

/** Makes the values of paths in the provider's names secrets. */
export function withSecretsAt(block: Block, value: unknown, paths: readonly SensitivePath[]): unknown {
  return paths.reduce((all: unknown, path) => marking(all, programPath(block, pathOf(path))), value);
}

function pathOf(path: SensitivePath): readonly (string | { readonly element: "number"; readonly key: number })[] {
  return path.map((step) => (typeof step === "number" ? { element: "number", key: step } : step));
}

/** Makes a part of a value a secret. A path that leads nowhere, e.g. into a set, makes the last known part one. */
function marking(value: unknown, path: readonly (string | number)[]): unknown {
  if (value instanceof Sensitive || value === null || value === undefined) return value;
  const [step, ...rest] = path;
  if (step === undefined) return new Sensitive(value);
  if (Array.isArray(value)) {
    if (typeof step !== "number" || step >= value.length) return new Sensitive(value);
    return value.map((one, at) => (at === step ? marking(one, rest) : one));
  }
  if (typeof value !== "object") return new Sensitive(value);
  const members = Object.entries(value).map(([name, one]) => [name, name === String(step) ? marking(one, rest) : one]);
  return Object.fromEntries(members);
}

/** Returns props without empty blocks, and with a single block without a list. */
export function written(level: Level, props: unknown): unknown {
  if (typeof props !== "object" || props === null || props instanceof Sensitive) return props;
  const { toProvider } = namesOf(level);
  const members = Object.entries(props).flatMap(([program, value]): [string, unknown][] => {
    const name = toProvider.get(program) ?? program;
    const of = blockOf(level, name) ?? attributeOf(level, name);
    const own = of && (nestedIn(of) ? writtenNested(of, value) : writtenPlain(of, value));
    return own === undefined ? [] : [[program, own]];
  });
  return Object.fromEntries(members);
}

function writtenPlain(of: Attribute | NestedBlock, value: unknown): unknown {
  if ("block" in of) return value;
  if (of.type !== "string" || isComputedOnly(of) || typeof value !== "string") return withFixedNulls(of.type, value);
  return literalsIn(of.description ?? "") ? new Fixed(value) : value;
}

/** Marks null elements, which the types of lists and maps do not name. */
function withFixedNulls(type: CtyType, value: unknown): unknown {
  if (typeof type === "string" || typeof value !== "object" || value === null || value instanceof Sensitive)
    return value;
  const element = (of: CtyType, one: unknown): unknown => (one === null ? NULL : withFixedNulls(of, one));
  if (Array.isArray(value)) return value.map((one, at) => element(elementType(type, at), one));
  if (type[0] !== "map" && type[0] !== "object") return value;
  const types = type[0] === "object" ? type[1] : {};
  const { toProvider } = namesOf(types);
  const members = Object.entries(value).map(([name, one]) => {
    const of = type[0] === "map" ? type[1] : memberType(types, toProvider.get(name) ?? name);
    return [name, of === undefined || of === "dynamic" ? one : element(of, one)];
  });
  return Object.fromEntries(members);
}

const NULL = new Fixed(null);

/** Returns undefined if there is nothing to write. */
function writtenNested(of: Attribute | NestedBlock, value: unknown): unknown {
  const nested = nestedIn(of);
  if (!nested || value instanceof Sensitive) return value;
  const isBlock = "block" in of;
  const inner = (one: unknown): unknown => written(nested.level, one);
  const element = (one: unknown): unknown => (one === null ? NULL : inner(one));
  if (Array.isArray(value)) {
    if (isBlock && value.length === 0) return undefined;
    return isBlock && of.maxItems === 1 && value.length === 1 ? inner(value[0]) : value.map(element);
  }
  const isMap = nested.nesting === "map";
  const own = isMap
    ? Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, element(one)]))
    : inner(value);
  // A group always exists, even if it is not given.
  const mayBeLeftOut = isBlock && (isMap || nested.nesting === "group");
  return mayBeLeftOut && Object.keys(Object(own)).length === 0 ? undefined : own;
}
