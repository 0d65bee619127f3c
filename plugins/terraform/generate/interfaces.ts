/** Interfaces for what a program gives to a resource, and for what it gets. */
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

/** `props`: what is given. `output`: what is got. */
export type Side = "props" | "output";

export const ENDS: Readonly<Record<Side, string>> = { props: "Props", output: "Output" };

/** The names that the module has from elsewhere, and those that every program has. */
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
  /** Whether it may be left out altogether. */
  readonly isOptional: boolean;
}

/** Collects the interfaces of a module; what has the same members in one resource is one interface. */
export class Interfaces {
  readonly #names = new Set(TAKEN);
  readonly #texts: string[] = [];
  #known = new Map<string, string>();

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** A name that nothing else in the module has. */
  name(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#names.has(name); count++) name = `${wanted}${count}`;
    this.#names.add(name);
    return name;
  }

  /** What follows shares nothing with what came before. */
  begin(): void {
    this.#known = new Map();
  }

  /**
   * @param name of the interface, from {@link name}
   * @param wanted beginning of the names of what is nested in it
   */
  add(name: string, level: Level, side: Side, wanted: string, description?: string): Interface {
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
    // One may be given by itself.
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

/** To an interface without members the compiler lets anything be given. */
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

/** Only of what is given: what a provider sets may be anything. */
function literalUnion(attribute: Attribute): string | undefined {
  if (attribute.type !== "string" || isComputedOnly(attribute)) return undefined;
  return literalsIn(attribute.description ?? "")
    ?.map((value) => JSON.stringify(value))
    .join(" | ");
}

/** The type of an attribute without attributes of its own. Each text in it may be given as a secret. */
function attributeText(attribute: Attribute, side: Side): string {
  const literals = literalUnion(attribute);
  const plain = literals ?? typeText(attribute.type);
  if (side === "output") return secretly(plain, attribute, side);
  const given = literals === undefined ? typeText(attribute.type, GIVEN_TEXT) : `${literals} | Secret`;
  // A secret is among them already.
  if (attribute.type === "string") return given;
  return isKeptSecret(attribute) ? `${given} | Secret<${plain}>` : given;
}

/** What is sensitive comes as a secret, and may be given as one; so may what is never recorded. */
function secretly(type: string, attribute: Attribute, side: Side): string {
  if (!isKeptSecret(attribute)) return type;
  const secret = type === "string" ? "Secret" : `Secret<${type}>`;
  return side === "output" ? secret : `${type} | ${secret}`;
}

function isKeptSecret({ sensitive, writeOnly }: Attribute): boolean {
  return sensitive === true || writeOnly === true;
}

/** After these words come values, and no examples. */
const BEGINS =
  /\b(?:(?:valid|allowed|accepted|supported|possible|permitted) (?:values|options|choices)(?: for [\w` ]+? (?:are|is)| are| is)?(?: only)?|(?:must|should|can|has to|may) be either|one of(?: the following(?: values)?)?)\s*:?\s*(?=[`"'])/gi;

/** What may stand before "one of", for it to be about the value itself. */
const ABOUT_ITSELF =
  /(?:^\W*|[:;]\s*|\b(?:must|should|can|may|has to|have to|needs to) be (?:set to )?(?:either )?|\bvalues? (?:is|are) )$/i;

/** Of a sentence that is true in some cases, or says what is no value. */
const LIMITED =
  /\b(?:if|when|whenever|where|unless|until|not|cannot|never|except|only|conflicts|with|without|depends|depending)\b|n't\b/i;

const VALUE = /^(?:`([^`\s]+)`|"([^"\s]+)"|'([^'\s]+)')/;

const BETWEEN = /^(?:\s*,\s*(?:and|or)?\s*|\s+(?:and|or)\s+|\s*\|\s*)/i;

/** Where the list may go on, or may have other members, it is none. */
const OPEN =
  /\b(?:e\.g\.|etc|such as|for example|for instance|among others|or any|custom|prefix|other values?|regex|pattern|include)\b|\.\.\.|…/i;

const PLAIN = /^[\w.:/+@-]+$/;

/**
 * The values, where the text lists at least two in quotes right behind words such as "valid values are", to the end of the sentence, and
 * has no other list; else undefined: a union that is too narrow would refuse what is right.
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

/** Descriptions of providers as TSDoc. Pure. */
interface Documented {
  readonly description?: string | undefined;
  readonly deprecated?: boolean | string | undefined;
}

const WIDTH = 118;

const OLD = "The provider has deprecated this.";

/** Lines with the indent, each with its end; empty where there is nothing to say. */
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

/** What would end the comment, or begin a tag of its own, does neither. */
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
