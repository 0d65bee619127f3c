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

/** Returns the call of a function with one argument, whose brackets stay beside those of the call. */
export function callOf(callee: string, code: Code): Code {
  if (typeof code === "string") return `${callee}(${code})`;
  return { ...code, open: `${callee}(${code.open}`, close: `${code.close})` };
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
  const space = code.open.endsWith("{") ? " " : "";
  const inner = code.elements.map(([label, one]) => `${label}${flat(one)}`).join(", ");
  return `${code.open}${space}${inner}${space}${code.close}`;
}

/** True for code that formatters break even if it fits: a list of several objects with several members each. */
function isTall(code: Code): boolean {
  if (typeof code === "string") return false;
  const inner = code.elements.map(([, one]) => one);
  const [first] = inner;
  const isTable =
    code.open.endsWith("[") &&
    inner.length > 1 &&
    typeof first === "object" &&
    inner.every((one) => typeof one === "object" && one.open === first.open && one.elements.length > 1);
  return isTable || inner.some(isTall);
}

/**
 * @param indent spaces before the line
 * @param used columns before the code in its line, with the indent, and after it
 */
export function layout(code: Code, indent: number, used: number): string {
  if (typeof code === "string") return code;
  const line = flat(code);
  if (used + columns(line) <= WIDTH && !isTall(code)) return line;
  const inner = " ".repeat(indent + 2);
  const lines = isOfNumbers(code)
    ? filled(code, inner)
    : code.elements.map(([label, one]) => `${inner}${labelled(label, one, indent + 2)},\n`);
  return `${code.open}\n${lines.join("")}${" ".repeat(indent)}${code.close}`;
}

/** Names with fewer columns have their value in the same line. */
const SHORT_NAME = 5;
/** Most columns of an argument that is not broken from its call. */
const SHORT_ARGUMENT = 20;

/** Lays out a member: if the beginning of its value does not fit behind the name, it goes to the next line. */
function labelled(label: string, code: Code, indent: number): string {
  const line = `${label}${layout(code, indent, indent + columns(label) + 1)}`;
  if (columns(label) < SHORT_NAME + ": ".length || (typeof code === "string" && STAYING.test(code))) return line;
  const [first = "", ...more] = line.split("\n");
  const isBroken = more.length > 0;
  const isFitting = indent + columns(first) + (isBroken ? 0 : 1) <= WIDTH;
  if (isFitting && !(isBroken && isShortCall(code))) return line;
  return `${label.trimEnd()}\n${" ".repeat(indent + 2)}${layout(code, indent + 2, indent + 3)}`;
}

/** Templates, numbers and booleans stay behind the name, however long the line is. */
const STAYING = /^(?:`|true$|false$|-?\d[\d.e+-]*$)/;

function isShortCall(code: Code): boolean {
  if (typeof code === "string" || !code.open.endsWith("(") || code.close !== ")") return false;
  return isShort(code.elements.map(([, one]) => one));
}

function isShort(args: readonly Code[]): boolean {
  // A function is broken from its call.
  const isOne = (one: Code): boolean =>
    typeof one === "string" && !one.startsWith("(") && columns(one) <= SHORT_ARGUMENT;
  return args.length < 2 && args.every(isOne);
}

function isOfNumbers({ open, elements }: Bracketed): boolean {
  return open === "[" && elements.length > 1 && elements.every(([, one]) => /^-?\d[\d.e+-]*$/.test(flat(one)));
}

/** Returns lines with as many numbers as fit. */
function filled({ elements }: Bracketed, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const [, one] of elements) {
    const item = `${flat(one)},`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= WIDTH) lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(`${indent}${item}`);
  }
  return lines.map((line) => `${line}\n`);
}

/** Returns a call. */
export function call(callee: string, args: readonly Code[], around: Around): string {
  // A call with one short argument is not broken, if possible.
  const begin = isShort(args) ? `${callee}(${args.map(flat).join(", ")})${around.after}` : `${callee}(`;
  return behindName(begin, around, (inner) => callIn(callee, args, inner));
}

/** Returns the call of a function in a scope of its own. */
export function scopeCall(scope: string, callee: string, args: readonly Code[], around: Around): string {
  return behindName("engine.run(", around, ({ indent, before, after }) => {
    const line = `${before}engine.run(${scope}, () => ${callee}(${args.map(flat).join(", ")}))${after}`;
    if (columns(line) <= WIDTH && !args.some(isTall)) return line;
    const inner = (deeper: number, text: string): string =>
      callIn(callee, args, { indent: indent + deeper, before: `${" ".repeat(indent + deeper)}${text}`, after: "," });
    const pad = " ".repeat(indent);
    const head = `${before}engine.run(${scope}, () =>`;
    if (columns(head) <= WIDTH) return `${head}\n${inner(2, "")}\n${pad})${after}`;
    const short = inner(2, "() => ");
    const body = short.includes("\n") ? `${pad}  () =>\n${inner(4, "")}` : short;
    return `${before}engine.run(\n${pad}  ${scope},\n${body}\n${pad})${after}`;
  });
}

/** A call whose beginning does not fit behind the name of its variable goes to the next line. */
function behindName(begin: string, around: Around, write: (around: Around) => string): string {
  const { before, after, indent } = around;
  const [, start, rest = ""] = /^(.* =) (.*)$/.exec(before) ?? [];
  if (start === undefined || columns(`${before}${begin}`) <= WIDTH) return write(around);
  return `${start}\n${write({ indent: indent + 2, before: `${" ".repeat(indent + 2)}${rest}`, after })}`;
}

/** Its last argument is broken into lines if it is an object. Otherwise, and after another object, all are. */
function callIn(callee: string, args: readonly Code[], { indent, before, after }: Around): string {
  const line = `${before}${callee}(${args.map(flat).join(", ")})${after}`;
  if (columns(line) <= WIDTH && !args.some(isTall)) return line;
  const others = args.slice(0, -1);
  const last = args.at(-1);
  const head = `${before}${callee}(${others.map((one) => `${flat(one)}, `).join("")}`;
  const isHugging = isBroken(last) && !others.some((one) => isObject(one) || isTall(one));
  if (isHugging && columns(head) + 1 <= WIDTH) return `${head}${layout(last, indent, WIDTH)})${after}`;
  const inner = " ".repeat(indent + 2);
  const lines = args.map((one) => `${inner}${layout(one, indent + 2, indent + 3)},\n`);
  return `${before}${callee}(\n${lines.join("")}${" ".repeat(indent)})${after}`;
}

function isObject(code: Code | undefined): boolean {
  return typeof code === "object" && code.open === "{";
}

function isBroken(code: Code | undefined): code is Bracketed {
  return typeof code === "object" && (code.open === "{" || code.open === "[") && code.elements.length > 0;
}

const WIDE =
  /(?!\p{Regional_Indicator})[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

/** Returns the columns of a line, as formatters count them. */
export function columns(line: string): number {
  if (/^[\x20-\x7e]*$/.test(line)) return line.length;
  return [...line].reduce((sum, char) => sum + (/[\p{Mn}\p{Cf}]/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
}

export interface Around {
  readonly indent: number;
  /** With the indent. */
  readonly before: string;
  readonly after: string;
}
