/**
 * Converts values between programs and providers. Sensitive values are secrets in programs, and plain for providers.
 */
import { isUnknown, unknownValue } from "../../../core/base/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import type { CtyValue } from "../cty/index.js";
import { type Level, namesOf, programPathText, propsOf } from "../schema/index.js";
import { type OutputSecrets, withSecrets } from "../sensitive/index.js";

/** The owner of an output. */
export interface OutputOf {
  /** Prefix of the names of unknown values. */
  readonly fqn: string;
  /** Secrets that the schema does not mark. */
  readonly secrets: OutputSecrets;
}

export function toOutput(level: Level, value: CtyValue, { fqn, secrets }: OutputOf): unknown {
  const output = propsOf(level, value, {
    unknown: (path) => unknownValue(`${fqn}.${programPathText(path)}`),
    sensitive: (member, path) => new Secret(member, String(path.at(-1))),
  });
  return withSecrets(output, secrets);
}

/** Masks the sensitive parts of a value in all texts from now on. */
export function maskSensitive(level: Level, value: CtyValue): void {
  if (value !== null)
    propsOf(level, value, { sensitive: (member) => (member === undefined ? member : new Secret(member)) });
}

/**
 * Returns the members of an output that are at least partly known. A member that is known to be absent is undefined.
 */
export function knownOutput(level: Level, value: CtyValue, of: OutputOf): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = Object(toOutput(level, value, of));
  const names = [...namesOf(level).toProvider.keys()];
  return Object.fromEntries(names.map((name) => [name, all[name]]).filter(([, member]) => !isUnknown(member)));
}

/** Replaces secrets by their values. */
export function unwrapped(given: unknown): unknown {
  if (isSecret(given)) return unwrapped(given.unencrypted);
  if (Array.isArray(given)) return given.map(unwrapped);
  if (given instanceof Set) return new Set([...given].map(unwrapped));
  if (given instanceof Map) return new Map([...given].map(([key, member]) => [key, unwrapped(member)]));
  if (typeof given !== "object" || given === null || Object.getPrototypeOf(given) !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, unwrapped(member)]));
}

/** Replaces promises by their results. */
export async function resolved(given: unknown): Promise<unknown> {
  const value = isThenable(given) ? await given : given;
  if (Array.isArray(value)) return await Promise.all(value.map(resolved));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(async ([name, member]) => [name, await resolved(member)] as const);
  return Object.fromEntries(await Promise.all(members));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  return isHolder && typeof Reflect.get(value, "then") === "function";
}
