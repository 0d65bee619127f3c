import { DONE, ignore, isEngineError, raise, unknownValue } from "../base/index.js";
import { hasForeign } from "../codec/index.js";
import { type Encoded, type EventBus, validate } from "../contract/index.js";
import { deleteRecord, refOf } from "../destroy/index.js";
import {
  adoptHint,
  callHandler,
  canLook,
  checkKeepable,
  decodeOutput,
  decodeProps,
  emitFailure,
  emitNotBegun,
  emitStopped,
  encodeOutput,
  type HandlerEnd,
  type HandlerValues,
  handlerFailed,
  isAbsent,
  isTriedAgain,
  keptTokenHint,
  looksFirst,
  notAdoptable,
  perhapsGoneHint,
  stopReason,
  wantsAdoption,
  withAll,
  withRetries,
} from "../handler/index.js";
import { aliasHint } from "../rename/index.js";
import {
  askBeforeApply,
  callAfterwards,
  DestroySignal,
  emitFinished,
  emitSkipped,
  emitStarted,
  movedHere,
  type Operation,
  type Performer,
  tryToRecord,
} from "../run/index.js";
import type { Change, Contents } from "../state/index.js";
import { finishCreate, resumeCreate } from "./create.js";
import { applyContext, deletedFirst, recordResult, updateValues } from "./result.js";
import { updateAgain } from "./update.js";

// Intent, action, result: the only way in which a create, an update or a replace happens.

const FINISHED = {
  create: "resource:created",
  update: "resource:updated",
  replace: "resource:replaced",
  adopt: "resource:adopted",
} as const;

/** Records the intent and, once it is durable, runs the handler; records the result and returns the output. */
async function execute(operation: Operation<"begun">): Promise<unknown> {
  const { app, ref, key, action, options, admission } = operation;
  if (app.calls.beforeApply.used || operation.refuse) await ask(operation);
  if (operation.prepare) await prepare(operation);
  if (isToLookFirst(operation)) await look(operation);
  const admitted = admission.admit(operation);
  if (admitted !== undefined) await admitted;
  refuseMoved(operation);
  app.run.partial.delete(key);
  // Its handler will defer these functions again.
  app.run.deferred.forget(key);
  await app.ledger.commit(intentOf(app.ledger.contents, operation), "now");
  let hasStarted = false;
  let end: HandlerEnd;
  let encoded: Encoded;
  try {
    end = await callOnce(operation, () => {
      hasStarted = true;
      if (!operation.isContinued && operation.tries === 1) emitStarted(app, ref, action, admission);
    });
    if (action === "adopt") refuseReplacing(ref.fqn, end);
    const { uid, output } = operation.record;
    const encoding = end.signal ? null : encodeOutput(operation, uid, end.output, output);
    encoded = encoding instanceof Promise ? await encoding : encoding;
  } catch (error) {
    if (!hasStarted) throw await undo(operation, error);
    if (options.retry !== undefined && (await isTriedAgain(operation, error))) return again(operation, error);
    throw await fail(operation, error);
  }
  if (end.signal) return operation.signalled?.(end.signal);
  const recorded = recordResult(operation, encoded);
  if (action === "update" && end.isUnchanged) {
    app.run.count("unchanged");
    emitSkipped(app, ref);
  } else {
    app.run.count(DONE[action]);
    emitFinished(app, FINISHED[action], ref, admission);
  }
  // A result that cannot be recorded ends the run; the resource has not failed.
  if (recorded !== undefined) await recorded;
  // Decoded, so that the program sees the same in it now as in the next run, and does not share it with the handler.
  const decoding = decodeOutput(operation, { uid: operation.record.uid, output: encoded });
  const output = decoding instanceof Promise ? await decoding : decoding;
  if (app.calls.afterApply.used) {
    await callAfterwards(operation, async () =>
      app.calls.afterApply.call({ ...(await applyContext(operation)), output }),
    );
  }
  return output;
}

