/** Collects the texts and bytes in the value of a secret, at any depth. */
import { types } from "node:util";
import { isError } from "../../core/codec/index.js";

/** Yields the texts and bytes in a value. Stops at cycles, and leaves out the keys of objects. */
export function* leavesOf(value: unknown): Generator<string | Buffer> {
  const met = new Set<object>();
  // A list instead of recursion: a value may be nested deeper than the stack allows.
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next !== "object" || next === null) {
      const text = textOf(next);
      if (text !== undefined) yield text;
    } else if (!met.has(next)) {
      met.add(next);
      const leaves = leavesOfObject(next);
      if (leaves) yield* leaves;
      else for (const member of membersOf(next)) ahead.push(member);
    }
  }
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? String(value) : undefined;
    case "bigint":
      return String(value);
    case "symbol":
      return Symbol.keyFor(value);
    default:
      return undefined;
  }
}

/** Returns undefined for a type with members. */
function leavesOfObject(value: object): readonly (string | Buffer)[] | undefined {
  if (ArrayBuffer.isView(value)) return [Buffer.from(value.buffer, value.byteOffset, value.byteLength)];
  if (types.isAnyArrayBuffer(value)) return [Buffer.from(value)];
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? [] : [value.toISOString()];
  if (types.isRegExp(value)) return [value.source];
  if (value instanceof URL) {
    const { href, username, password } = value;
    return [href, username, percentDecoded(username), password, percentDecoded(password)];
  }
  return undefined;
}

function membersOf(value: object): Iterable<unknown> {
  if (types.isMap(value)) return [...value].flat(1);
  if (types.isSet(value)) return value;
  // Leave out an error's stack: other errors contain its lines, too.
  if (isError(value)) return [value.message, value.cause, Reflect.get(value, "errors"), ...Object.values(value)];
  return Object.values(value);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // "50%": the parser of URLs accepts it.
    if (error instanceof URIError) return text;
    throw error;
  }
}
