/** Plans deletes, in the view of this run only. */
import { type Definition, isPending, type PlannedDeletion, type ResourceRecord } from "../../core/contract/index.js";
import { type Deletion, forget, prepare, readable, unlink } from "../../core/destroy/index.js";
import {
  decodeOutput,
  decodeProps,
  goodProps,
  handlersFor,
  pendingReason,
  whyNotDeleted,
} from "../../core/handler/index.js";
import { type App, askBeforeDelete, type DeleteReason, type DeleteRequest, retainedOf } from "../../core/run/index.js";
import { digestOfRecord } from "../../core/state/index.js";
import { membersAs } from "../internal/render/changes.js";
import type { Planner } from "./planner.js";

export async function simulateDelete(request: DeleteRequest, planner: Planner): Promise<void> {
  if (request.isRetained) return forget(request);
  const { app, record, reason } = request;
  const rank = planner.nextRank();
  const deletion = await prepare(request);
  const props = await readable(deletion, () => decodeProps(deletion, record.uid, goodProps(record)));
  if (!planner.replacing.has(record.uid)) {
    const output = await readable(deletion, () => decodeOutput(deletion, record));
    const deletes = plannedDeletion(app, planner, record, deletion.definition, { props, output });
    planner.remove(rank, record, deleteReason(record, reason), { props, deletes });
  }
  if (app.calls.beforeDelete.used) await askInPlan(deletion);
  await app.record([{ op: "drop", uid: record.uid }, ...unlink(app, record)]);
}

/** Calls the `beforeDelete` hook for one delete. */
async function askInPlan(deletion: Deletion): Promise<void> {
  const { app, record, ref, scope, reason } = deletion;
  const output = await readable(deletion, () => decodeOutput(deletion, record));
  await askBeforeDelete(app, { ...ref, scope, reason, output });
}

/** Calls the `beforeDelete` hook for an old copy that a replace deletes first. Its children come before it. */
export async function askAboutOld(app: App, records: readonly ResourceRecord[]): Promise<void> {
  if (!app.calls.beforeDelete.used) return;
  const retained = retainedOf(app, records);
  for (const record of [...records].reverse()) {
    if (!retained.has(record.uid)) await askInPlan(await prepare({ app, record, reason: "replaced" }));
  }
}

/** The decoded values of a record. */
interface Values {
  readonly props: unknown;
  readonly output: unknown;
}

/**
 * Returns the delete of a record as the plan lists it.
 *
 * @param definition undefined if its kind is unknown, so that its delete cannot be described
 * @returns undefined if it was not recorded when the plan began
 */
export function plannedDeletion(
  app: App,
  { recorded: asLoaded }: Pick<Planner, "recorded">,
  record: ResourceRecord,
  definition: Definition | undefined,
  values: Values,
): PlannedDeletion | undefined {
  const { uid } = record;
  // Changes by the plan itself, such as a new position, are in no state.
  const recorded = asLoaded.get(uid);
  if (!recorded) return undefined;
  const does = definition && described(record, definition, values);
  return {
    ...(does === undefined ? {} : { does: app.redact(does) }),
    output: membersAs("old", values.output, app),
    uid,
    digest: digestOfRecord(recorded),
  };
}

function described(record: ResourceRecord, definition: Definition, values: Values): string | undefined {
  // An interrupted create has no output, and without one its delete handler is not called.
  if (record.output === undefined) return undefined;
  return handlersFor(definition, record).describeDelete?.(values);
}

function deleteReason(record: ResourceRecord, reason: DeleteReason): string {
  if (isPending(record)) return pendingReason(record);
  const { deleteFailed } = record;
  const why = askedBy(record, reason);
  return deleteFailed ? `${why}; ${whyNotDeleted(deleteFailed)}` : why;
}

function askedBy(record: ResourceRecord, reason: DeleteReason): string {
  switch (reason) {
    case "orphan":
      return record.dropped ? "no longer declared by its parent" : "no longer declared";
    case "replaced":
      return "replaced: an old copy that is not deleted yet";
    case "destroy":
      return "destroyed";
  }
}
