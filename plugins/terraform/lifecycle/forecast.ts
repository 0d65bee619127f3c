/** Predicts the outcome of a change by a plan of the provider. */
import { pointerOf } from "../../../core/codec/index.js";
import type { Forecast, PlanContext } from "../../../core/contract/index.js";
import { sealedProps } from "../sensitive/index.js";
import { NOTHING, planChange, planOnce } from "./change.js";
import { givenFor, refuseIgnoredImport, secretsFor } from "./given.js";
import { priorOf } from "./read.js";
import { declaredConfig, type Managed, type ManagedOutput, type ManagedProps, subjectOf } from "./subject.js";
import { knownOutput } from "./values.js";

export async function forecast(
  managed: Managed,
  context: PlanContext<ManagedOutput, ManagedProps>,
): Promise<Forecast<ManagedOutput>> {
  // The plan shows previous props, which an earlier version may have recorded in the clear.
  if (managed.schema) sealedProps(managed.schema.block, context.previous);
  if (context.output === undefined) refuseIgnoredImport(context);
  const subject = await subjectOf(managed, context);
  if (!subject) return {};
  const { block } = subject.schema;
  const config = declaredConfig(managed, subject, context);
  const prior = context.output ? await priorOf(subject, context, context.output) : NOTHING;
  const { action, forcedBy, planned: change } = await planChange(subject, config, prior);
  const planned = action === "replace" ? (await planOnce(subject, config, NOTHING)).planned : change;
  const outputs = knownOutput(block, planned, { fqn: context.fqn, secrets: secretsFor(context, subject) });
  if (action === "create") return { outputs };
  const deleteFirst = action === "replace" && givenFor(context).createBeforeDestroy !== true;
  return { action, deleteFirst, outputs, forcedBy: forcedBy.map(pointerOf) };
}
