/** What a run would delete, in the view of this run alone. */

import { forget, prepare, readable, unlink } from "../destroy/index.js";
import { decodeOutput, decodeProps, goodProps } from "../handler/index.js";
import type { DeleteRequest } from "../run/index.js";
import { askInPlan } from "./ask-in-plan.js";
import { deleteReason, plannedDeletion } from "./planned-deletion.js";
import type { Planner } from "./planner.js";

export async function simulateDelete(doomed: DeleteRequest, planner: Planner): Promise<void> {
  if (doomed.isRetained) return forget(doomed);
  const { app, record, reason } = doomed;
  const turn = planner.turn();
  const deletion = await prepare(doomed);
  const props = await readable(deletion, () => decodeProps(deletion, record.uid, goodProps(record)));
  if (!planner.replacing.has(record.uid)) {
    const output = await readable(deletion, () => decodeOutput(deletion, record));
    const deletes = plannedDeletion(app, planner, record, deletion.definition, { props, output });
    planner.remove(turn, record, deleteReason(record, reason), { props, deletes });
  }
  if (app.calls.beforeDelete.used) await askInPlan(deletion);
  await app.record([{ op: "drop", uid: record.uid }, ...unlink(app, record)]);
}
