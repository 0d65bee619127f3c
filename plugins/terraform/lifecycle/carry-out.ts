/** Handlers of a provider's type: create, update and delete. */
import { EngineError } from "../../../core/base/index.js";
import { pointerOf } from "../../../core/codec/index.js";
import {
  type CreateContext,
  type DeleteContext,
  type HandlerBase,
  PartlyDeleted,
  type UpdateContext,
} from "../../../core/contract/index.js";
import { hasKeyFor } from "../../secrets/password.js";
import { type CtyValue, Dynamic, isList, isRecord, isWhollyKnown, recordOf, Unknown } from "../cty/index.js";
import type { AppliedChange, ApplyInput } from "../protocol/index.js";
import {
  holdsSecret,
  impliedType,
  maskForms,
  normalized,
  resultViolations,
  withoutWriteOnly,
} from "../schema/index.js";
import { hidesAny } from "../sensitive/index.js";
import { NOTHING, type Planned, type Prior, planChange } from "./change.js";
import { keepSchema } from "./connections.js";
import {
  checkDiagnostics,
  providerFault,
  refusal,
  refuseViolations,
  refuseWritten,
  type Subject,
} from "./diagnostics.js";
import { givenFor, refuseIgnoredImport, secretsFor } from "./given.js";
import { moveRecorded } from "./provider-config.js";
import { forget, look, priorOf, upgraded } from "./read.js";
import { keep, keepLeft, keepUntried, leftOf } from "./recorded.js";
import { declaredConfig, knownSubject, type Managed, type ManagedOutput, type ManagedProps } from "./subject.js";
import { unsealableIn } from "./unsealable.js";
import { knownOutput, toOutput } from "./values.js";

type Context = HandlerBase & { readonly props: ManagedProps };

/** Deletes the leftovers of a failed attempt first. */
export async function create(managed: Managed, context: CreateContext<ManagedProps>): Promise<ManagedOutput> {
  const { subject, planned } = await planCreate(managed, context).catch(async (error: unknown) => {
    await keepUntried(context);
    throw error;
  });
  return await settle(subject, context, await applyChange(subject, planned));
}

async function planCreate(
  managed: Managed,
  context: CreateContext<ManagedProps>,
): Promise<{ readonly subject: Subject; readonly planned: Planned }> {
  refuseIgnoredImport(context);
  const subject = await knownSubject(managed, context);
  const config = declaredConfig(managed, subject, context);
  await removeLeft(subject, context);
  const planned = await planChange(subject, config, NOTHING);
  refuseUnsealable(subject, context, planned);
  return { subject, planned };
}

/** @throws EngineError `PASSWORD_REQUIRED` before the provider creates anything */
function refuseUnsealable(subject: Subject, context: Context, { planned, plannedPrivate }: Planned): void {
  if (hasKeyFor(context.scope)) return;
  const { block } = subject.schema;
  const secrets = secretsFor(context, subject);
  if (!hidesAny(secrets) && !holdsSecret(block)) return;
  const known = knownOutput(block, planned, { fqn: context.fqn, secrets });
  const error = unsealableIn(context, secrets, known, plannedPrivate);
  if (error) throw error;
}

export async function update(
  managed: Managed,
  context: UpdateContext<ManagedOutput, ManagedProps>,
): Promise<ManagedOutput> {
  const subject = await knownSubject(managed, context);
  const config = declaredConfig(managed, subject, context);
  const prior = await presentOf(subject, context, context.output);
  const planned = await planChange(subject, config, prior);
  if (planned.action === "replace") {
    return context.replace(givenFor(context).createBeforeDestroy !== true, planned.forcedBy.map(pointerOf));
  }
  refuseUnsealable(subject, context, planned);
  // The private bytes of the plan are not recorded, because they belong to a change that does not happen.
  if (planned.action === "unchanged") return context.unchanged(await settle(subject, context, prior));
  const outcome = await applyChange(subject, planned);
  return await settle(subject, context, prior.value === null ? withHint(outcome, context) : outcome);
}

/**
 * Explains a failed create after an interrupted update: the update may have renamed the resource, which now occupies
 * its own name.
 */
function withHint(outcome: Outcome, { fqn, recovering }: Context): Outcome {
  const { failure } = outcome;
  if (!failure || !recovering) return outcome;
  const message = `${failure.message} The engine tried to create "${fqn}", because the provider found nothing with the recorded id. If the name is taken because an interrupted update renamed your resource, declare "${fqn}" with \`importId\` and \`adopt: true\`. If the name is taken by a resource that is not yours, run "engine state forget ${fqn}" and choose another name.`;
  return { ...outcome, failure: new EngineError(failure.code, message, { fqn, cause: failure }) };
}

export async function remove(managed: Managed, context: DeleteContext<ManagedOutput, ManagedProps>): Promise<void> {
  const subject = await knownSubject(managed, context);
  const prior = await presentOf(subject, context, context.output);
  if (prior.value === null) return;
  const outcome = await applyDelete(subject, prior);
  forget(context);
  if (outcome.failure) throw await notDeleted(subject, context, outcome, outcome.failure);
}

/** After a failed delete, the provider returns the remaining resource, which becomes the output. */
async function notDeleted(
  subject: Subject,
  context: Context,
  outcome: Outcome,
  failure: EngineError,
): Promise<EngineError> {
  if (outcome.value === null) return failure;
  const { schema } = subject;
  const secrets = secretsFor(context, subject);
  const output = toOutput(schema.block, outcome.value, { fqn: context.fqn, secrets });
  if (unsealableIn(context, secrets, output, outcome.private)) return failure;
  await keep(context, schema, secrets, outcome, output);
  const { code, message, fqn, cause } = failure;
  return new EngineError(code, message, { fqn, cause: new PartlyDeleted(message, output, { cause }) });
}

