/** Maps names of providers, `like_this`, to names of programs, `likeThis`, and back. */
import { type CtyType, elementType, keyOf, memberType, memoized, type Path, pathText } from "../cty/index.js";
import { attributeOf, blockOf, type Level, type Nested, nestedIn } from "./level.js";

/** The names of one level, in both directions. */
export interface Names {
  readonly toProgram: ReadonlyMap<string, string>;
  readonly toProvider: ReadonlyMap<string, string>;
}

/** Names with a meaning in JavaScript: a member of this name breaks the object, or exists in each object. */
const reserved: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

const inner = /(?<=[A-Za-z0-9])_([a-z0-9])/g;

/** Returns the names of a block, of nested attributes, or of the members of an object, without nested ones. */
export const namesOf: (of: Named) => Names = memoized((of: Named) =>
  namesFor(isLevel(of) ? [...Object.keys(of.attributes), ...Object.keys(of.blocks ?? {})] : Object.keys(of)),
);

type Named = Level | Readonly<Record<string, CtyType>>;

/** An object type may have a member named `attributes`, too, but that is a type. */
function isLevel(of: Named): of is Level {
  return typeof of.attributes === "object" && !Array.isArray(of.attributes);
}

/**
 * Returns the names of a provider's resource types, data sources or functions, without the common prefix. A name that
 * would be invalid without the prefix keeps it.
 */
export function namesOfTypes(provider: string, types: readonly string[]): Names {
  const short = (type: string): string => {
    const rest = type.startsWith(`${provider}_`) ? type.slice(provider.length + 1) : type;
    return /^[a-z]/i.test(rest) ? rest : type;
  };
  return namesFor(types, short);
}

/** Names that would collide stay as they are. */
function namesFor(all: readonly string[], short: (name: string) => string = (name) => name): Names {
  const wanted = all.map((name) => camelCase(short(name)));
  const counts = new Map<string, number>();
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  const toProgram = new Map<string, string>();
  for (const [index, name] of all.entries()) {
    const program = wanted[index] ?? name;
    toProgram.set(name, counts.get(program) === 1 ? program : name);
  }
  return { toProgram, toProvider: new Map([...toProgram].map(([provider, program]) => [program, provider])) };
}

function camelCase(name: string): string {
  const camel = name.replace(inner, (_match, letter: string) => letter.toUpperCase());
  return reserved.has(camel) ? `${camel}_` : camel;
}

/** A path in the props or the output of a resource, in the names of programs. */
export type ProgramPath = readonly (string | number)[];

/** Converts a path of a provider to the names of programs. Steps that the schema does not know stay as they are. */
export function programPath(level: Level, path: Path): ProgramPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const name = String(keyOf(step));
  const program = namesOf(level).toProgram.get(name);
  const of = attributeOf(level, name) ?? blockOf(level, name);
  if (program === undefined || of === undefined) return path.map(keyOf);
  const nested = nestedIn(of);
  return [program, ...(nested || "block" in of ? nestedPath(nested, rest) : programPathIn(of.type, rest))];
}

function nestedPath(nested: Nested | undefined, path: Path): ProgramPath {
  if (nested === undefined) return path.map(keyOf);
  if (nested.nesting === "single" || nested.nesting === "group") return programPath(nested.level, path);
  const [step, ...rest] = path;
  return step === undefined ? [] : [keyOf(step), ...programPath(nested.level, rest)];
}

/** Converts a path in an attribute without nested attributes. */
export function programPathIn(type: CtyType, path: Path): ProgramPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const key = keyOf(step);
  if (typeof type === "string") return path.map(keyOf);
  if (type[0] === "object") {
    const name = String(key);
    const member = memberType(type[1], name) ?? "dynamic";
    return [namesOf(type[1]).toProgram.get(name) ?? name, ...programPathIn(member, rest)];
  }
  return [key, ...programPathIn(elementType(type, Number(key)), rest)];
}

/** Formats a path for people, e.g. `ingress[0].cidrBlocks`. */
export function programPathText(path: ProgramPath): string {
  return pathText(path);
}
