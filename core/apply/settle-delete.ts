/** A resource is declared whose delete was interrupted: `read` decides whether it is there. */

import { isEngineError, timeOfDay } from "../base/index.js";
import type { FailedDeletion, ResourceRecord } from "../contract/index.js";
import { canLook, decodeProps, goodProps, readResource } from "../handler/index.js";
import type { Compared } from "../run/index.js";
import { restored } from "../state/index.js";
import { recreate } from "./create.js";
import { decisionFor } from "./decide/decide.js";
import { verify } from "./decide/verify.js";
import { replace } from "./replace.js";
import { queue } from "./task.js";
import { incomplete, unknownDelete } from "./unresolved.js";

/** @throws EngineError `UNRESOLVED` if the type cannot tell */
export async function settleDelete(compared: Compared, record: ResourceRecord): Promise<unknown> {
  const { app } = compared;
  const { uid } = record;
  const output = await look(compared, record);
  app.signal.throwIfAborted();
  if (output === undefined) return recreate(queue(compared, record, "create"), record);
  // Should it differ, and its change be refused, the next run looks again: the delete may have left a part.
  await app.record([restored(record, unfinished(record))]);
  const there = app.ledger.contents.records.get(uid) ?? record;
  const decision = decisionFor(compared, there);
  if (decision.action === "skip" || decision.action === "update") {
    return verify(compared, there, decision, Promise.resolve(output));
  }
  if (decision.action === "unresolved") throw incomplete(compared, there);
  return replace(queue(compared, there, "replace"), there, { deleteFirst: false });
}

function unfinished({ attempt, error }: ResourceRecord): FailedDeletion {
  return { message: error ?? "The delete was interrupted.", time: timeOfDay(), attempts: attempt };
}

/** The output that `read` gives; undefined if the resource is gone. */
async function look(compared: Compared, record: ResourceRecord): Promise<unknown> {
  const { app, scope } = compared;
  if (!canLook(compared)) throw unknownDelete(compared, record);
  const ahead = app.generation.refreshed?.take(record.uid, scope);
  if (ahead !== undefined) return ahead;
  // The recorded props: in a plan, some of the declared ones may not be known yet.
  const props = await decodeProps(compared, record.uid, goodProps(record));
  try {
    return await readResource({ ...compared, props, record, recovering: false });
  } catch (error) {
    throw isEngineError(error, "UNRESOLVED") ? unknownDelete(compared, record, error) : error;
  }
}
