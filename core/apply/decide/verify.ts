/** For types that are read on every up: is what they are to change or to leave alone still there, and as it was? */

import type { ResourceRecord } from "../../contract/index.js";
import { decodeProps, encodeOutput, handlersOf, readResource } from "../../handler/index.js";
import { type Compared, emitDrift } from "../../run/index.js";
import { recreate } from "../create.js";
import { replace } from "../replace.js";
import { skip } from "../skip.js";
import { queue } from "../task.js";
import { updateSeen } from "../update.js";
import type { Decision } from "./decide.js";
import { changedPaths } from "./diff.js";

/** @param ahead what was seen before the program ran */
export async function verify(
  compared: Compared,
  record: ResourceRecord,
  decision: Extract<Decision, { action: "skip" | "update" }>,
  ahead: Promise<unknown> | undefined,
): Promise<unknown> {
  const { app, definition, scope, ref } = compared;
  const recovering = decision.action === "update" && decision.recovering;
  // `recovering` is false: it says that an interrupted create may have made the thing.
  const props = await decodeProps(compared, record.uid, compared.encoded);
  const found = await (ahead ?? readResource({ ...compared, props, record, recovering: false }));
  if (found === undefined) {
    if (app.options.refresh) emitDrift(app, ref, undefined);
    return recreate(queue(compared, record, "create"), record);
  }
  const there = await encodeOutput(compared, record.uid, found, record.output);
  const drift = changedPaths(record.output, there);
  if (drift.length > 0 && app.options.refresh) emitDrift(app, ref, drift);
  if (decision.action === "skip" && drift.length === 0) return skip(compared, record);
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  const task = queue(compared, record, canUpdate ? "update" : "replace");
  if (canUpdate) return updateSeen(task, record, found, recovering);
  return replace(task, record, { deleteFirst: false, found: { output: found, isRight: false } });
}
