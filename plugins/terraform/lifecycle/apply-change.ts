/** A change of a resource as its provider carries it out, and what is made of the answer. */
import { EngineError } from "../../../core/base/index.js";
import { type CtyValue, Dynamic, isList, isRecord, isWhollyKnown, recordOf, Unknown } from "../cty/index.js";
import type { AppliedChange, ApplyInput } from "../protocol/index.js";
import { impliedType, maskForms, normalized, resultViolations, withoutWriteOnly } from "../schema/index.js";
import type { Planned, Prior, Subject } from "./change.js";
import { checkDiagnostics, refusal } from "./diagnostics.js";
import { providerFault, refuseViolations, refuseWritten } from "./provider-fault.js";

/** What is there after a change that was tried, and the error of one that has failed. */
export interface Outcome extends Prior {
  readonly failure?: EngineError;
}

/** Carries out what was planned. Rejects where it is not known what has become of it. */
export async function applyChange(
  subject: Subject,
  { planned, plannedPrivate, config, prior }: Planned,
): Promise<Outcome> {
  const { schema, typeName } = subject;
  const type = impliedType(schema.block);
  const answer = await apply(subject, { typeName, type, prior: prior.value, planned, config, plannedPrivate });
  const value = answer.hasLegacyTypes ? normalized(schema.block, answer.value) : answer.value;
  // What is not known after all can be recorded by nobody.
  const outcome = { value: withoutWriteOnly(schema.block, withoutUnknown(value)), private: answer.private };
  maskForms(planned, answer.value);
  const failure = refusal(subject, answer.diagnostics, answer.value);
  if (failure) return { ...outcome, failure };
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  if (!isWhollyKnown(value))
    return { ...outcome, failure: providerFault(subject, "does not say all that it has made") };
  if (value === null)
    return { ...outcome, failure: providerFault(subject, "says that it has made nothing, and no error") };
  try {
    refuseWritten(subject, value);
    refuseViolations(
      subject,
      answer.hasLegacyTypes,
      "made what was not planned",
      resultViolations(schema.block, planned, value),
    );
  } catch (error) {
    if (error instanceof EngineError) return { ...outcome, failure: error };
    throw error;
  }
  return outcome;
}

/** Deletes it. What is left where that has failed is in the outcome. */
export async function applyDelete(subject: Subject, prior: Prior): Promise<Outcome> {
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
    : { ...outcome, failure: providerFault(subject, "says that it is deleted, and what is left of it") };
}

/** Milliseconds in which a provider that was told to stop has to say how far it has come. */
const PATIENCE = 30_000;

/** What is interrupted is told to stop, and goes on to say what it has made. */
async function apply({ client, signal }: Subject, input: ApplyInput): Promise<AppliedChange> {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    client.stop().catch(() => {});
    timer = setTimeout(() => patience.abort(signal.reason), PATIENCE);
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await client.apply(input, patience.signal);
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
