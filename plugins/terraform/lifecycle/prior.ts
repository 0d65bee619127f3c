/** What is recorded of a resource, as its provider has it now. */
import { EngineError } from "../../../core/base/index.js";
import type { HandlerBase } from "../../../core/contract/index.js";
import { jsonText } from "../cty/index.js";
import { impliedType, type Schema } from "../schema/index.js";
import { NOTHING, type Prior, type Subject } from "./change.js";
import { checkDiagnostics } from "./diagnostics.js";
import { type Kept, keptOf, leftOf, recordedValue } from "./recorded.js";
import { keptSchema } from "./schemas.js";

/** By uid, what a look of this run has found: only what changes it has it recorded. */
const seen = new WeakMap<object, Map<string, Prior>>();

export function remember({ scope, uid }: HandlerBase, found: Prior): void {
  const known = seen.get(scope.root) ?? new Map<string, Prior>();
  seen.set(scope.root, known.set(uid, found));
}

/** From now on what is recorded holds again. */
export function forget({ scope, uid }: HandlerBase): void {
  seen.get(scope.root)?.delete(uid);
}

/**
 * What a look of this run has found, else what a change that has failed has left, else what is recorded.
 *
 * @param output as the handler is given it
 */
export async function priorOf(subject: Subject, context: HandlerBase, output: unknown): Promise<Prior> {
  if (output === undefined) return NOTHING;
  const found = seen.get(context.scope.root)?.get(context.uid);
  if (found) return found;
  const left = await leftOf(context);
  if (left) return await upgraded(subject, context, left.output, left);
  return await upgraded(subject, context, output, await keptOf(context, output));
}

/** What an older version of the provider has made, as this one has it. */
export async function upgraded(
  subject: Subject,
  context: HandlerBase,
  output: unknown,
  { version, private: bytes, types }: Kept,
): Promise<Prior> {
  const { client, source, schema, typeName, signal } = subject;
  if (version === schema.version) return { value: recordedValue(schema, output, types), private: bytes };
  if (version > schema.version) {
    const message = `"${context.fqn}" was recorded by a newer version of ${subject.provider} (schema ${version}, and this one has ${schema.version}). Use that version.`;
    throw new EngineError("PROVIDER_FAILED", message, { fqn: context.fqn });
  }
  const before: Schema = (await keptSchema(context, source, typeName, version)) ?? schema;
  const json = Buffer.from(jsonText(impliedType(before.block), recordedValue(before, output, types)));
  const type = impliedType(schema.block);
  const answer = await client.upgrade({ typeName, type, version, raw: { json } }, signal);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  return { value: answer.value, private: bytes };
}
