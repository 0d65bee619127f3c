/** Deletes one record and its real resource. */

import { EngineError } from "../base/index.js";
import {
  type Definition,
  type DeletionCause,
  type Encoded,
  isAdoption,
  outputLeft,
  type ResourceRecord,
} from "../contract/index.js";
import {
  callHandler,
  decodeOutput,
  decodeProps,
  goodProps,
  type HandlerEnd,
  handlersFor,
  isRetaining,
  isTimedOut,
  withRetries,
} from "../handler/index.js";
import { descendantsOf, wholesOf } from "../order/index.js";
import {
  type Admission,
  type App,
  askBeforeDelete,
  callAfterwards,
  type DeleteReason,
  type DeleteRequest,
  emitFinished,
  emitStarted,
  tryToRecord,
} from "../run/index.js";
import { type Change, deletionBegins, deletionUndone, onlyPart, retainName } from "../state/index.js";
import { type Deletion, deleteFailed, failedDelete, leftBy, prepare, readable, refOf } from "./deletion.js";
import { warnOutOfReach } from "./out-of-reach.js";

/**
 * Deletes one resource: intent, handler, result. Its children must be gone. A caller that asks during the delete waits
 * for it.
 *
 * @param admission of this delete; unused if one is under way
 * @throws EngineError `HANDLER_FAILED`, `KIND_UNKNOWN`, or the refusal of a hook
 */
export function deleteOne(request: DeleteRequest, admission: Admission): Promise<void> {
  const { app } = request;
  const { uid } = request.record;
  const { deleting } = app.run;
  const underWay = deleting.get(uid);
  if (underWay !== undefined) return underWay;
  const { contents } = app.ledger;
  const record = contents.records.get(uid);
  if (!record) return Promise.resolve();
  const deleted = app.run.performer.delete({ ...request, record }, admission);
  deleting.set(uid, deleted);
  const over = (): void => void deleting.delete(uid);
  deleted.then(over, over);
  return deleted;
}

/** Deletes one record and its real resource; if it is retained, only the record. */
export function deleteRecord(request: DeleteRequest, admission: Admission): Promise<void> {
  return request.isRetained ? forget(request) : remove(request, admission);
}

/** Removes the record and leaves the real resource as it is: it keeps its name. */
export async function forget(request: DeleteRequest): Promise<void> {
  const { app, record } = request;
  app.signal.throwIfAborted();
  const ref = refOf(app, record);
  const isOwned = !isAdoption(record);
  const names = isOwned ? [retainName(record, app.run.since)] : [];
  const recorded = app.record([
    ...unsettle(request),
    { op: "drop", uid: record.uid },
    ...unlink(app, record),
    ...names,
  ]);
  app.run.count("retained");
  app.run.placement.forget(record.uid);
  const reason = isOwned ? "retainOnDelete" : "its adoption did not finish";
  const why = `${reason}: removed from the state; the real resource stays`;
  app.run.performer.keep(record, why);
  app.events.emit("resource:retained", { ...ref, reason: why });
  if (recorded !== undefined) await recorded;
}

async function remove(request: DeleteRequest, admission: Admission): Promise<void> {
  const { app, record, reason } = request;
  const prepared = prepare(request);
  const deletion = prepared instanceof Promise ? await prepared : prepared;
  const { ref, scope } = deletion;
  const reading = readable(deletion, () => decodeOutput(deletion, record));
  const output = reading instanceof Promise ? await reading : reading;
  if (app.calls.beforeDelete.used && !request.isAsked) {
    await askBeforeDelete(app, { ...ref, scope, reason, output }).catch((error: unknown) => {
      throw deleteFailed(deletion, error);
    });
  }
  app.signal.throwIfAborted();
  // A replacement that deletes first has checked already.
  if (app.run.formerOutputs.size > 0 && (reason !== "replaced" || record.replaced)) {
    await warnOutOfReach(deletion);
  }
  const end = await callDelete(deletion, output, admission);
  const children = end && isRetaining(end) ? descendantsOf(app.ledger.contents, [record.uid]) : [];
  const dropped = [record, ...children].map(({ uid }): Change => ({ op: "drop", uid }));
  const names = children.map((child) => retainName(child, app.run.since));
  const recorded = app.record([...unsettle(request), ...dropped, ...unlink(app, record), ...names]);
  app.run.count("deleted");
  app.run.placement.forget(record.uid);
  emitFinished(app, "resource:deleted", ref, admission);
  if (recorded !== undefined) await recorded;
  if (app.calls.afterDelete.used) {
    await callAfterwards(deletion, () => app.calls.afterDelete.call({ ...ref, scope, reason, output }));
  }
}

