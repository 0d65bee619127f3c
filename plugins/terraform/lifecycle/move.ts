/** Converts the state of a resource of another type, of any provider, to this type, without a replacement. */
import { EngineError } from "../../../core/base/index.js";
import type { ReadContext } from "../../../core/contract/index.js";
import { jsonText } from "../cty/index.js";
import { impliedType } from "../schema/index.js";
import { keepSchema, keptSchema } from "./connections.js";
import { checkDiagnostics, refusal, type Subject } from "./diagnostics.js";
import { secretsFor } from "./given.js";
import { remember } from "./read.js";
import { keep, keptOf, recordedValue } from "./recorded.js";
import { sourceNamed } from "./source-name.js";
import { knownSubject, type Managed, type ManagedOutput, type ManagedProps, typeNameIn } from "./subject.js";
import { unsealableIn } from "./unsealable.js";
import { toOutput } from "./values.js";

type Context = ReadContext<ManagedOutput, ManagedProps>;

/** A kind of a provider's resource. */
const KIND = /^(\S+\/\S+):(\w+)$/;

export function movesFrom(kind: string): boolean {
  return KIND.test(kind);
}

/**
 * Undefined if the provider does not move state, or the old schema is unknown. @throws EngineError `PROVIDER_REFUSED`
 */
export async function moved(managed: Managed, context: Context): Promise<ManagedOutput | undefined> {
  const subject = await knownSubject(managed, context);
  const { client, schema, source, typeName, signal } = subject;
  const { capabilities } = await client.schema(signal);
  const from = capabilities.moveResourceState ? await formerType(subject, context) : undefined;
  if (!from) return undefined;
  const { version, private: sourcePrivate, types } = await keptOf(context, context.output);
  const before = await keptSchema(context, from.source, from.typeName, version);
  if (!before) return undefined;
  const json = Buffer.from(jsonText(impliedType(before.block), recordedValue(before, context.output, types)));
  const asked = { sourceProvider: from.source, sourceType: from.typeName, sourceVersion: version, source: { json } };
  const type = impliedType(schema.block);
  const answer = await client.move({ ...asked, sourcePrivate, typeName, type }, signal);
  const refused = refusal(subject, answer.diagnostics, answer.value);
  if (refused) throw notMoved(context, refused);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  const secrets = secretsFor(context, subject);
  const output: ManagedOutput = Object(toOutput(schema.block, answer.value, { fqn: context.fqn, secrets }));
  const failure = unsealableIn(context, secrets, output, answer.private);
  if (failure) throw failure;
  await keepSchema(context, source, typeName, schema);
  await keep(context, schema, secrets, answer, output);
  remember(context, answer);
  return output;
}

/** Returns the former type, from the recorded kind. */
async function formerType(
  { client, source, signal }: Subject,
  { recordedKind }: Context,
): Promise<{ readonly source: string; readonly typeName: string } | undefined> {
  const [, name, called] = KIND.exec(recordedKind) ?? [];
  if (name === undefined || called === undefined) return undefined;
  const from = sourceNamed(name);
  if (from === source) {
    const typeName = typeNameIn(await client.schema(signal), source, { group: "resources", called });
    return { source, typeName };
  }
  const words = called.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { source: from, typeName: `${name.slice(name.lastIndexOf("/") + 1).replaceAll("-", "_")}_${words}` };
}

function notMoved({ fqn, recordedKind }: Context, cause: EngineError): EngineError {
  const message = `"${fqn}" is recorded as "${recordedKind}" and cannot be moved: ${cause.message} To replace the resource instead, remove its aliases.`;
  return new EngineError("PROVIDER_REFUSED", message, { cause });
}
