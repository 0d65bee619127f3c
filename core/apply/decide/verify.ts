/** Looks before something is skipped or updated: is it still there, and as it was? */

import type { ResourceRecord } from "../../contract/index.js";
import { decodeProps, encodeOutput, handlersOf, isLookedAt, readResource } from "../../handler/index.js";
import { type Compared, emitDrift } from "../../run/index.js";
import { adopt, isAdopting } from "../adopt.js";
import { recreate } from "../create.js";
import { replace } from "../replace.js";
import { skip } from "../skip.js";
import { queue } from "../task.js";
import { update, updateSeen } from "../update.js";
import type { Decision } from "./decide.js";
import { asDeclared, driftedPaths, withFound } from "./ignored.js";

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
    const goOn = (): Promise<unknown> => notFound(compared, record, recovering);
    // An update that was interrupted may have given it another name or id, by which the program can say that it is found.
    const isSeen = app.generation.performer.isKnown([compared.encoded]);
    if (!recovering || !isAdopting(compared) || !isSeen) return goOn();
    return adopt(queue(compared, record, "update"), goOn, record);
  }
  const there = await encodeOutput(compared, record.uid, found, record.output);
  const drift = driftedPaths(compared, record.output, there);
  if (drift.length > 0 && app.options.refresh) emitDrift(app, ref, drift);
  if (decision.action === "skip" && drift.length === 0) return skip(compared, record);
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  const given = canUpdate ? await withFound(compared, record, found, there) : compared;
  const task = queue(given, record, canUpdate ? "update" : "replace");
  if (canUpdate) return updateSeen(task, record, found, recovering);
  return replace(task, record, { deleteFirst: false, found: { output: found, isRight: false } });
}

function notFound(compared: Compared, record: ResourceRecord, recovering: boolean): Promise<unknown> {
  const { app, ref } = compared;
  // If a type was asked only for the values of ignored props, its answer does not mean that the resource is gone.
  if (!isLookedAt(compared) && record.deleteFailed === undefined)
    return update(queue(compared, record, "update"), record, recovering);
  if (app.options.refresh) emitDrift(app, ref, undefined);
  return recreate(asDeclared(queue(compared, record, "create"), record), record);
}
