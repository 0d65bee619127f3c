/** Writes several equal expressions as one, whose differences are keys and parameters. */
import {
  Built,
  Document,
  type Expression,
  isListExpression,
  isPlainExpression,
  Literal,
  Reference,
  SecretFrom,
  Template,
} from "../program/program.js";
import { Digits } from "../program/settled.js";
import { type Code, callOf, listCode, objectCode, template, text } from "./code.js";
import { type Key, keyed } from "./keyed.js";
import { referencesIn } from "./places.js";

/** One of the expressions, and where it stands. */
export interface Column {
  readonly expression: Expression;
  /** Number of the instance of the function. */
  readonly instance: number;
  readonly instanceKey: Key | undefined;
  /** Key of the loop around it. */
  readonly loopKey: Key | undefined;
}

/** Names of the members that lead to a value. The last one is the best name of a parameter. */
export type Wanted = readonly string[];

export interface Unifying {
  /** True if the place of the code has no type. */
  readonly isUntyped?: boolean;
  /** Name of the variable of the loop. */
  readonly loopName: string;
  /** Code of a reference inside of the function; undefined for one that leads out of it. */
  inside(reference: Reference, column: Column): { readonly fixed: string; readonly byKey: string } | undefined;
  /** Returns the number of elements of a list that a loop has made; undefined for any other variable. */
  countOf?(list: string): number | undefined;
  /** Returns the parameter with these values, one for each instance of the function. */
  parameter(values: readonly Expression[], wanted: Wanted): string;
  /** Returns the key of the function's instance. */
  instanceName(): string;
}

/** Returns the code; undefined if no code fits all. */
export function unified(columns: readonly Column[], wanted: Wanted, unifying: Unifying): Code | undefined {
  const all = columns.map(({ expression }) => expression);
  const [first] = all;
  if (first === undefined) return undefined;
  if (all.every(isListExpression)) return unifiedList(columns, wanted, unifying);
  if (all.every(isPlainExpression)) {
    const names = Object.keys(first as object);
    if (!all.every((one) => sameNames(Object.keys(one as object), names))) return undefined;
    const members = names.map((name) => {
      const inner = columns.map((column) => ({
        ...column,
        expression: (column.expression as Readonly<Record<string, Expression>>)[name] ?? null,
      }));
      return [name, unified(inner, [...wanted, name], unifying)] as const;
    });
    return members.every(([, code]) => code !== undefined) ? objectCode(members as [string, Code][]) : undefined;
  }
  if (all.every((one) => one instanceof Literal)) {
    const inner = columns.map((column) => ({ ...column, expression: (column.expression as Literal).value }));
    // Types do not name null elements.
    return same(inner.map(({ expression }) => (expression === null ? "null!" : constant(expression))));
  }
  if (all.every((one) => one instanceof Reference)) return reference(columns, wanted, unifying);
  if (all.every((one) => one instanceof SecretFrom))
    return same(all.map(identity)) === undefined
      ? byInstance(columns, wanted, unifying)
      : secretCode(first as SecretFrom, unifying);
  if (all.every((one) => one instanceof Built))
    return same(all.map(builtCode)) ?? byInstance(columns, wanted, unifying);
  if (all.every((one) => one instanceof Digits))
    return same(all.map(({ text: digits }) => asNumber(text(digits)))) ?? byInstance(columns, wanted, unifying);
  if (all.every((one) => one instanceof Template)) return unifiedTemplate(columns, wanted, unifying);
  if (all.every((one) => one instanceof Document)) return unifiedDocument(columns, wanted, unifying);
  if (all.every((one) => isLeaf(one) || one instanceof Document) && !all.every(isLeaf))
    return byInstance(columns, wanted, unifying);
  if (!all.every(isLeaf)) return undefined;
  return same(all.map(constant)) ?? byKey(columns, unifying) ?? byInstance(columns, wanted, unifying);
}