/** Calls the handler once more, and resumes the failed call like a run of its own would. */
async function again(failed: Operation<"begun">, error: unknown): Promise<unknown> {
  const { app, key, record, phase, action } = failed;
  failed.hasMadeNothing = hasMadeNothing(failed, error);
  failed.tries++;
  await app.run.renew(key, app.ledger.contents);
  if (phase === "update") return updateAgain(failed);
  return resumeCreate(failed, record, action === "replace" ? action : "create");
}

/** @throws EngineError `INVALID_CALL` if the update of a resource to adopt asks for a replacement */
function refuseReplacing(fqn: string, { signal }: HandlerEnd): void {
  if (signal) throw notAdoptable(fqn, signal instanceof DestroySignal ? [] : signal.forcedBy);
}

/**
 * @throws EngineError `ALIAS_CONFLICT` if a record was moved meanwhile to the name of the resource to create or adopt
 */
function refuseMoved({ app, key, action, phase, record, otherChanges }: Operation<"begun">): void {
  if ((phase !== "create" && action !== "adopt") || record.replaced || otherChanges) return;
  const there = app.ledger.contents.at(key);
  if (there !== undefined && there.uid !== record.uid) throw movedHere(app, key);
}

/** False for a repeated create, for which `read` was called before. */
function isToLookFirst(operation: Operation<"begun">): boolean {
  const { phase, action, recovering, found, record } = operation;
  const isFirst = phase === "create" && action !== "adopt" && !recovering && !found;
  return isFirst && record.claim === undefined && looksFirst(operation);
}

/** Notes for the intent that no resource exists: one that is found after an interruption is then its own. */
async function look(operation: Operation<"begun">): Promise<void> {
  const { app, ref, action, options, record, encoded } = operation;
  const props = await decodeProps(operation, record.uid, encoded);
  const call = (): Promise<boolean> => isAbsent(operation, { props, record });
  const isNothing = await withRetries({ app, ref, action, options, call });
  if (isNothing) operation.record = { ...record, claim: "absent" };
}

/**
 * True if this attempt at a create, and each before it with its token, has reported that it created nothing. Reports of
 * children do not count.
 */
function hasMadeNothing(operation: Operation<"begun">, error: unknown): boolean {
  const { phase, record, ref } = operation;
  if (phase !== "create" || !isEngineError(error, "NOT_CREATED")) return false;
  const isItsOwn = error.fqn === undefined || error.fqn === ref.fqn;
  return isItsOwn && (record.attempt === 1 || operation.hasMadeNothing);
}

async function ask(operation: Operation<"begun">): Promise<void> {
  const { app } = operation;
  try {
    await operation.refuse?.();
    if (app.calls.beforeApply.used) {
      const deletes = deletedFirst(operation).map((record) => refOf(app, record));
      await askBeforeApply(app, await applyContext(operation), deletes);
    }
  } catch (error) {
    const { old } = operation;
    if (!operation.isContinued || !old) throw error;
    // The update that asked for this has changed nothing.
    operation.revert = [{ op: "put", record: old }];
    throw await undo(operation, error);
  }
}

async function prepare(operation: Operation<"begun">): Promise<void> {
  try {
    await operation.prepare?.();
  } catch (error) {
    if (operation.isContinued) emitNotBegun(operation, error);
    throw error;
  }
}

function callOnce(operation: Operation<"begun">, begin: () => void): HandlerEnd | Promise<HandlerEnd> {
  const { phase, recovering, found, changes, options, admission } = operation;
  if (found?.isRight) {
    admission.begin();
    begin();
    admission.end();
    return found;
  }
  return callHandler(operation, {
    phase,
    recovering,
    adopt: wantsAdoption(operation),
    changes: phase === "update" ? changes : undefined,
    timeout: options.timeout,
    values: () => valuesOf(operation),
    check: (values) => checkKeepable(operation, values),
    begin,
    admission,
  });
}

