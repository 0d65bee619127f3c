/** Secrets that a provider returns to a stage without a password or key. They must not be recorded. */
import { EngineError } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import type { HandlerBase } from "../../../core/contract/index.js";
import { hasKeyFor } from "../../secrets/password.js";
import { isSecret } from "../../secrets/secret.js";
import { attributesAndBlocks, attributesOf, type Level, namesOf, nestedIn } from "../schema/index.js";
import { holds, type OutputSecrets } from "../sensitive/index.js";

/**
 * Finds secrets that cannot be recorded. @param bytes private bytes of the provider @returns EngineError
 * `PASSWORD_REQUIRED`
 */
export function unsealableIn(
  context: Pick<HandlerBase, "scope" | "fqn">,
  secrets: OutputSecrets,
  output: unknown,
  bytes: Uint8Array,
): EngineError | undefined {
  if (hasKeyFor(context.scope)) return undefined;
  const places = [
    ...pathsOfSecrets(output, ""),
    ...(holdsUnsealable(context, secrets, bytes) ? ["its private state"] : []),
  ];
  if (places.length === 0) return undefined;
  const what = `The provider returns a secret for "${context.fqn}" (in ${places.join(", ")}).`;
  const advice = "The engine cannot record it without a password or key. Set ENGINE_PASSWORD or ENGINE_KEY.";
  return new EngineError("PASSWORD_REQUIRED", `${what} ${advice}`, { fqn: context.fqn });
}

/** True for bytes with a secret if there is no password or key to seal them with. */
export function holdsUnsealable(
  { scope }: Pick<HandlerBase, "scope">,
  { texts }: OutputSecrets,
  bytes: Uint8Array,
): boolean {
  return texts.length > 0 && !hasKeyFor(scope) && holds(Buffer.from(bytes).toString(), texts);
}

/** Returns the recordable part of an output: all of it, or without secrets if there is no password or key. */
export function recordable({ scope }: Pick<HandlerBase, "scope">, output: unknown): unknown {
  return hasKeyFor(scope) ? output : withoutSecrets(output);
}

function withoutSecrets(value: unknown): unknown {
  if (isSecret(value)) return undefined;
  if (Array.isArray(value)) return value.map(withoutSecrets).filter((element) => element !== undefined);
  if (typeof value !== "object" || value === null || !isPlainObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function pathsOfSecrets(value: unknown, path: string): readonly string[] {
  if (isSecret(value)) return [path];
  if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlainObject(value))) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOfSecrets(member, path === "" ? name : `${path}.${name}`),
  );
}

/** True if the output will hold sensitive values, computed or given. */
export function givesSecrets(level: Level, props: unknown): boolean {
  const { toProgram } = namesOf(level);
  const given = (name: string): unknown => Reflect.get(Object(props), toProgram.get(name) ?? name);
  if (
    attributesOf(level).some(([name, { sensitive, computed }]) => sensitive && (computed || given(name) !== undefined))
  )
    return true;
  return attributesAndBlocks(level).some(([name, of]) => {
    const nested = nestedIn(of);
    if (!nested) return false;
    if ("computed" in of && of.computed) return givesSecrets(nested.level, {});
    // A group always exists, even if it is not given.
    if (nested.nesting === "group" && given(name) === undefined) return givesSecrets(nested.level, {});
    return elementsOf(given(name)).some((element) => givesSecrets(nested.level, element));
  });
}

/** Returns the elements of one object, a list or a map. */
function elementsOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given;
  return typeof given === "object" ? [given, ...Object.values(given)] : [given];
}