function unifiedList(columns: readonly Column[], wanted: Wanted, unifying: Unifying): Code | undefined {
  const lists = columns.map(({ expression }) => expression as readonly Expression[]);
  const isOutside = columns.every((column, at) =>
    lists[at]?.every((one) => one instanceof Reference && !unifying.inside(one, column)),
  );
  if (isOutside && lists.some((one) => one.length > 1)) {
    const whole = byInstance(columns, wanted, unifying);
    if (whole !== undefined) return whole;
  }
  const length = lists[0]?.length ?? 0;
  if (!lists.every((one) => one.length === length)) return undefined;
  const elements: Code[] = [];
  for (let at = 0; at < length; at++) {
    const code = unified(
      columns.map((column, index) => ({ ...column, expression: lists[index]?.[at] ?? null })),
      wanted,
      unifying,
    );
    if (code === undefined) return undefined;
    elements.push(code);
  }
  return mapped(elements, unifying) ?? listCode(elements);
}

/** Returns a call of `map` for the same member of all elements of a loop's list. */
function mapped(elements: readonly Code[], { countOf }: Unifying): Code | undefined {
  const [first] = elements;
  const [, list = "", member] = (typeof first === "string" && /^(\w+)\[0\]!\.(\w+)$/.exec(first)) || [];
  if (member === undefined || countOf?.(list) !== elements.length) return undefined;
  if (!elements.every((one, at) => one === `${list}[${at}]!.${member}`)) return undefined;
  return { open: `${list}.map(`, close: ")", elements: [["", `(one) => one.${member}`]] };
}

function unifiedTemplate(columns: readonly Column[], wanted: Wanted, unifying: Unifying): Code | undefined {
  const all = columns.map(({ expression }) => (expression as Template).parts);
  const length = all[0]?.length ?? 0;
  if (!all.every((parts) => parts.length === length)) return undefined;
  const parts: (string | { readonly code: string })[] = [];
  for (let at = 0; at < length; at++) {
    const inner = columns.map((column, index) => ({ ...column, expression: all[index]?.[at] ?? null }));
    const texts = inner.map(({ expression }) => expression);
    const [first] = texts;
    if (typeof first === "string" && texts.every((one) => one === first)) {
      parts.push(first);
      continue;
    }
    const code = unified(inner, wanted, unifying);
    if (typeof code !== "string") return undefined;
    parts.push({ code });
  }
  return template(parts);
}

/** Documents of one form differ by their values; others are parameters as a whole. */
function unifiedDocument(columns: readonly Column[], wanted: Wanted, unifying: Unifying): Code | undefined {
  const all = columns.map((column) => ({ ...column, expression: (column.expression as Document).value }));
  const forms = all.map(({ expression }) => formOf(expression, () => undefined));
  if (same(forms) === undefined) return byInstance(columns, wanted, unifying);
  const code = unified(all, wanted, unifying);
  return code === undefined ? undefined : callOf("JSON.stringify", code);
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}

function same(codes: readonly (string | undefined)[]): string | undefined {
  return codes.every((code) => code === codes[0]) ? codes[0] : undefined;
}

type Leaf = null | boolean | number | bigint | string;

function isLeaf(one: Expression): one is Leaf {
  return one === null || typeof one !== "object";
}

function constant(one: Expression): string {
  if (typeof one === "string") return text(one);
  if (typeof one === "bigint") return asNumber(`${one}n`);
  if (typeof one === "number" && Object.is(one, -0)) return "-0";
  return isLeaf(one) ? String(one).replace("e+", "e") : "undefined";
}

/** The types of numbers are those of JavaScript. */
function asNumber(code: string): string {
  return `${code} as unknown as number`;
}

function builtCode(one: Expression): string | undefined {
  if (!(one instanceof Built)) return undefined;
  const { value } = one;
  if (value instanceof Date) return `new Date(${text(value.toISOString())})`;
  return `Buffer.from(${text(Buffer.from(value).toString("base64"))}, "base64")`;
}

/** Returns the secret of a variable of the environment. */
export function secretVariable(name: string): Code {
  return { open: "engine.secret.env(", close: ")", elements: [["", text(name)]] };
}

/** Props have the types of their plain values, but a text may be a secret anywhere. */
function secretCode({ variable, value }: SecretFrom, { isUntyped = false }: Unifying): Code {
  if (typeof value === "string") return secretVariable(variable);
  // Compilers may require brackets, and may not know that it is set.
  const read = `engine.env[${text(variable)}]`;
  const inner = value instanceof Digits ? asNumber(read) : `JSON.parse(${read}!)`;
  const type = typeOfSecret(value);
  const as = isUntyped ? "" : type === "any" ? " as any" : ` as unknown as ${type}`;
  return { open: "engine.secret(", close: `)${as}`, elements: [["", inner]] };
}

