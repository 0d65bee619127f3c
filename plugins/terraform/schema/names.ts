/** Names of providers, `like_this`, and those that programs have for them, `likeThis`. */
import { type CtyType, memoized } from "../cty/index.js";
import type { Level } from "./level.js";

/** The names of one level, both ways. */
export interface Names {
  readonly toProgram: ReadonlyMap<string, string>;
  readonly toProvider: ReadonlyMap<string, string>;
}

/** Names that JavaScript uses itself, so that a member of that name breaks the object, or is there in each object. */
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

/** The names of a block, of nested attributes, or of the members of an object; what is nested in it has names of its own. */
export const namesOf: (of: Named) => Names = memoized((of: Named) =>
  namesFor(isLevel(of) ? [...Object.keys(of.attributes), ...Object.keys(of.blocks ?? {})] : Object.keys(of)),
);

type Named = Level | Readonly<Record<string, CtyType>>;

/** An object may have a member that is called so, too: that one is a type. */
function isLevel(of: Named): of is Level {
  return typeof of.attributes === "object" && !Array.isArray(of.attributes);
}

/**
 * The names of a provider's resource types, data sources or functions, without the prefix that all of them have. What would be no
 * name without it keeps it.
 */
export function namesOfTypes(provider: string, types: readonly string[]): Names {
  const short = (type: string): string => {
    const rest = type.startsWith(`${provider}_`) ? type.slice(provider.length + 1) : type;
    return /^[a-z]/i.test(rest) ? rest : type;
  };
  return namesFor(types, short);
}

/** Names that would become one are left as they are. */
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
