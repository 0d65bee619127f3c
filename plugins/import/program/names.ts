/** Names of scopes, ids and variables in the program. */
import type { InstanceKey } from "../contract.js";

/** Longest part of a key in a name. Names have at most 256 characters. */
const LONGEST = 100;

/** Longest name without a key. Names have at most 256 characters. */
const LONGEST_NAME = 120;

/** Returns a name with a key, e.g. `net-eu`. It fits the rules of scopes and ids, but may not be unique. */
export function nameWith(name: string, key: InstanceKey | undefined): string {
  const own = usable(name);
  if (key === undefined) return own;
  return `${own}-${keyText(key)}`;
}

function keyText(key: InstanceKey): string {
  return String(key)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "_")
    .slice(0, LONGEST);
}

/**
 * Returns the keys of one resource or scope with the parts of names for them. Keys that differ only in characters that
 * no name has, such as `a/b` and `a_b`, get a number, whatever their order. A key that is a name itself gets none.
 */
export function distinctKeys<Key extends InstanceKey | undefined>(keys: Iterable<Key>): ReadonlyMap<Key, Key | string> {
  const all = [...keys].map((key) => ({ key, text: key === undefined ? undefined : keyText(key) }));
  const used = new Set(all.flatMap(({ key, text }) => (key === text ? [text] : [])));
  const made = new Map<Key, Key | string>();
  for (const { key, text } of [...all].sort((one, other) => (String(one.key) < String(other.key) ? -1 : 1))) {
    if (text === undefined || key === text) continue;
    let own = text;
    for (let count = 2; used.has(own); count++) own = `${text}-${count}`;
    used.add(own);
    made.set(key, own);
  }
  return new Map(all.map(({ key }) => [key, made.get(key) ?? key]));
}

/** Other tools allow slashes and control characters in names. */
function usable(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  const own = name.replaceAll(/[/\\\u0000-\u001F\u007F]+/g, "-").slice(0, LONGEST_NAME);
  return /^\.{0,2}$/.test(own) ? `_${own}` : own;
}

/** Gives each name once. */
export class UniqueNames {
  readonly #used: Set<string>;
  /** The next number to try, by name. */
  readonly #next = new Map<string, number>();

  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  /** Returns the first name that is free. A number follows the last one if none is. */
  unique(...wanted: readonly [string, ...string[]]): string {
    const free = wanted.find((one) => !this.#used.has(one));
    if (free !== undefined) return this.#use(free);
    const base = wanted.at(-1) ?? wanted[0];
    let name = base;
    let count = this.#next.get(base) ?? 2;
    for (; this.#used.has(name); count++) name = `${base}${/\d$/.test(base) ? "_" : ""}${count}`;
    this.#next.set(base, count);
    return this.#use(name);
  }

  release(name: string): void {
    this.#used.delete(name);
    this.#next.clear();
  }

  #use(name: string): string {
    this.#used.add(name);
    return name;
  }
}

/** Words that no variable can have as its name, and names that the program uses itself. */
const WORDS =
  "arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let module new null package private protected public require return static super switch this throw true try typeof undefined var void while with yield app console engine index key one process terraformData".split(
    " ",
  );

export function variableNames(): UniqueNames {
  return new UniqueNames(WORDS);
}

/** Returns a name in camelCase that can be a variable, e.g. `webServer` for `web-server`. */
export function camelCase(name: string): string {
  const words = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== "");
  const joined = words
    .map((word, at) => (at === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
  return /^[\p{L}_$]/u.test(joined) ? joined : `_${joined}`;
}

function lowerFirst(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

/** Returns the name at a provider, e.g. `max_size` for `maxSize`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** Returns the plural of a variable for many instances. */
export function plural(name: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(name)) return `${name}es`;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** Returns the name of a variable of the environment, e.g. `DB_OWNER_PASSWORD`. */
export function environmentName(parts: readonly string[]): string {
  const text = parts
    .join("_")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toUpperCase();
  return /^[A-Z]/.test(text) ? text : `SECRET_${text}`;
}
