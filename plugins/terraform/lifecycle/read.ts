/** Reads the real resource from its provider. */
import { EngineError } from "../../../core/base/index.js";
import type { HandlerBase, ReadContext } from "../../../core/contract/index.js";
import { inOrderOf, isEqual, jsonText } from "../cty/index.js";
import { impliedType, type Schema } from "../schema/index.js";
import { asRecorded, type OutputSecrets, secretsAsIn } from "../sensitive/index.js";
import { NOTHING, type Prior } from "./change.js";
import { keptSchema } from "./connections.js";
import { checkDiagnostics, refuseWritten, type Subject } from "./diagnostics.js";
import { givenFor, secretsFor } from "./given.js";
import { hasFailed, type Kept, keep, keptOf, leftOf, recordedValue } from "./recorded.js";
import { knownSubject, type Managed, type ManagedOutput, type ManagedProps, own } from "./subject.js";
import { holdsUnsealable, recordable } from "./unsealable.js";
import { toOutput } from "./values.js";

type Context = ReadContext<ManagedOutput, ManagedProps>;

export async function read(managed: Managed, context: Context): Promise<ManagedOutput | undefined> {
  const prior = await knownPrior(managed, context);
  if (!prior) return undefined;
  const { subject, importId } = prior;
  const found = await look(subject, prior);
  // The resource does not exist: most providers return the requested id from an import, and only a read checks it.
  if (found.value === null && importId !== undefined) return orCreate(subject, context, importId);
  remember(context, found);
  const given = secretsFor(context, subject);
  await keepPrivate(context, subject, given, prior, found);
  if (found.value === null) return undefined;
  const secrets = context.output === undefined ? given : secretsAsIn(context.output, given);
  const output = toOutput(subject.schema.block, found.value, { fqn: context.fqn, secrets });
  if (context.output !== undefined) return Object(asRecorded(output, context.output));
  // The leftovers of a failed create are about to be deleted, by the remembered prior.
  return Object(context.isDeclared ? output : recordable(context, output));
}

/** Records changed private bytes of the provider if the value is unchanged. Otherwise a later update records both. */
async function keepPrivate(
  context: Context,
  { schema }: Subject,
  secrets: OutputSecrets,
  prior: Prior,
  found: Prior,
): Promise<void> {
  if (holdsUnsealable(context, secrets, found.private)) return;
  const isSame = Buffer.compare(prior.private, found.private) === 0;
  if (isSame || context.output === undefined || !isEqual(impliedType(schema.block), prior.value, found.value)) return;
  const { version } = await keptOf(context, context.output);
  if (version === schema.version) await keep(context, schema, secrets, found, context.output);
}

interface Known extends Prior {
  readonly subject: Subject;
  /** Id of an imported resource. */
  readonly importId?: string;
}

/** Returns the state to read from; undefined if no existing resource is known. */
async function knownPrior(managed: Managed, context: Context): Promise<Known | undefined> {
  const { output, isDeclared, adopt } = context;
  const { importId } = givenFor(context);
  if (output !== undefined) {
    const subject = await knownSubject(managed, context);
    return { subject, ...(await priorOf(subject, context, output)) };
  }
  const left = await leftOf(context);
  // While recovering, an `importId` says nothing about the resource that an interrupted create made.
  const isToImport = importId !== undefined && adopt && !context.recovering;
  if (context.recovering && !(await hasFailed(context))) throw unknownCreate(context);
  // The next create replaces the leftovers of a failed one. If none follows, they are read to be deleted.
  if (left ? isDeclared : !isToImport) return undefined;
  const subject = await knownSubject(managed, context);
  if (left) return { subject, ...(await upgraded(subject, context, left.output, left)) };
  const id = String(importId);
  const found = await imported(subject, id);
  return found ? { subject, importId: id, ...found } : orCreate(subject, context, id);
}

