/**
 * Keys of the engine as keys of a bucket: below the prefix, and as they are. Of any other key whatever XML, addresses or
 * tools treat apart is written as `=3A`. What becomes of a character depends on the one before it and on nothing behind
 * it, so a prefix of keys is a prefix of what they become.
 */
import { EngineError } from "../../core/base/index.js";
import { escapeUnit, unescaped } from "../kit/escape.js";

const EMPTY = "=empty";
/** Bytes, which are ASCII characters here. */
const LONGEST = 1024;
/** A dot or slash at the beginning of a segment, and everything beyond the plainest characters. */
const UNSAFE = /(?<=^|\/)[/.]|[^A-Za-z0-9._%/-]/g;

/** @param prefix "" or ends in a slash */
export function objectKey(prefix: string, key: string): string {
  const object = prefix + (key === "" ? EMPTY : escaped(key));
  if (object.length <= LONGEST) return object;
  throw new EngineError("STORE_FAILED", `The key "${key}" is too long for S3, which takes ${LONGEST} bytes.`);
}

/** What the keys of objects begin with whose engine keys begin with `start`. */
export function objectPrefix(prefix: string, start: string): string {
  return prefix + escaped(start);
}

/** Undefined: the object is not the engine's. */
export function keyOfObject(prefix: string, object: string): string | undefined {
  if (!object.startsWith(prefix)) return undefined;
  const name = object.slice(prefix.length);
  if (name === EMPTY) return "";
  const key = unescaped(name);
  // Somebody else's object may have a name that no key becomes.
  return key !== "" && escaped(key) === name ? key : undefined;
}

function escaped(key: string): string {
  return key.replace(UNSAFE, escapeUnit);
}
