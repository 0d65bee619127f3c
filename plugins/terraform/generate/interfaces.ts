/** Interfaces for the props and the output of a resource. */
import {
  type Attribute,
  isComputedOnly,
  type Level,
  type Nested,
  type NestedBlock,
  namesOf,
  nestedIn,
} from "../schema/index.js";
import { GIVEN_TEXT, listOf, mapOf, memberName, pascalCase, typeText } from "./type-text.js";

/** `props`: values that a program passes. `output`: values that it gets. */
export type Side = "props" | "output";

export const ENDS: Readonly<Record<Side, string>> = { props: "Props", output: "Output" };

/** Imported and global names. */
const TAKEN = [
  "Input",
  "PendingResource",
  "ProviderOptions",
  "ProviderResourceOptions",
  "ResourceOptions",
  "Secret",
  "Promise",
  "Readonly",
  "Record",
  "provider",
];

export interface Interface {
  readonly name: string;
  /** True if all members are optional. */
  readonly isOptional: boolean;
}

/** Collects the interfaces of a module. Equal nested levels of one resource share an interface. */
export class Interfaces {
  readonly #names = new Set(TAKEN);
  readonly #texts: string[] = [];
  #known = new Map<string, string>();

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Reserves a unique name in the module. */
  name(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#names.has(name); count++) name = `${wanted}${count}`;
    this.#names.add(name);
    return name;
  }

  /** Starts a resource, which shares no interfaces with previous ones. */
  beginResource(): void {
    this.#known = new Map();
  }

  /**
   * Adds an interface.
   *
   * @param name of the interface, from {@link name}
   * @param wanted beginning of the names of nested interfaces
   */
  addInterface(name: string, level: Level, side: Side, wanted: string, description?: string): Interface {
    const members = this.#members(wanted, level, side);
    this.#write(name, bodyOf(members, side), description);
    return { name, isOptional: !members.some(({ isNeeded }) => isNeeded) };
  }

  #write(name: string, body: string, description?: string): void {
    this.#texts.push(`${docComment({ description })}export interface ${name} {${body === "" ? "" : `\n${body}`}}\n`);
  }

  #members(wanted: string, level: Level, side: Side): readonly Member[] {
    const { toProgram } = namesOf(level);
    const all: readonly (readonly [string, Attribute | NestedBlock])[] = [
      ...Object.entries(level.attributes),
      ...Object.entries(level.blocks ?? {}),
    ];
    const named = all.map(([name, of]) => [toProgram.get(name) ?? name, of] as const);
    return named
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, of]) =>
        "block" in of ? this.#block(wanted, name, of, side) : this.#attribute(wanted, name, of, side),
      );
  }

  #attribute(wanted: string, name: string, attribute: Attribute, side: Side): readonly Member[] {
    if (side === "props" ? isComputedOnly(attribute) : attribute.writeOnly === true) return [];
    const nested = nestedIn(attribute);
    const type = nested
      ? secretly(this.#nested(wanted, name, nested, side), attribute, side)
      : attributeText(attribute, side);
    const isNeeded = attribute.required === true || (side === "output" && attribute.computed === true);
    return [member(name, { type, isNeeded, of: attribute })];
  }

  #block(wanted: string, name: string, nested: NestedBlock, side: Side): readonly Member[] {
    const { nesting, block, minItems } = nested;
    const type = this.#nested(wanted, name, { nesting, level: block }, side);
    const isSeveral = nesting === "list" || nesting === "set";
    const isAlways = side === "output" ? nesting !== "single" : minItems > 0 && nesting !== "group";
    // A single block may be passed without an array.
    const given =
      isSeveral && side === "props" ? `${type.replace(/^readonly /, "").replace(/\[\]$/, "")} | ${type}` : type;
    return [member(name, { type: given, isNeeded: isAlways, of: block })];
  }

  #nested(wanted: string, name: string, { nesting, level }: Nested, side: Side): string {
    const inner = this.#inner(`${wanted}${pascalCase(name)}`, level, side);
    if (nesting === "list" || nesting === "set") return listOf(inner);
    return nesting === "map" ? mapOf(inner) : inner;
  }

  #inner(wanted: string, level: Level, side: Side): string {
    const body = bodyOf(this.#members(wanted, level, side), side);
    const known = this.#known.get(body);
    if (known !== undefined) return known;
    const name = this.name(`${wanted}${ENDS[side]}`);
    this.#known.set(body, name);
    this.#write(name, body);
    return name;
  }
}

interface Member {
  readonly text: string;
  readonly isNeeded: boolean;
}

/** Returns the members as text. Without members, an index signature keeps the compiler from accepting any value. */
function bodyOf(members: readonly Member[], side: Side): string {
  if (members.length === 0 && side === "props") return "  readonly [name: string]: never;\n";
  return members.map(({ text }) => text).join("");
}

interface MemberOf {
  readonly type: string;
  readonly isNeeded: boolean;
  readonly of: { readonly description?: string; readonly deprecated?: boolean };
}

function member(name: string, { type, isNeeded, of }: MemberOf): Member {
  const { description, deprecated } = of;
  const text = `${docComment({ description, deprecated }, "  ")}  readonly ${memberName(name)}${isNeeded ? "" : "?"}: ${type};\n`;
  return { text, isNeeded };
}

