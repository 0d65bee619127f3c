/** Plans the change of a resource with its provider. */
import { type CtyValue, hasDynamic, withKeptTypes } from "../cty/index.js";
import type { PathStep } from "../protocol/index.js";
import {
  differences,
  impliedType,
  maskForms,
  normalized,
  type ProgramPath,
  planViolations,
  proposedNew,
} from "../schema/index.js";
import { checkDiagnostics, providerFault, refuseViolations, refuseWritten, type Subject } from "./diagnostics.js";

/** A resource as recorded or as found. */
export interface Prior {
  /** null if there is none. */
  readonly value: CtyValue;
  readonly private: Uint8Array;
}

export const NOTHING: Prior = { value: null, private: new Uint8Array() };

export interface Planned {
  readonly action: "create" | "update" | "replace" | "unchanged";
  readonly config: CtyValue;
  readonly prior: Prior;
  readonly planned: CtyValue;
  readonly plannedPrivate: Uint8Array;
  /** Changed props that force a replacement, in the program's names. */
  readonly forcedBy: readonly ProgramPath[];
  readonly isLegacy: boolean;
}

/**
 * Plans a change. For a replacement, the plan is a change of the old resource: the new one is planned separately.
 *
 * @throws EngineError `PROVIDER_REFUSED`, `PROVIDER_FAILED` if the provider breaks the rules of plans
 */
export async function planChange(subject: Subject, given: CtyValue, prior: Prior): Promise<Planned> {
  const { schema } = subject;
  const type = impliedType(schema.block);
  const config = hasDynamic(type) ? withKeptTypes(given, prior.value) : given;
  const validated = await subject.client.validateResource(subject.typeName, { type, value: config }, subject.signal);
  checkDiagnostics(subject, validated.diagnostics);
  const first = await planOnce(subject, config, prior);
  if (prior.value === null) return { ...first, action: "create", forcedBy: [] };
  // A path that leads nowhere, or to an unchanged value, forces nothing.
  const changes = differences(schema.block, prior.value, first.planned, first.requiresReplace);
  const forcedBy = changes.filter(({ forcesReplace }) => forcesReplace).map(({ path }) => path);
  if (forcedBy.length > 0) return { ...first, action: "replace", forcedBy };
  const isSame = changes.length === 0;
  return { ...first, action: isSame ? "unchanged" : "update", forcedBy: [] };
}

interface Proposed extends Omit<Planned, "action" | "forcedBy"> {
  /** In the provider's names. */
  readonly requiresReplace: readonly (readonly PathStep[])[];
}

/** @throws EngineError as {@link planChange} */
export async function planOnce(subject: Subject, config: CtyValue, prior: Prior): Promise<Proposed> {
  const { client, schema, typeName, signal } = subject;
  const type = impliedType(schema.block);
  const proposed = proposedNew(schema.block, prior.value, config);
  const answer = await client.plan(
    { typeName, type, prior: prior.value, proposed, config, priorPrivate: prior.private },
    signal,
  );
  maskForms(config, answer.planned);
  checkDiagnostics(subject, answer.diagnostics, answer.planned);
  const isLegacy = answer.hasLegacyTypes;
  const planned = isLegacy ? normalized(schema.block, answer.planned) : answer.planned;
  if (planned === null) throw providerFault(subject, "plans to delete a declared resource");
  refuseWritten(subject, planned);
  refuseViolations(
    subject,
    isLegacy,
    "plans values that do not match the configuration",
    planViolations(schema.block, prior.value, config, planned),
  );
  const { plannedPrivate, requiresReplace } = answer;
  return { config, prior, planned, plannedPrivate, requiresReplace, isLegacy };
}