/**
 * Reads the resource first if an earlier attempt may have taken effect: a resource that is gone cannot be changed or
 * deleted.
 */
async function presentOf(subject: Subject, context: HandlerBase, output: unknown): Promise<Prior> {
  const prior = await priorOf(subject, context, output);
  return context.recovering && prior.value !== null ? await look(subject, prior) : prior;
}

async function removeLeft(subject: Subject, context: Context): Promise<void> {
  const left = await leftOf(context);
  if (!left) return;
  context.log("Deleting the leftovers of an earlier attempt first.");
  const there = await look(subject, await upgraded(subject, context, left.output, left));
  const secrets = secretsFor(context, subject);
  if (there.value === null) return await keepLeft(context, subject.schema, secrets);
  const outcome = await applyDelete(subject, there);
  await keepLeft(context, subject.schema, secrets, outcome.failure && outcome);
  if (outcome.failure) throw outcome.failure;
}

/** Records the outcome, including the leftovers of a failed change. */
async function settle(subject: Subject, context: Context, outcome: Outcome): Promise<ManagedOutput> {
  const { source, schema, typeName } = subject;
  const secrets = secretsFor(context, subject);
  const output: ManagedOutput = Object(toOutput(schema.block, outcome.value, { fqn: context.fqn, secrets }));
  const failure = outcome.failure ?? unsealableIn(context, secrets, output, outcome.private);
  forget(context);
  await keepSchema(context, source, typeName, schema);
  await keepLeft(context, schema, secrets, failure && outcome);
  await moveRecorded(context.scope, context.props.provider);
  if (failure) throw failure;
  await keep(context, schema, secrets, outcome, output);
  return output;
}

/** The resource after an attempted change, with the error if the change failed. */
interface Outcome extends Prior {
  readonly failure?: EngineError;
}

/** Applies a planned change. Rejects if its outcome is unknown. */
async function applyChange(subject: Subject, { planned, plannedPrivate, config, prior }: Planned): Promise<Outcome> {
  const { schema, typeName } = subject;
  const type = impliedType(schema.block);
  const answer = await apply(subject, { typeName, type, prior: prior.value, planned, config, plannedPrivate });
  const value = answer.hasLegacyTypes ? normalized(schema.block, answer.value) : answer.value;
  // Values that are still unknown cannot be recorded.
  const outcome = { value: withoutWriteOnly(schema.block, withoutUnknown(value)), private: answer.private };
  maskForms(planned, answer.value);
  const failure = refusal(subject, answer.diagnostics, answer.value);
  if (failure) return { ...outcome, failure };
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  if (!isWhollyKnown(value))
    return { ...outcome, failure: providerFault(subject, "returned unknown values after the change") };
  if (value === null) return { ...outcome, failure: providerFault(subject, "returned neither a value nor an error") };
  try {
    refuseWritten(subject, value);
    refuseViolations(
      subject,
      answer.hasLegacyTypes,
      "returned a result that differs from its plan",
      resultViolations(schema.block, planned, value),
    );
  } catch (error) {
    if (error instanceof EngineError) return { ...outcome, failure: error };
    throw error;
  }
  return outcome;
}

/** Deletes a resource. After a failed delete, the outcome holds the remaining resource. */
async function applyDelete(subject: Subject, prior: Prior): Promise<Outcome> {
  const { client, schema, typeName, signal } = subject;
  const type = impliedType(schema.block);
  const asked = { typeName, type, prior: prior.value, config: null };
  let plannedPrivate = prior.private;
  const { capabilities } = await client.schema(signal);
  if (capabilities.planDestroy) {
    const answer = await client.plan({ ...asked, proposed: null, priorPrivate: prior.private }, signal);
    checkDiagnostics(subject, answer.diagnostics);
    plannedPrivate = answer.plannedPrivate;
  }
  const answer = await apply(subject, { ...asked, planned: null, plannedPrivate });
  const outcome = { value: answer.value, private: answer.private };
  const failure = refusal(subject, answer.diagnostics, answer.value);
  if (failure) return { ...outcome, failure };
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  return answer.value === null
    ? outcome
    : { ...outcome, failure: providerFault(subject, "reported no error for the delete, but returned the resource") };
}

/** Milliseconds that a provider has, after a request to stop, to return its result. */
const STOP_TIMEOUT = 30_000;

/** Applies a change. On an abort, it asks the provider to stop, and still waits for its result. */
async function apply({ client, signal }: Subject, input: ApplyInput): Promise<AppliedChange> {
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    client.stop().catch(() => {});
    timer = setTimeout(() => timeout.abort(signal.reason), STOP_TIMEOUT);
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await client.apply(input, timeout.signal);
  } finally {
    signal.removeEventListener("abort", stop);
    clearTimeout(timer);
  }
}

function withoutUnknown(value: CtyValue): CtyValue {
  if (value instanceof Unknown) return null;
  if (value instanceof Dynamic) return new Dynamic(value.type, withoutUnknown(value.value));
  if (isList(value)) return value.map(withoutUnknown);
  return isRecord(value) ? recordOf(Object.entries(value).map(([name, one]) => [name, withoutUnknown(one)])) : value;
}
