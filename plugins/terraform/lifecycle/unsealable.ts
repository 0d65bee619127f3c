/** Secrets that a provider gives back to a stage without a password or key: nothing may record them. */
import { EngineError } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import type { HandlerBase } from "../../../core/contract/index.js";
import { hasKeyFor } from "../../secrets/sealing.js";
import { isSecret } from "../../secrets/secret.js";
import { holds, type OutputSecrets } from "../sensitive/index.js";

/** @param bytes that the provider keeps for itself @returns EngineError `PASSWORD_REQUIRED` */
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
  const what = `What the provider returns for "${context.fqn}" has a secret, in ${places.join(", ")}.`;
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

/** What can be recorded of an output: all of it, or what is no secret if there is no password or key. */
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