/** Returns the type of the code of a secret. */
export function typeOfSecret(value: unknown): string {
  if (typeof value === "string") return "Secret";
  if (value instanceof Digits) return "number";
  return typeof value === "object" ? "any" : typeof value;
}

function reference(columns: readonly Column[], wanted: Wanted, unifying: Unifying): string | undefined {
  const found = columns.map((column) => unifying.inside(column.expression as Reference, column));
  if (found.every((one) => one !== undefined))
    return same(found.map((one) => one.fixed)) ?? same(found.map((one) => one.byKey));
  return found.every((one) => one === undefined) ? byInstance(columns, wanted, unifying) : undefined;
}

/** Uses the keys of the loop and of the instance. */
function byKey(columns: readonly Column[], { loopName, instanceName }: Unifying): string | undefined {
  const code = keyed(
    columns.map(({ expression }) => expression),
    [
      { name: loopName, of: columns.map(({ loopKey }) => loopKey) },
      { name: INSTANCE, of: columns.map(({ instanceKey }) => instanceKey) },
    ],
  );
  return code?.includes(INSTANCE) ? code.replaceAll(INSTANCE, instanceName()) : code;
}

/** Stands for the key of the instance until the code is known to need it. Printed texts escape it. */
const INSTANCE = "\0";

/** Uses a parameter, if the value does not depend on the loop. */
function byInstance(columns: readonly Column[], wanted: Wanted, { parameter }: Unifying): string | undefined {
  const values: Expression[] = [];
  for (const { instance, expression } of columns) {
    const known = values[instance];
    if (known !== undefined && identity(known) !== identity(expression)) return undefined;
    values[instance] = expression;
  }
  return parameter(values, wanted);
}

export function identity(one: Expression): string {
  if (one instanceof Reference) return `r${one.address} ${one.member}`;
  if (one instanceof SecretFrom) return `s${one.variable}`;
  if (one instanceof Built) return `b${builtCode(one)}`;
  if (one instanceof Digits) return `d${one.text}`;
  if (one instanceof Template) return one.parts.map(identity).join("\n");
  if (one instanceof Document) return `j${identity(one.value)}`;
  if (isListExpression(one)) return `[${one.map(identity).join()}]`;
  if (isPlainExpression(one))
    return `{${Object.entries(one).map(([name, each]) => `${JSON.stringify(name)}:${identity(each)}`)}}`;
  return `${typeof one} ${String(one)}`;
}

/** Returns a text that only expressions of one form share, so that {@link unified} finds code for all. */
export function shapeOf(one: Expression, isInside: (reference: Reference) => string | undefined): string {
  if (one instanceof Reference) return `r${isInside(one) ?? ""}`;
  if (one instanceof SecretFrom) return `s${one.value instanceof Digits ? "digits" : typeof one.value}`;
  if (one instanceof Literal) return `l${constant(one.value)}`;
  if (one instanceof Built) return `b${one.value.constructor.name}`;
  if (one instanceof Digits) return "digits";
  if (one instanceof Template) return `t${one.parts.map((part) => shapeOf(part, isInside)).join()}`;
  // One that refers to nothing in the function can be a parameter.
  if (one instanceof Document)
    return referencesIn(one).some((each) => isInside(each) !== undefined)
      ? `j${formOf(one.value, isInside)}`
      : "string";
  if (isListExpression(one)) {
    const isOutside = one.length > 0 && one.every((each) => each instanceof Reference && isInside(each) === undefined);
    return isOutside ? "[r…]" : `[${one.map((each) => shapeOf(each, isInside)).join()}]`;
  }
  if (!isPlainExpression(one)) return one === null ? "null" : typeof one;
  const names = Object.keys(one).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${shapeOf(one[name] ?? null, isInside)}`).join()}}`;
}

/** Returns the shape of a document, in which the order of members counts. */
function formOf(one: Expression, isInside: (reference: Reference) => string | undefined): string {
  if (isListExpression(one)) return `[${one.map((each) => formOf(each, isInside)).join()}]`;
  if (!isPlainExpression(one)) return shapeOf(one, isInside);
  return `{${Object.entries(one).map(([name, each]) => `${JSON.stringify(name)}:${formOf(each, isInside)}`)}}`;
}
