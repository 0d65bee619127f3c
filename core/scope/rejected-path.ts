/** Which of the promises in a value it was that rejected. */
import { types } from "node:util";
import { isPlainObject } from "../state/codec/builtin.js";
import { type Path, readablePath } from "../state/codec/path.js";

const NOT_YET = Symbol("not yet");

/**
 * The path, e.g. `$.hosts[2]`, of the first promise in a value that has rejected with `reason`; undefined where it is
 * none that can be asked without setting something off: others than native promises may begin their work only then.
 */
export async function rejectedPath(value: unknown, reason: unknown): Promise<string | undefined> {
  const path = await find(value, reason, [], new Set());
  return path && readablePath(path);
}

async function find(value: unknown, reason: unknown, path: Path, met: Set<object>): Promise<Path | undefined> {
  if (typeof value !== "object" || value === null || met.has(value)) return undefined;
  met.add(value);
  if (types.isPromise(value)) return findBehind(value, reason, path, met);
  const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isPlainObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, member] of members) {
    const found = await find(member, reason, [...path, key], met);
    if (found) return found;
  }
  return undefined;
}

/** What a promise gave may hold promises, too. */
async function findBehind(
  promise: Promise<unknown>,
  reason: unknown,
  path: Path,
  met: Set<object>,
): Promise<Path | undefined> {
  let result: unknown;
  try {
    result = await Promise.race([promise, NOT_YET]);
  } catch (error) {
    return error === reason ? path : undefined;
  }
  return result === NOT_YET ? undefined : find(result, reason, path, met);
}