function valuesOf(operation: Operation<"begun">): HandlerValues | Promise<HandlerValues> {
  const { phase, record, old, encoded } = operation;
  if (phase === "update") return updateValues(operation);
  const props = decodeProps(operation, record.uid, encoded);
  // A secret in the old output shows that a password is needed: without it, decoding fails before the handler runs.
  const replaced = old?.output !== undefined && hasForeign(old.output) ? decodeOutput(operation, old) : undefined;
  return withAll([props, replaced], ([all]) => ({ props: all, previous: undefined, output: undefined }));
}

/**
 * Keeps the intent with the error's message, emits the failure, and returns the error to reject with. A failed adoption
 * keeps nothing: the existing resource must not be deleted because of it, and the next adoption finds it again. A
 * stopped handler leaves its intent like a killed run does.
 */
async function fail(operation: Operation<"begun">, error: unknown): Promise<unknown> {
  const { app, ref, action, record } = operation;
  const stopped = stopReason(app, error);
  const failure = stopped ?? handlerFailed(app, action, ref.fqn, error, hint(operation, error));
  if (stopped) emitStopped(app, ref, action);
  else emitFailure(operation, failure);
  const isUnmade = hasMadeNothing(operation, error);
  const message = stopped ? {} : { error: failure.message };
  const keeping: Change = { op: "patch", uid: record.uid, set: isUnmade ? { ...message, claim: "unmade" } : message };
  if (action === "adopt") await tryToRecord(app, revertOf(app.ledger.contents, operation));
  else if (!stopped || isUnmade) await tryToRecord(app, [keeping]);
  if (app.calls.applyFailed.used) {
    await callAfterwards(operation, async () =>
      app.calls.applyFailed.call({ ...(await applyContext(operation)), error: failure }),
    );
  }
  return failure;
}

function hint(operation: Operation<"begun">, error: unknown): string {
  const { ref, action, record, recovering, definition, options, tries } = operation;
  const { deleteFailed } = record;
  if (action === "update" && deleteFailed && !canLook(operation))
    return perhapsGoneHint(deleteFailed, ref.fqn, record, options);
  if (action !== "create") return "";
  if (canLook(operation)) return wantsAdoption(operation) ? "" : adoptHint(error);
  const isRepeated = recovering && definition.idempotent && record.attempt > tries;
  return isRepeated ? keptTokenHint(ref.fqn, record, options) : aliasHint(operation, record);
}

/** Takes the intent back if the handler never started, and returns the error to reject with. */
async function undo(operation: Operation<"begun">, error: unknown): Promise<unknown> {
  const { app } = operation;
  if (operation.isContinued) emitNotBegun(operation, error);
  await tryToRecord(app, revertOf(app.ledger.contents, operation));
  return error;
}

type Intent = Pick<Operation<"begun">, "record" | "otherChanges" | "revert">;

/**
 * Returns the changes of the intent. Created as late as possible, because thousands may wait for durable writes, or for
 * a slot; and a record that was moved meanwhile keeps its present position.
 */
function intentOf(contents: Contents, { record, otherChanges }: Intent): readonly Change[] {
  const own: Change = { op: "put", record: contents.inPlace(record) };
  return otherChanges ? [...inPlace(contents, otherChanges()), own] : [own];
}

/** Returns the changes that take the intent back. */
function revertOf(contents: Contents, { record, revert }: Intent): readonly Change[] {
  return revert ? inPlace(contents, revert) : [{ op: "drop", uid: record.uid }];
}

function inPlace(contents: Contents, changes: readonly Change[]): readonly Change[] {
  return changes.map((one) => (one.op === "put" ? { op: "put", record: contents.inPlace(one.record) } : one));
}

/** Returns the performer that carries out decisions. @param events for all its actions */
export function performer(events: EventBus): Performer {
  return { ...PERFORMER, events };
}

const PERFORMER: Omit<Performer, "events"> = {
  execute,
  finishCreate,
  repeatCreate: async (create) => ({ output: await create() }),
  delete: deleteRecord,
  firstOf: () => undefined,
  rename: ignore,
  keep: ignore,
  refuse: raise,
  deletable: (records) => records,
  validate,
  // Always true, without a check: all values are known.
  isKnown: () => true,
  unknown: unknownValue,
  changing: () => [],
  isExcused: () => false,
};
