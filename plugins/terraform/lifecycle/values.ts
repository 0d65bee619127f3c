/** Values on their way between programs and providers: what is sensitive is a secret for programs, and plain for providers. */
import { isUnknown, unknownValue } from "../../../core/base/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import type { CtyValue } from "../cty/index.js";
import { type Level, namesOf, programPathText, propsOf } from "../schema/index.js";

/** @param fqn of whose output it is, for what is not known yet */
export function toOutput(level: Level, value: CtyValue, fqn: string): unknown {
  return propsOf(level, value, {
    unknown: (path) => unknownValue(`${fqn}.${programPathText(path)}`),
    sensitive: (member, path) => new Secret(member, String(path.at(-1))),
  });
}

/** The members of an output that are known, wholly or in part: undefined is what is known to be absent. */
export function knownOutput(level: Level, value: CtyValue, fqn: string): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = Object(toOutput(level, value, fqn));
  const names = [...namesOf(level).toProvider.keys()];
  return Object.fromEntries(names.map((name) => [name, all[name]]).filter(([, member]) => !isUnknown(member)));
}

/** What secrets hold, in their places. */
export function unwrapped(given: unknown): unknown {
  if (isSecret(given)) return unwrapped(given.unencrypted);
  if (Array.isArray(given)) return given.map(unwrapped);
  if (given instanceof Set) return new Set([...given].map(unwrapped));
  if (given instanceof Map) return new Map([...given].map(([key, member]) => [key, unwrapped(member)]));
  if (typeof given !== "object" || given === null || Object.getPrototypeOf(given) !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, unwrapped(member)]));
}
