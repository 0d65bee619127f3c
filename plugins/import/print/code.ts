/** Pieces of TypeScript, and their layout in lines. */

/** A piece of code: a text, or a list in brackets that may be broken into lines. */
export type Code = string | Bracketed;

export interface Bracketed {
  readonly open: string;
  readonly close: string;
  /** Text before each element, such as `name: `, and the element. */
  readonly elements: readonly (readonly [label: string, code: Code])[];
}

/** Columns after which a list is broken: those of common formatters. */
export const WIDTH = 80;

export function objectCode(members: readonly (readonly [string, Code])[]): Code {
  if (members.length === 0) return "{}";
  return {
    open: "{",
    close: "}",
    elements: members.map(([name, code]): readonly [string, Code] => {
      const own = memberName(name);
      // A text or a constant may equal the name, too, but only a variable can be shortened.
      const isVariable = own === name && !/^(?:true|false|null)$/.test(name);
      return isVariable && own === code ? ["", own] : [`${own}: `, code];
    }),
  };
}

export function listCode(elements: readonly Code[]): Code {
  return elements.length === 0
    ? "[]"
    : { open: "[", close: "]", elements: elements.map((code) => ["", code] as const) };
}

export function memberName(name: string): string {
  // As a member of a literal, this name would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : text(name);
}

/** Returns the access to a member. */
export function member(of: string, name: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? `${of}.${name}` : `${of}[${text(name)}]`;
}

/** Returns a string literal. */
export function text(value: string): string {
  const literal = escaped(value);
  const [double = 0, single = 0] = ['"', "'"].map((quote) => value.split(quote).length);
  // Formatters choose the quotes that need fewer escapes.
  return double <= single ? literal : `'${unquoted(literal).replaceAll("'", "\\'")}'`;
}

function escaped(value: string): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Returns the inner text of a literal, with double quotes as they are. */
function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll('\\"', '"');
}

/** Returns a text of literal and computed parts. */
export function template(parts: readonly (string | { readonly code: string })[]): string {
  const inner = parts.map((part) => {
    if (typeof part !== "string") return part.code.startsWith("`") ? part.code.slice(1, -1) : `\${${part.code}}`;
    // A template in a template becomes a part of it.
    return unquoted(escaped(part)).replaceAll("`", "\\`").replaceAll("${", "\\${");
  });
  return `\`${inner.join("")}\``;
}

export function flat(code: Code): string {
  if (typeof code === "string") return code;
  const space = code.open === "{" ? " " : "";
  const inner = code.elements.map(([label, one]) => `${label}${flat(one)}`).join(", ");
  return `${code.open}${space}${inner}${space}${code.close}`;
}

/**
 * @param indent spaces before the line
 * @param used columns before the code in its line, with the indent, and after it
 */
export function layout(code: Code, indent: number, used: number): string {
  if (typeof code === "string") return code;
  const line = flat(code);
  if (used + columns(line) <= WIDTH) return line;
  const inner = " ".repeat(indent + 2);
  const lines = code.elements.map(([label, one]) => {
    return `${inner}${label}${layout(one, indent + 2, indent + 2 + columns(label) + 1)},\n`;
  });
  return `${code.open}\n${lines.join("")}${" ".repeat(indent)}${code.close}`;
}

/** Returns a call. Its last argument is broken into lines; after another object, all arguments are. */
export function call(callee: string, args: readonly Code[], { indent, before, after }: Around): string {
  const used = columns(before) + columns(after);
  const line = `${callee}(${args.map(flat).join(", ")})`;
  const [other, last] = args.slice(-2);
  if (isObject(other) && isObject(last) && used + columns(line) > WIDTH) {
    const inner = " ".repeat(indent + 2);
    const lines = args.map((one) => `${inner}${layout(one, indent + 2, indent + 3)},\n`);
    return `${before}${callee}(\n${lines.join("")}${" ".repeat(indent)})${after}`;
  }
  const head = `${callee}(${args
    .slice(0, -1)
    .map((one) => `${flat(one)}, `)
    .join("")}`;
  const end = args.at(-1);
  const tail = end === undefined ? "" : layout(end, indent, used + columns(head) + 1);
  return `${before}${head}${tail})${after}`;
}

function isObject(code: Code | undefined): boolean {
  return typeof code === "object" && code.open === "{";
}

const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

/** Returns the columns of a line, as formatters count them. */
function columns(line: string): number {
  if (/^[\x20-\x7e]*$/.test(line)) return line.length;
  return [...line].reduce((sum, char) => sum + (/\p{Mn}/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
}

export interface Around {
  readonly indent: number;
  /** With the indent. */
  readonly before: string;
  readonly after: string;
}