/** Returns undefined if the type has no delete, or if its delete threw and `read` finds that the resource is gone. */
async function callDelete(deletion: Deletion, output: unknown, admission: Admission): Promise<HandlerEnd | undefined> {
  const { app, record, ref, scope, definition } = deletion;
  let hasStarted = false;
  const begin = (): void => {
    if (hasStarted) return;
    hasStarted = true;
    emitStarted(app, ref, "delete", admission);
  };
  if (!handlersFor(definition, record).delete) {
    admission.begin();
    begin();
    admission.end();
    return undefined;
  }
  const { uid } = record;
  const recovering = record.status === "deleting" || record.deleteFailed !== undefined;
  const reading = readable(deletion, () => decodeProps(deletion, uid, goodProps(record)));
  const props = reading instanceof Promise ? await reading : reading;
  const options = app.run.optionsOf(record.key) ?? {};
  const { timeout } = options;
  const admitted = admission.admit(deletion);
  if (admitted !== undefined) await admitted;
  const present = (): ResourceRecord => app.ledger.contents.records.get(uid) ?? record;
  let there = output;
  let left: Encoded | undefined;
  let isOpen = false;
  let isLast = true;
  const call = async (tries: number): Promise<HandlerEnd> => {
    isLast = true;
    const before = present();
    const intent = deletionBegins(before, causeOf(app, deletion.reason), app.run.since);
    const part = left === undefined ? [] : [onlyPart(before, left)];
    await app.ledger.commit([intent, ...part, ...unsettle(deletion)], "now");
    try {
      const subject = { app, scope, definition, ref, record: present() };
      const ended = await callHandler(subject, {
        phase: "delete",
        recovering: recovering || tries > 1,
        timeout,
        values: () => ({ props, previous: props, output: there }),
        begin,
        admission,
      });
      return checkDeleted(definition, ended);
    } catch (error) {
      isOpen = app.signal.aborted || isTimedOut(error);
      isLast = !hasStarted;
      throw error;
    }
  };
  try {
    const between = async (error: unknown): Promise<void> => {
      there = outputLeft(error) ?? there;
      left = (await leftBy(deletion, error)) ?? left;
    };
    return await withRetries({ app, ref, action: "delete", options, call, between, isLast: () => isLast });
  } catch (error) {
    if (!hasStarted) {
      // A handler that never ran leaves no intent behind: in the next run the resource may be wanted again.
      await tryToRecord(app, [deletionUndone(record)]);
      throw error;
    }
    const failure = await failedDelete({
      deletion: { ...deletion, record: present() },
      output: there,
      error,
      left,
      isOpen,
    });
    if (failure !== undefined) throw failure;
    return undefined;
  }
}

function causeOf(app: App, reason: DeleteReason): DeletionCause {
  if (reason === "replaced") return "replace";
  if (reason === "orphan") return "prune";
  return app.options.phase === "destroy" ? "destroy" : "engine.destroy";
}

/**
 * @throws EngineError `NOT_DELETED` if one function for all phases did not say that it has deleted: it may have done
 * any other work
 */
function checkDeleted({ isShortForm }: Definition, end: HandlerEnd): HandlerEnd {
  if (!isShortForm || end.signal) return end;
  throw new EngineError(
    "NOT_DELETED",
    'the function of its type returned in the phase "delete" without calling this.destroy(), so the resource was not deleted and its record stays. Begin the function with: if (this.phase === "delete") { …; return this.destroy(); }',
  );
}

/**
 * Marks the ancestors of a deleted child as `updating`. If the run ends now, the next one calls the parent's handler
 * again, and only that handler can restore the child.
 */
function unsettle({ app, record, reason }: Pick<Deletion, "app" | "record" | "reason">): Change[] {
  const { ledger, run } = app;
  const { partial } = run;
  const wholes = wholesOf(ledger.contents.records, record);
  const ready = wholes.filter(({ status }) => status === "ready");
  partial.delete(record.key);
  // A replaced resource is created again in this run: then the ancestors are complete again.
  if (reason === "replaced") for (const { key, uid } of ready) partial.set(key, uid);
  else for (const { key } of wholes) partial.delete(key);
  return ready.map(({ uid, props, done }): Change => {
    const set = { status: "updating", lastGood: { props }, attempt: 0, since: run.since } as const;
    return { op: "patch", uid, set: done === undefined ? { ...set, claim: "own" } : set };
  });
}

/** Removes `replaces` from the record that has replaced an old copy, once that copy is gone. */
export function unlink(app: App, record: ResourceRecord): Change[] {
  const successor = record.replaced ? app.ledger.contents.at(record.key) : undefined;
  return successor?.replaces === record.uid ? [{ op: "patch", uid: successor.uid, unset: ["replaces"] }] : [];
}
