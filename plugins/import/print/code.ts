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
      return own === code ? ["", own] : [`${own}: `, code];
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
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Returns a text of literal and computed parts. */
export function template(parts: readonly (string | { readonly code: string })[]): string {
  const inner = parts.map((part) => {
    if (typeof part !== "string") return part.code.startsWith("`") ? part.code.slice(1, -1) : `\${${part.code}}`;
    // A template in a template becomes a part of it.
    return text(part).slice(1, -1).replaceAll('\\"', '"').replaceAll("`", "\\`").replaceAll("${", "\\${");
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
  if (used + line.length <= WIDTH) return line;
  const inner = " ".repeat(indent + 2);
  const lines = code.elements.map(([label, one]) => {
    return `${inner}${label}${layout(one, indent + 2, indent + 2 + label.length + 1)},\n`;
  });
  return `${code.open}\n${lines.join("")}${" ".repeat(indent)}${code.close}`;
}

/** Returns a call. Only its last argument is broken into lines. */
export function call(callee: string, args: readonly Code[], { indent, before, after }: Around): string {
  const last = args.at(-1);
  const head = `${callee}(${args
    .slice(0, -1)
    .map((one) => `${flat(one)}, `)
    .join("")}`;
  const tail = last === undefined ? "" : layout(last, indent, indent + before.length + head.length + 1 + after.length);
  return `${before}${head}${tail})${after}`;
}

export interface Around {
  readonly indent: number;
  readonly before: string;
  readonly after: string;
}
