/** Values on their way between programs and providers: what is sensitive is a secret for programs, and plain for providers. */
import { isUnknown, unknownValue } from "../../../core/base/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import type { CtyValue } from "../cty/index.js";
import { type Level, namesOf, programPathText, propsOf } from "../schema/index.js";
import { type OutputSecrets, withSecrets } from "../sensitive/index.js";

/** Whose output it is. */
export interface OutputOf {
  /** For what is not known yet. */
  readonly fqn: string;
  /** What is a secret, though its schema does not say so. */
  readonly secrets: OutputSecrets;
}

export function toOutput(level: Level, value: CtyValue, { fqn, secrets }: OutputOf): unknown {
  const output = propsOf(level, value, {
    unknown: (path) => unknownValue(`${fqn}.${programPathText(path)}`),
    sensitive: (member, path) => new Secret(member, String(path.at(-1))),
  });
  return withSecrets(output, secrets);
}

/** Masks what is sensitive in a value in all texts from now on. */
export function maskSensitive(level: Level, value: CtyValue): void {
  if (value !== null)
    propsOf(level, value, { sensitive: (member) => (member === undefined ? member : new Secret(member)) });
}

/** The members of an output that are known, wholly or in part: undefined is what is known to be absent. */
export function knownOutput(level: Level, value: CtyValue, of: OutputOf): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = Object(toOutput(level, value, of));
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

/** What is promised in them, in its place. */
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
