/** Types that values tell themselves, kept beside a program's values, which do not tell them: a list, a set and a tuple are all arrays there. */
import {
  type CtyType,
  type CtyValue,
  conform,
  Dynamic,
  elementType,
  hasDynamic,
  isList,
  isRecord,
  keyOf,
  memberOf,
  type Path,
  type PathStep,
  recordOf,
  sameType,
} from "../cty/index.js";
import { impliedType, typeOfAttribute } from "./implied-type.js";
import { blocksOf, type Level, type Nested, nestedIn } from "./level.js";
import { closeBlocks, mapObjects, openBlocks } from "./nested-values.js";
import type { Block } from "./schema.js";

/** By path, as JSON of its steps. */
export type OwnTypes = Readonly<Record<string, CtyType>>;

type Turn = (value: Dynamic, path: Path) => CtyValue;

/** The types in a value that would be found out otherwise. Most often there are none. */
export function ownTypes(block: Block, value: CtyValue): OwnTypes {
  const types: Record<string, CtyType> = {};
  turnLevel(block, value, [], (own, path) => {
    const found = conform("dynamic", own.value).value;
    if (found instanceof Dynamic && !sameType(found.type, own.type)) types[pathKey(path)] = own.type;
    return own;
  });
  return types;
}

/** A value whose types were found out, with those that it had. What does not fit to them any more keeps its own. */
export function withOwnTypes(block: Block, value: CtyValue, types: OwnTypes): CtyValue {
  if (Object.keys(types).length === 0) return value;
  return turnLevel(block, value, [], (found, path) => {
    const key = pathKey(path);
    const type = Object.hasOwn(types, key) ? types[key] : undefined;
    if (type === undefined) return found;
    const { value: own, problems } = conform(type, found.value);
    return problems.length > 0 ? found : new Dynamic(type, own);
  });
}

function pathKey(path: Path): string {
  return JSON.stringify(path.map(keyOf));
}

function turnLevel(level: Level, value: CtyValue, path: Path, turn: Turn): CtyValue {
  if (!isRecord(value) || !hasDynamic(impliedType(level))) return value;
  const attributes = Object.entries(level.attributes).map(([name, attribute]): [string, CtyValue] => {
    const [member, at] = [memberOf(value, name), [...path, name]];
    const nested = nestedIn(attribute);
    return [
      name,
      nested ? turnNested(nested, member, at, turn) : turnValue(typeOfAttribute(attribute), member, at, turn),
    ];
  });
  const blocks = blocksOf(level).map(([name, blocks]): [string, CtyValue] => {
    const nested = { nesting: blocks.nesting, level: blocks.block };
    const opened = openBlocks(blocks, memberOf(value, name));
    return [name, closeBlocks(blocks, turnNested(nested, opened, [...path, name], turn))];
  });
  return recordOf([...attributes, ...blocks]);
}

function turnNested(nested: Nested, value: CtyValue, path: Path, turn: Turn): CtyValue {
  return mapObjects(nested, value, (object, steps) => turnLevel(nested.level, object, [...path, ...steps], turn));
}

function turnValue(type: CtyType, value: CtyValue, path: Path, turn: Turn): CtyValue {
  if (!hasDynamic(type)) return value;
  if (value instanceof Dynamic) return turn(value, path);
  const inner = (of: CtyType, member: CtyValue, step: PathStep): CtyValue =>
    turnValue(of, member, [...path, step], turn);
  if (isList(value))
    return value.map((element, key) => inner(elementType(type, key), element, { element: "number", key }));
  if (!isRecord(value) || typeof type === "string") return value;
  const members = Object.entries(value).map(([key, member]): [string, CtyValue] => {
    const of = type[0] === "object" ? (type[1][key] ?? "dynamic") : elementType(type);
    return [key, inner(of, member, key)];
  });
  return recordOf(members);
}