/** Returns a union of literals for an attribute of a program. A computed attribute may be anything. */
function literalUnion(attribute: Attribute): string | undefined {
  if (attribute.type !== "string" || isComputedOnly(attribute)) return undefined;
  return literalsIn(attribute.description ?? "")
    ?.map((value) => JSON.stringify(value))
    .join(" | ");
}

/** Returns the type of an attribute without nested attributes. Each string in it may be passed as a secret. */
function attributeText(attribute: Attribute, side: Side): string {
  const literals = literalUnion(attribute);
  const plain = literals ?? typeText(attribute.type);
  if (side === "output") return secretly(plain, attribute, side);
  const given = literals === undefined ? typeText(attribute.type, GIVEN_TEXT) : `${literals} | Secret`;
  // The union already contains a secret.
  if (attribute.type === "string") return given;
  return isKeptSecret(attribute) ? `${given} | Secret<${plain}>` : given;
}

/**
 * Adds a secret to the type. Sensitive values are secrets in outputs. Sensitive and write-only props accept secrets.
 */
function secretly(type: string, attribute: Attribute, side: Side): string {
  if (!isKeptSecret(attribute)) return type;
  const secret = type === "string" ? "Secret" : `Secret<${type}>`;
  return side === "output" ? secret : `${type} | ${secret}`;
}

function isKeptSecret({ sensitive, writeOnly }: Attribute): boolean {
  return sensitive === true || writeOnly === true;
}

/** Words that introduce values, not examples. */
const BEGINS =
  /\b(?:(?:valid|allowed|accepted|supported|possible|permitted) (?:values|options|choices)(?: for [\w` ]+? (?:are|is)| are| is)?(?: only)?|(?:must|should|can|has to|may) be either|one of(?: the following(?: values)?)?)\s*:?\s*(?=[`"'])/gi;

/** Words before "one of" that make it refer to the value itself. */
const ABOUT_ITSELF =
  /(?:^\W*|[:;]\s*|\b(?:must|should|can|may|has to|have to|needs to) be (?:set to )?(?:either )?|\bvalues? (?:is|are) )$/i;

/** Words of a sentence that holds only in some cases, or excludes values. */
const LIMITED =
  /\b(?:if|when|whenever|where|unless|until|not|cannot|never|except|only|conflicts|with|without|depends|depending)\b|n't\b/i;

const VALUE = /^(?:`([^`\s]+)`|"([^"\s]+)"|'([^'\s]+)')/;

const BETWEEN = /^(?:\s*,\s*(?:and|or)?\s*|\s+(?:and|or)\s+|\s*\|\s*)/i;

/** Words after which a list is not complete. */
const OPEN =
  /\b(?:e\.g\.|etc|such as|for example|for instance|among others|or any|custom|prefix|other values?|regex|pattern|include)\b|\.\.\.|…/i;

const PLAIN = /^[\w.:/+@-]+$/;

/**
 * Returns the values that a text lists, if it has exactly one such list: at least two values in quotes, right after
 * words such as "valid values are", up to the end of the sentence. Else undefined, because a union that is too narrow
 * would reject valid values.
 */
export function literalsIn(description: string): readonly string[] | undefined {
  const [begin, second] = description.matchAll(BEGINS);
  if (!begin || second) return undefined;
  const before =
    description
      .slice(0, begin.index)
      .split(/[.!?]\s|\n/)
      .at(-1) ?? "";
  if (LIMITED.test(before) || OPEN.test(before)) return undefined;
  if (/^one of/i.test(begin[0]) && !ABOUT_ITSELF.test(before)) return undefined;
  const list = listAt(description.slice(begin.index + begin[0].length));
  if (!list || list.values.length < 2) return undefined;
  const isWhole = /^\s*(?:$|\.(?:\s|$)|[;\n)]|\(default)/i.test(list.rest);
  return isWhole && !OPEN.test(list.rest.slice(0, 80)) ? [...new Set(list.values)] : undefined;
}

function listAt(text: string): { readonly values: readonly string[]; readonly rest: string } | undefined {
  const values: string[] = [];
  for (let rest = text; ; ) {
    const match = VALUE.exec(rest);
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || value === undefined || !PLAIN.test(value)) return undefined;
    values.push(value);
    rest = rest.slice(match[0].length);
    const between = BETWEEN.exec(rest);
    if (!between) return { values, rest };
    rest = rest.slice(between[0].length);
  }
}

/** A description by a provider, for TSDoc. */
interface Documented {
  readonly description?: string | undefined;
  readonly deprecated?: boolean | string | undefined;
}

const WIDTH = 118;

const OLD = "The provider has deprecated this.";

/** Returns a TSDoc comment with line ends; empty if there is no description. */
export function docComment({ description = "", deprecated }: Documented, indent = ""): string {
  const said = tidy(description);
  const old = deprecated ? `@deprecated ${tidy(deprecated === true || deprecated === "" ? OLD : deprecated)}` : "";
  const lines = [...said.split("\n"), ...old.split("\n")].filter(
    (line, at, all) => line !== "" || (at > 0 && at < all.length - 1),
  );
  if (said === "" && old === "") return "";
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && only.length + indent.length < WIDTH)
    return `${indent}/** ${only} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ""].join("\n");
}

/** Escapes text that would end the comment or begin a tag, and removes control characters. */
function tidy(text: string): string {
  return text
    .replaceAll("\r", "")
    .replaceAll("*/", "*\\/")
    .replaceAll(/(^|[\s{(])@(?=\w)/gm, "$1\\@")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
