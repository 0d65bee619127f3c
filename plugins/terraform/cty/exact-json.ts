/** JSON without loss: its numbers may have more digits than JavaScript's. */
import { type CtyNumber, numberOf } from "./number.js";

/** Stands for a number that `JSON.parse` would make another one of. */
export class ExactNumber {
  constructor(readonly value: CtyNumber) {}
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** @throws SyntaxError where it is no JSON */
export function exactJson(text: string): unknown {
  let isExact = true;
  // Texts and numbers become texts that say which of both they are.
  const marked = text.replace(token, (one) => {
    if (one.startsWith('"')) return `"s${one.slice(1)}`;
    const number = numberOf(one);
    if (number === undefined || typeof number === "number") return one;
    isExact = false;
    return `"n${one}"`;
  });
  return isExact ? JSON.parse(text) : JSON.parse(marked, (_key, value) => unmarked(value));
}

function unmarked(value: unknown): unknown {
  if (typeof value === "string") {
    const text = value.slice(1);
    return value.startsWith("n") ? new ExactNumber(numberOf(text) ?? text) : text;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.slice(1), one]));
}
