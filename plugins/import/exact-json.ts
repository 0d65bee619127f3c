/** Reads and writes JSON of unknown origin without rounding numbers, and with a limit for its depth. */
import { canonicalNumber, numberOf } from "../internal/text/decimal.js";
import { withJsonTokens } from "../internal/text/json-tokens.js";
import { refused } from "./failure.js";
import { Digits } from "./program/settled.js";

/** Deepest nesting. Values of providers have a few levels, and the engine records at most 500. */
const DEEPEST = 300;

/** Marks a number that a JavaScript number would round, and a text that begins with the mark. */
const MARK = "\u{F8FE}";

/**
 * Parses JSON. A number that would be rounded becomes a marked text, which {@link exactText} turns back.
 *
 * @throws EngineError `IMPORT_REFUSED`
 */
export function exactJson(text: string, place: string): unknown {
  checkDepth(text, place);
  const isPlain = !text.includes(MARK) && !MAY_BE_INEXACT.test(text);
  const value = parsed(isPlain ? text : withJsonTokens(text, marked));
  // Without the cause, which quotes a part of the text.
  if (value === undefined) throw refused(place, "is not complete JSON. Copy the state again.");
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON of a part of a parsed text, with all digits of its numbers. */
export function exactText(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (!text.includes(MARK)) return text;
  return withJsonTokens(text, (one) => {
    if (!one.startsWith(`"${MARK}`)) return one;
    return one.startsWith(`"${MARK}${MARK}`) ? `"${one.slice(2)}` : one.slice(2, -1);
  });
}

/** Returns a parsed value without marks. Numbers with more digits than those of JavaScript are texts. */
export function unmarked(value: unknown): unknown {
  return turned(value, (digits) => {
    const double = Number(digits);
    // Other tools write 1e-07 for the number that JavaScript writes as 1e-7.
    return canonicalNumber(String(double)) === canonicalNumber(digits) ? double || 0 : digits;
  });
}

/** Returns a parsed value without marks. Its numbers are exact: a `number`, a `bigint`, or {@link Digits}. */
export function exactValue(value: unknown): unknown {
  return turned(value, (digits) => {
    const number = numberOf(digits);
    return number === undefined || typeof number === "string" ? new Digits(digits) : number;
  });
}

/**
 * Parses the JSON of a secret. A variable of the environment would round a number in an object or list.
 *
 * @throws EngineError `IMPORT_REFUSED`
 */
export function secretJson(text: string, place: string): unknown {
  const value = exactJson(text, place);
  if (typeof value !== "object" || !holdsInexact(value)) return value;
  const advice = "Let only single values of it be secret, and import again.";
  throw refused(place, `holds a secret object with a number of more digits than those of JavaScript. ${advice}`);
}

function holdsInexact(value: unknown): boolean {
  if (typeof value === "string")
    return value.startsWith(MARK) && value[1] !== MARK && typeof unmarked(value) === "string";
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInexact);
}

function turned(value: unknown, number: (digits: string) => unknown): unknown {
  if (typeof value === "string") {
    if (!value.startsWith(MARK)) return value;
    return value[1] === MARK ? value.slice(1) : number(value.slice(1));
  }
  if (value === 0) return 0; // A minus zero is the same number.
  if (Array.isArray(value)) return value.map((one) => turned(one, number));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, turned(one, number)]));
}

/** Matches a number that may not be exact, and some other texts. */
const MAY_BE_INEXACT = /[\d.]{15,}|\d[eE][+-]?\d/;

function marked(one: string): string {
  if (one.startsWith('"')) return one.startsWith(`"${MARK}`) ? `"${MARK}${one.slice(1)}` : one;
  return isExact(one) ? one : `"${MARK}${one}"`;
}

/** True if the number of JavaScript has the same digits. */
function isExact(digits: string): boolean {
  return String(Number(digits)) === digits;
}

/** `JSON.parse` accepts any depth, but work on the result needs the stack. @throws EngineError `IMPORT_REFUSED` */
function checkDepth(text: string, place: string): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === SQUARE || code === CURLY) {
      if (++depth > DEEPEST)
        throw refused(place, `is nested more than ${DEEPEST} levels deep. No tool writes such a state.`);
    } else if (code === SQUARE + 2 || code === CURLY + 2) depth--;
  }
}

const QUOTE = 0x22;
const SQUARE = 0x5b;
const BACKSLASH = 0x5c;
const CURLY = 0x7b;