/** @throws EngineError `PROVIDER_REFUSED` unless the program sets `createIfMissing` */
function orCreate({ provider, typeName }: Subject, context: Context, id: string): undefined {
  if (givenFor(context).createIfMissing) return undefined;
  const what = `${provider} has no ${typeName} with the id "${id}" to import.`;
  const advice = "Correct `importId`, or set `createIfMissing: true` to create the resource instead.";
  throw new EngineError("PROVIDER_REFUSED", `${what} ${advice}`, { fqn: context.fqn });
}

/** Providers identify a resource by the id that they return. If that answer was lost, the id is unknown. */
function unknownCreate({ fqn }: Context): EngineError {
  return new EngineError("UNRESOLVED", `The engine cannot tell what the interrupted create of "${fqn}" made.`, { fqn });
}

/** Reads the current state of a resource from its provider. */
export async function look(subject: Subject, prior: Prior): Promise<Prior> {
  const { client, schema, typeName, signal } = subject;
  const type = impliedType(schema.block);
  const answer = await client.read({ typeName, type, current: prior.value, private: prior.private }, signal);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  refuseWritten(subject, answer.value);
  // Providers may return the elements of a set in any order. Another order is no drift.
  return { ...answer, value: inOrderOf(type, answer.value, prior.value) };
}

/** Imports a resource; undefined if the provider returns none. @throws EngineError `PROVIDER_REFUSED` */
async function imported(subject: Subject, id: string): Promise<Prior | undefined> {
  const { client, schema, typeName, signal, provider } = subject;
  const all = (await client.schema(signal)).resources;
  const types = (name: string) => impliedType((name === typeName ? schema : (own(all, name) ?? schema)).block);
  const answer = await client.import({ typeName, id, types }, signal);
  const [found, ...more] = answer.imported.filter((one) => one.typeName === typeName);
  checkDiagnostics(subject, answer.diagnostics, found?.value);
  if (more.length === 0) return found;
  throw new EngineError(
    "PROVIDER_REFUSED",
    `${provider} found ${more.length + 1} resources of the type ${typeName} with the id "${id}", but the engine can import only one. Set \`importId\` to an id that only one resource has.`,
  );
}

/** By root scope and uid, the results of reads in this run. Only a change of the resource records them. */
const seen = new WeakMap<object, Map<string, Prior>>();

export function remember({ scope, uid }: HandlerBase, found: Prior): void {
  const known = seen.get(scope.root) ?? new Map<string, Prior>();
  seen.set(scope.root, known.set(uid, found));
}

/** Removes the read result, so that the record counts again. */
export function forget({ scope, uid }: HandlerBase): void {
  seen.get(scope.root)?.delete(uid);
}

/**
 * Returns the read result of this run, else the leftovers of a failed change, else the record.
 *
 * @param output as passed to the handler
 */
export async function priorOf(subject: Subject, context: HandlerBase, output: unknown): Promise<Prior> {
  if (output === undefined) return NOTHING;
  const found = seen.get(context.scope.root)?.get(context.uid);
  if (found) return found;
  const left = await leftOf(context);
  if (left) return await upgraded(subject, context, left.output, left);
  return await upgraded(subject, context, output, await keptOf(context, output));
}

/** Converts a value of an older version of the provider to the present schema. */
export async function upgraded(
  subject: Subject,
  context: HandlerBase,
  output: unknown,
  { version, private: bytes, types }: Kept,
): Promise<Prior> {
  const { client, source, schema, typeName, signal } = subject;
  if (version === schema.version) return { value: recordedValue(schema, output, types), private: bytes };
  if (version > schema.version) {
    const message = `"${context.fqn}" was recorded by a newer version of ${subject.provider} (schema ${version}; this version has schema ${schema.version}). Use the newer version again.`;
    throw new EngineError("PROVIDER_FAILED", message, { fqn: context.fqn });
  }
  const before: Schema = (await keptSchema(context, source, typeName, version)) ?? schema;
  const json = Buffer.from(jsonText(impliedType(before.block), recordedValue(before, output, types)));
  const type = impliedType(schema.block);
  const answer = await client.upgrade({ typeName, type, version, raw: { json } }, signal);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  return { value: answer.value, private: bytes };
}
