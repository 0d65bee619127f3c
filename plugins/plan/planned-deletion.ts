/** What a delete will act on, as a plan shows it. */

import { type Definition, isPending, type PlannedDeletion, type ResourceRecord } from "../../core/contract/index.js";
import { handlersFor, pendingReason, whyNotDeleted } from "../../core/handler/index.js";
import type { App, DeleteReason } from "../../core/run/index.js";
import { digestOfRecord } from "../../core/state/index.js";
import { membersAs } from "../internal/render/changes.js";
import type { Planner } from "./planner.js";

/** What is recorded of something, decoded. */
interface Values {
  readonly props: unknown;
  readonly output: unknown;
}

/**
 * @param definition undefined where its kind is not known, and so what its delete does
 * @returns undefined where nothing was recorded of it when the plan was begun
 */
export function plannedDeletion(
  app: App,
  { recorded: asLoaded }: Pick<Planner, "recorded">,
  record: ResourceRecord,
  definition: Definition | undefined,
  values: Values,
): PlannedDeletion | undefined {
  const { uid } = record;
  // What the plan itself has changed since, such as its position, is in no state.
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
  // An interrupted create has no output, and its handler is not called before it has one.
  if (record.output === undefined) return undefined;
  return handlersFor(definition, record).describeDelete?.(values);
}

export function deleteReason(record: ResourceRecord, reason: DeleteReason): string {
  if (isPending(record)) return pendingReason(record);
  const { deleteFailed } = record;
  const why = askedBy(record, reason);
  return deleteFailed ? `${why}; ${whyNotDeleted(deleteFailed)}` : why;
}

function askedBy(record: ResourceRecord, reason: DeleteReason): string {
  switch (reason) {
    case "orphan":
      return record.dropped ? "no longer declared by the resource that it is a part of" : "no longer declared";
    case "replaced":
      return "replaced: an old copy that is not deleted yet";
    case "destroy":
      return "destroyed";
  }
}
