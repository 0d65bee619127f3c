/** Items of a program as their function names and compares them. */
import { Sensitive } from "../contract.js";
import {
  type Block,
  Document,
  type Expression,
  type Item,
  isListExpression,
  Reference,
  SecretFrom,
} from "../program/program.js";
import { Digits } from "../program/settled.js";
import { member, text } from "./code.js";
import type { Places } from "./places.js";
import { shapeOf, typeOfSecret } from "./unify.js";

export interface Parameter {
  readonly name: string;
  /** The name that it would have if no other parameter had it. */
  readonly wanted: string;
  readonly type: string;
  /** One for each instance. */
  readonly values: readonly Expression[];
}

/** The variable that holds a declaration or the result of a scope, e.g. `subnets`, and its key there. */
export interface Variable {
  readonly name: string;
  readonly key?: string | number;
}

export interface PrintedFunction {
  readonly name: string;
  readonly blocks: readonly Block[];
  readonly lines: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly usesKey: boolean;
  /** Ids of the providers that it needs. */
  readonly providers: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, Variable>;
}

export interface Printing {
  readonly places: Places;
  readonly functions: Map<Block, PrintedFunction>;
  /** Items of loops that await all of them together; the program awaits others one after another. */
  readonly together: Set<Item>;
  /** Variables of providers, by id. */
  readonly providers: ReadonlyMap<string, string>;
}

export function shapeOfBlock(block: Block, { places, functions }: Printing): string {
  const isInside = (reference: Reference): string | undefined => pathTo(reference, block, places)?.join(" ");
  const items = block.items.map((item) => {
    if (item.type === "block") {
      const { scopeName, key } = item.block;
      return `b${JSON.stringify([scopeName, key])}${functions.get(item.block)?.name}`;
    }
    const { id, resource, props } = item.declaration;
    return `d${JSON.stringify([id, resource.call, resource.options, resource.key])}${shapeOf(props, isInside)}`;
  });
  return items.join("\n");
}

/** Returns the names of the places between a block and a declaration in it; undefined if it is elsewhere. */
export function pathTo({ address }: Reference, block: Block, places: Places): readonly string[] | undefined {
  const { chain, declaration } = places.at(address);
  const at = chain.indexOf(block);
  if (at < 0) return undefined;
  return [...chain.slice(at + 1).map(nameOfBlock), `d${declaration.id}`];
}

const nameOfBlock = ({ scopeName, group }: Block): string => `b${scopeName} ${group}`;

interface Inside {
  readonly block: Block;
  /** Variables of the function. */
  readonly variables: ReadonlyMap<string, Variable>;
  readonly loopKey: string | number | undefined;
  readonly loopName: string;
}

/** Returns the code of a reference, without and with the key of the loop; undefined if it leads out of the block. */
export function accessTo(
  reference: Reference,
  { block, variables, loopKey, loopName }: Inside,
  { places, functions }: Printing,
): { readonly fixed: string; readonly byKey: string } | undefined {
  const path = pathTo(reference, block, places);
  if (!path) return undefined;
  const { chain } = places.at(reference.address);
  const inner = chain.slice(chain.indexOf(block) + 1);
  const steps = path.map((name, at) => {
    const owner = at === 0 ? variables : functions.get(inner[at - 1] ?? block)?.variables;
    return owner?.get(name) ?? { name: "undefined" };
  });
  const code = (first: (key: string | number) => string): string =>
    steps.reduce((before, { name, key }, at) => {
      const place = at === 0 ? name : member(before, name);
      if (key === undefined) return place;
      return at === 0 && key === loopKey ? `${place}${first(key)}` : `${place}${keyAccess(key)}`;
    }, "");
  const byKey = code(() => `[${loopName}]!`);
  return { fixed: member(code(keyAccess), reference.member), byKey: member(byKey, reference.member) };
}

/** Compilers may require brackets for an unnamed member, and may not know that it exists. */
function keyAccess(key: string | number): string {
  return `[${keyCode(key)}]!`;
}

export function keyList(keys: readonly (string | number | undefined)[]): string {
  return `[${keys.map(keyCode).join(", ")}]`;
}

export function keyCode(key: string | number | undefined): string {
  return typeof key === "string" ? text(key) : String(key);
}

export function placeName(item: Item): string {
  return item.type === "block" ? nameOfBlock(item.block) : `d${item.declaration.id}`;
}

export function idOf(item: Item): string {
  return item.type === "block" ? item.block.scopeName : item.declaration.id;
}

/** Returns the name for all instances. */
export function baseName(item: Item): string {
  if (item.type === "block") return item.block.name;
  const { name, kindName } = item.declaration.resource;
  return name === "this" || name === "main" || name === "default" || name === "self" ? kindName : name;
}

/** Returns the name for all items of a loop: without the number, if that takes the place of a key. */
export function loopedName(item: Item): string {
  if (item.type === "block" || item.declaration.resource.key !== undefined) return baseName(item);
  return item.declaration.id.replace(/[^\p{L}\p{N}]*\d+$/u, "") || item.declaration.resource.kindName;
}

export function optionsOf(item: Item): Readonly<Record<string, unknown>> {
  return item.type === "block" ? {} : item.declaration.resource.options;
}

export function typeOf(value: Expression | undefined): string {
  if (value instanceof SecretFrom) return typeOfSecret(value.value);
  if (value instanceof Document) return "string";
  if (value !== undefined && isListExpression(value)) {
    const types = [...new Set(value.map(typeOf))];
    return `readonly ${types.length > 1 ? `(${types.join(" | ")})` : types.join("")}[]`;
  }
  if (!(value instanceof Reference)) return value === null ? "null" : plainType(value);
  return value.value instanceof Sensitive ? secretType(value.value.value) : plainType(value.value);
}

function secretType(value: unknown): string {
  return typeof value === "string" ? "Secret" : `Secret<${plainType(value)}>`;
}

function plainType(value: unknown): string {
  return typeof value === "bigint" || value instanceof Digits ? "number" : typeof value;
}
