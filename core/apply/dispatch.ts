/** Asks for the decision about a declaration, and calls the function that carries it out. */

import type { Action } from "../base/index.js";
import { INTERNALS, isAdoption, type ResourceRecord } from "../contract/index.js";
import { dependentsAhead } from "../destroy/index.js";
import { canLook, isLookedAt, looksFirst } from "../handler/index.js";
import type { Compared, Task } from "../run/index.js";
import { adopt, adoptUnclaimed, isAdopting } from "./adopt.js";
import { create, resumeCreate } from "./create.js";
import { type Decision, decisionFor } from "./decide/decide.js";
import { asDeclared, ignoresProps } from "./decide/ignored.js";
import { verify } from "./decide/verify.js";
import { renewed } from "./new-record.js";
import { replace } from "./replace.js";
import { settleDelete } from "./settle-delete.js";
import { skip } from "./skip.js";
import { queue } from "./task.js";
import { incomplete } from "./unresolved.js";
import { update } from "./update.js";

/** Not asynchronous itself. @param record what is recorded under its key */
export function dispatch(compared: Compared, record: ResourceRecord | undefined): unknown {
  const { app, key } = compared;
  const decision = decisionFor(compared, record);
  const isSeen = app.generation.performer.isKnown([compared.encoded, record?.output]);
  if (record && (decision.action === "skip" || decision.action === "update")) {
    const looks = isLookedAt(compared) || (record.deleteFailed !== undefined && canLook(compared));
    const ahead = looks ? app.generation.refreshed?.take(record.uid, compared.scope) : undefined;
    const isAsked = decision.action === "update" && canLook(compared);
    const asks = looks || (isAsked && (ignoresProps(compared) || (decision.recovering && isAdopting(compared))));
    if (asks && (isSeen || ahead !== undefined)) return verify(compared, record, decision, ahead);
    if (decision.action === "skip") return skip(compared, record);
  }
  if (record && decision.action === "settle-delete") return settleDelete(compared, record);
  if (record && decision.action === "unresolved") throw incomplete(compared, record);
  // At the moment when it is ready, however long it has to wait from here.
  const task = queue(compared, record, record ? actionOf(decision) : "create");
  const admitted = isHeldUp(task, record, decision) ? undefined : task.admission.requestRoom();
  if (admitted === undefined) return change(task, record, decision, isSeen);
  return admitted.then(async () => {
    app.signal.throwIfAborted();
    // It may have been moved meanwhile, or be gone.
    const now = app.ledger.contents.at(key);
    if (record && !now) return create(await renewed(asDeclared(task, record)));
    return change(task, now, decision, isSeen);
  });
}

/**
 * True where a hook, a `read` or a delete comes before the intent, or where a handler has declared the task and lends its slot.
 * What these wait for may itself wait in the admission queue: so the task asks for room after them, right before its intent.
 */
function isHeldUp(compared: Compared, record: ResourceRecord | undefined, decision: Decision): boolean {
  const { app, scope, options } = compared;
  if (scope[INTERNALS].resource || app.calls.beforeApply.used) return true;
  if (decision.action === "replace") {
    return decision.deleteFirst === true || options.deleteBeforeReplace === true || looksFirst(compared);
  }
  if (decision.action === "create") return looksFirst(compared);
  if (decision.action === "update" && record) return dependentsAhead(app, record).length > 0 || isAdopting(compared);
  return decision.action === "resume-create" || isAdopting(compared);
}

/** The action that `resource:queued` names. */
function actionOf({ action }: Decision): Action {
  return action === "update" || action === "replace" ? action : "create";
}

function change(task: Task, record: ResourceRecord | undefined, decision: Decision, isSeen: boolean): unknown {
  if (!record || isAdoption(record)) return isAdopting(task) && isSeen ? adopt(task, () => create(task)) : create(task);
  switch (decision.action) {
    case "create":
    case "skip":
    case "settle-delete":
    case "unresolved":
      return create(task);
    case "unclaimed":
      return adoptUnclaimed(task, record, isSeen);
    case "update":
      return update(task, record, decision.recovering);
    case "replace":
      return replace(task, record, { deleteFirst: decision.deleteFirst === true });
    case "resume-create":
      return isSeen || !canLook(task) ? resumeCreate(task, record) : create(task);
  }
}
