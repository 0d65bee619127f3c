/** Errors without what plugins keep out of sight: texts are theirs to redact, errors are made of texts. */
import { inspect } from "node:util";
import { isPlainArray, isPlainObject } from "./state/codec/builtin.js";

export type Redact = (text: string) => string;

/**
 * The error as others may see it: itself where there is nothing to hide in it, else a copy of its class, with the texts
 * of all that it holds and that is behind it redacted.
 */
export function redactedError(error: unknown, redact: Redact): unknown {
  return isSafe(error, redact, new Set()) ? error : copyOf(error, { redact, copies: new Map() });
}

function isSafe(value: unknown, redact: Redact, seen: Set<object>): boolean {
  if (typeof value === "string") return redact(value) === value;
  if (typeof value !== "object" || value === null || seen.has(value)) return true;
  seen.add(value);
  const text = textOf(value);
  if (text !== undefined) return redact(text) === text;
  return Reflect.ownKeys(value).every((key) => isSafe(Reflect.get(value, key), redact, seen));
}

/** Of what is taken as a whole; undefined where the members are what counts. */
function textOf(value: object): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  const hasMembers = value instanceof Error || isPlainObject(value) || isPlainArray(value);
  return hasMembers ? undefined : printed(value);
}

/** As a program prints it. */
function printed(value: object): string {
  try {
    return inspect(value, WHOLE);
  } catch {
    return ""; // Whoever prints it cannot either.
  }
}

const WHOLE = { depth: 8, maxStringLength: null, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY } as const;

interface Copying {
  readonly redact: Redact;
  readonly copies: Map<object, unknown>;
}

function copyOf(value: unknown, copying: Copying): unknown {
  const { redact, copies } = copying;
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const text = textOf(value);
  if (text === undefined) {
    const empty = isPlainArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
    return withMembers(value, empty, copying);
  }
  const redacted = redact(text);
  if (redacted === text) return value;
  // Of any other class nobody knows how to make a second one.
  return value instanceof Uint8Array ? Buffer.from(redacted) : redacted;
}

function withMembers(from: object, to: object, copying: Copying): object {
  copying.copies.set(from, to);
  for (const key of Reflect.ownKeys(from)) {
    const { enumerable = false } = Reflect.getOwnPropertyDescriptor(from, key) ?? {};
    const value = copyOf(Reflect.get(from, key), copying);
    Object.defineProperty(to, key, { value, enumerable, writable: true, configurable: true });
  }
  return to;
}
