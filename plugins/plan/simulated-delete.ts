/** What a run would delete, in the view of this run alone. */

import type { ResourceRecord } from "../../core/contract/index.js";
import { type Deletion, forget, prepare, readable, unlink } from "../../core/destroy/index.js";
import { decodeOutput, decodeProps, goodProps } from "../../core/handler/index.js";
import { type App, askBeforeDelete, type DeleteRequest, retainedOf } from "../../core/run/index.js";
import { deleteReason, plannedDeletion } from "./planned-deletion.js";
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

/** Asks plugins about one delete. */
async function askInPlan(deletion: Deletion): Promise<void> {
  const { app, record, ref, scope, reason } = deletion;
  const output = await readable(deletion, () => decodeOutput(deletion, record));
  await askBeforeDelete(app, { ...ref, scope, reason, output });
}

/** Asks plugins about the old copy that a replace deletes first, and its children: they go before it. */
export async function askAboutOld(app: App, records: readonly ResourceRecord[]): Promise<void> {
  if (!app.calls.beforeDelete.used) return;
  const retained = retainedOf(app, records);
  for (const record of [...records].reverse()) {
    if (!retained.has(record.uid)) await askInPlan(await prepare({ app, record, reason: "replaced" }));
  }
}
