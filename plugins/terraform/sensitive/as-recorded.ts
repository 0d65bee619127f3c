/** What was read of a resource whose secrets an earlier version recorded in the clear. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "../../../core/codec/index.js";
import { isSecret } from "../../secrets/secret.js";

/** A secret whose value is recorded in the clear stays as it is recorded: that it is a secret now is no drift. */
export function asRecorded(found: unknown, recorded: unknown): unknown {
  if (isSecret(found)) return isDeepStrictEqual(found.unencrypted, recorded) ? recorded : found;
  if (Array.isArray(found) && Array.isArray(recorded)) return found.map((one, at) => asRecorded(one, recorded[at]));
  if (!isMembers(found) || !isMembers(recorded)) return found;
  const members = Object.entries(found).map(([name, one]) => {
    return [name, Object.hasOwn(recorded, name) ? asRecorded(one, recorded[name]) : one] as const;
  });
  return Object.fromEntries(members);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && isPlainObject(value);
}
