/** Finds the native promises in a value. Others are left alone: a lazy one would begin its work when its `then` is called. */

import { types } from "node:util";
import { ignore } from "../base/index.js";
import { isPlainObject, maxDepth, type Path, readablePath } from "../codec/index.js";

const NOT_YET = Symbol("not yet");
const FOUND = Symbol("found");

/** Keeps the promises in a value, and in what they resolve to, from ending the process when they reject. */
export function silence(value: unknown): void {
  try {
    for (const { promise } of promisesIn(value, [], new Set())) promise.then(silence, ignore);
  } catch {
    // A getter of the program threw: what it would have given is of no interest here.
  }
}

/** The path, e.g. `$.hosts[2]`, of the first promise in a value that has rejected with `reason`. */
export async function rejectedPath(value: unknown, reason: unknown): Promise<string | undefined> {
  const path = await find(value, reason, [], new Set());
  return path && readablePath(path);
}

async function find(value: unknown, reason: unknown, start: Path, met: Set<object>): Promise<Path | undefined> {
  for (const { promise, path } of promisesIn(value, start, met)) {
    const compare = (error: unknown): symbol => (error === reason ? FOUND : NOT_YET);
    const result = await Promise.race([promise, NOT_YET]).catch(compare);
    if (result === FOUND) return path;
    const inside = result === NOT_YET ? undefined : await find(result, reason, path, met);
    if (inside) return inside;
  }
  return undefined;
}

interface FoundPromise {
  readonly promise: Promise<unknown>;
  readonly path: Path;
}

/**
 * As deep as anything can be recorded.
 *
 * @param met objects on the way, each of which is looked at once
 */
function* promisesIn(value: unknown, path: Path, met: Set<object>): Generator<FoundPromise> {
  if (typeof value !== "object" || value === null || met.has(value) || path.length > maxDepth) return;
  met.add(value);
  if (types.isPromise(value)) yield { promise: value, path };
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* promisesIn(one, [...path, index], met);
  else if (isPlainObject(value))
    for (const key of Object.keys(value)) yield* promisesIn(value[key], [...path, key], met);
}
