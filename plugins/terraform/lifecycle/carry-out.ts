/** What the handlers of a provider's type do. */
import { EngineError } from "../../../core/base/index.js";
import { pointerOf } from "../../../core/codec/index.js";
import {
  type CreateContext,
  type DeleteContext,
  type HandlerBase,
  PartlyDeleted,
  type UpdateContext,
} from "../../../core/contract/index.js";
import { hasKeyFor } from "../../secrets/sealing.js";
import { holdsSecret } from "../schema/index.js";
import { hidesAny } from "../sensitive/index.js";
import { applyChange, applyDelete, type Outcome } from "./apply-change.js";
import { NOTHING, type Planned, type Prior, planChange, type Subject } from "./change.js";
import { givenFor, refuseIgnoredImport, secretsFor } from "./given.js";
import { forget, priorOf, upgraded } from "./prior.js";
import { moveRecorded } from "./provider-config.js";
import { look } from "./read.js";
import { keep, keepLeft, keepUntried, leftOf } from "./recorded.js";
import { keepSchema } from "./schemas.js";
import { declaredConfig, knownSubject, type Managed, type ManagedOutput, type ManagedProps } from "./subject.js";
import { unsealableIn } from "./unsealable.js";
import { knownOutput, toOutput } from "./values.js";

type Context = HandlerBase & { readonly props: ManagedProps };

/** What an earlier attempt has left, and its provider has called an error, goes first. */
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

/** @throws EngineError `PASSWORD_REQUIRED` before anything is made */
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
  // What the plan keeps to itself is for its own change, of which there is none.
  if (planned.action === "skip") return context.unchanged(await settle(subject, context, prior));
  const outcome = await applyChange(subject, planned);
  return await settle(subject, context, prior.value === null ? withHint(outcome, context) : outcome);
}

/** An update that was interrupted may have renamed it: then nothing is found where it was, and its name is taken by itself. */
function withHint(outcome: Outcome, { fqn, recovering }: Context): Outcome {
  const { failure } = outcome;
  if (!failure || !recovering) return outcome;
  const message = `${failure.message} Nothing is found by the recorded id, so the engine tried to create it. If an interrupted update has renamed it, declare it with \`importId\` and \`adopt: true\`. If it is not yours, run "engine state forget ${fqn}" and give it another name.`;
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

/** The provider says what its failed delete left: that is the output from now on. */
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

/** Where an earlier attempt may have taken effect, it is looked for first: what is gone can be neither changed nor deleted. */
async function presentOf(subject: Subject, context: HandlerBase, output: unknown): Promise<Prior> {
  const prior = await priorOf(subject, context, output);
  return context.recovering && prior.value !== null ? await look(subject, prior) : prior;
}

async function removeLeft(subject: Subject, context: Context): Promise<void> {
  const left = await leftOf(context);
  if (!left) return;
  context.log("What an earlier attempt has left is deleted first.");
  const there = await look(subject, await upgraded(subject, context, left.output, left));
  const secrets = secretsFor(context, subject);
  if (there.value === null) return await keepLeft(context, subject.schema, secrets);
  const outcome = await applyDelete(subject, there);
  await keepLeft(context, subject.schema, secrets, outcome.failure && outcome);
  if (outcome.failure) throw outcome.failure;
}

/** Records what there is now; what a failed change has made is not lost with it. */
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
