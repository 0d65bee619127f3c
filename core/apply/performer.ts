import { DONE, ignore, isEngineError, raise, unknownValue } from "../base/index.js";
import { hasForeign } from "../codec/index.js";
import { type Encoded, validate } from "../contract/index.js";
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
  stopReason,
  wantsAdoption,
  withAll,
  withRetries,
} from "../handler/index.js";
import { DestroySignal } from "../resource/index.js";
import {
  askBeforeApply,
  callAfterwards,
  type Execution,
  emitFinished,
  emitSkipped,
  emitStarted,
  movedHere,
  type Performer,
  tryToRecord,
} from "../run/index.js";
import type { Change, Contents } from "../state/index.js";
import { finishCreate, resumeCreate } from "./create.js";
import { aliasHint } from "./give-way.js";
import { applyContext, deletedFirst, recordResult, updateValues } from "./result.js";
import { updateAgain } from "./update.js";

// Intent, act, result: the one way in which a create, an update or a replace happens.

const FINISHED = {
  create: "resource:created",
  update: "resource:updated",
  replace: "resource:replaced",
  adopt: "resource:adopted",
} as const;

/** Records the intent, and once it is durable runs the handler; records the result and gives the output. */
async function execute(given: Execution): Promise<unknown> {
  const { task, action } = given;
  const { app, ref, admission } = task;
  const tries = task.tries ?? 1;
  if (app.calls.beforeApply.used || given.refuse) await ask(given);
  if (given.prepare) await prepare(given);
  const input = isToLookFirst(given) ? await looked(given) : given;
  const admitted = admission.admit(task);
  if (admitted !== undefined) await admitted;
  refuseMoved(input);
  app.generation.partial.delete(task.key);
  // Its handler will defer these functions again.
  app.generation.deferred.forget(task.key);
  await app.ledger.commit(intentOf(app.ledger.contents, input), "now");
  let hasStarted = false;
  let end: HandlerEnd;
  let encoded: Encoded;
  try {
    end = await callOnce(input, () => {
      hasStarted = true;
      if (!input.isContinued && tries === 1) emitStarted(app, ref, action, admission);
    });
    if (action === "adopt") refuseReplacing(ref.fqn, end);
    const { uid, output } = input.record;
    const encoding = end.signal ? null : encodeOutput(task, uid, end.output, output);
    encoded = encoding instanceof Promise ? await encoding : encoding;
  } catch (error) {
    if (!hasStarted) throw await undo(input, error);
    if (task.options.retry !== undefined && (await isTriedAgain({ ...task, action, tries }, error)))
      return again(input, hasMadeNothing(input, error));
    throw await fail(input, error);
  }
  if (end.signal) return input.signalled?.(end.signal);
  const recorded = recordResult(input, encoded);
  if (action === "update" && end.isUnchanged) {
    app.generation.count("skipped");
    emitSkipped(app, ref);
  } else {
    app.generation.count(DONE[action]);
    emitFinished(app, FINISHED[action], ref, admission);
  }
  // A result that cannot be recorded ends the run; the resource has not failed.
  if (recorded !== undefined) await recorded;
  // Decoded: the program must not see more in it now than in the next run, nor share it with the handler.
  const decoding = decodeOutput(task, { uid: input.record.uid, output: encoded });
  const output = decoding instanceof Promise ? await decoding : decoding;
  if (app.calls.afterApply.used) {
    await callAfterwards(task, async () => app.calls.afterApply.call({ ...(await applyContext(input)), output }));
  }
  return output;
}

/** Calls the handler once more: what the failed call has left is resumed as in a run of its own. */
async function again(failed: Execution, hasMadeNothing: boolean): Promise<unknown> {
  const { task, record, phase, action } = failed;
  const next = { ...task, tries: (task.tries ?? 1) + 1, hasMadeNothing };
  await task.app.generation.renew(task.key, task.app.ledger.contents);
  if (phase === "update") return updateAgain(next, failed);
  return resumeCreate(next, record, action === "replace" ? action : "create");
}

/** @throws EngineError `INVALID_CALL` if the update of what is to be adopted asks for a replacement */
function refuseReplacing(fqn: string, { signal }: HandlerEnd): void {
  if (signal) throw notAdoptable(fqn, signal instanceof DestroySignal ? [] : signal.forcedBy);
}

/** @throws EngineError `ALIAS_CONFLICT` where something was moved meanwhile to the name of what is to be made, or adopted */
function refuseMoved({ task: { app, key }, action, phase, record, aside }: Execution): void {
  if ((phase !== "create" && action !== "adopt") || record.replaced || aside) return;
  const there = app.ledger.contents.at(key);
  if (there !== undefined && there.uid !== record.uid) throw movedHere(app, key);
}

/** What a repeated create was asked about before, it need not be again. */
function isToLookFirst({ task, phase, action, recovering, found, record }: Execution): boolean {
  const isFirst = phase === "create" && action !== "adopt" && !recovering && !found;
  return isFirst && record.claim === undefined && looksFirst(task);
}

/** Notes in the intent that nothing is there: what is found after an interruption is then its own. */
async function looked(input: Execution): Promise<Execution> {
  const { task, action, record } = input;
  const props = await decodeProps(task, record.uid, task.encoded);
  const isNothing = await withRetries({ ...task, action, call: () => isAbsent({ ...task, props, record }) });
  return isNothing ? { ...input, record: { ...record, claim: "absent" } } : input;
}

/** True if this attempt at a create, and each before it under its token, has said that it made nothing. What a part has said does not count. */
function hasMadeNothing({ task, phase, record }: Execution, error: unknown): boolean {
  if (phase !== "create" || !isEngineError(error, "NOT_CREATED")) return false;
  const isItsOwn = error.fqn === undefined || error.fqn === task.ref.fqn;
  return isItsOwn && (record.attempt === 1 || task.hasMadeNothing === true);
}

async function ask(input: Execution): Promise<void> {
  const { app } = input.task;
  try {
    await input.refuse?.();
    if (app.calls.beforeApply.used) {
      const deletes = deletedFirst(input).map((record) => refOf(app, record));
      await askBeforeApply(app, await applyContext(input), deletes);
    }
  } catch (error) {
    const { old } = input;
    if (!input.isContinued || !old) throw error;
    // The update that asked for this has changed nothing.
    throw await undo({ ...input, revert: [{ op: "put", record: old }] }, error);
  }
}

async function prepare(input: Execution): Promise<void> {
  try {
    await input.prepare?.();
  } catch (error) {
    if (input.isContinued) emitNotBegun({ ...input.task, action: input.action }, error);
    throw error;
  }
}

function callOnce(input: Execution, begin: () => void): HandlerEnd | Promise<HandlerEnd> {
  const { task, phase, record, recovering, found } = input;
  const { app, scope, definition, ref, options } = task;
  if (found?.isRight) {
    task.admission.begin();
    begin();
    task.admission.end();
    return found;
  }
  return callHandler({
    app,
    scope,
    definition,
    ref,
    phase,
    record,
    recovering,
    adopt: wantsAdoption(task),
    changes: phase === "update" ? task.changes : NO_CHANGES,
    timeout: options.timeout,
    isDeclared: true,
    values: () => valuesOf(input),
    check: (values) => checkKeepable({ app, scope, definition, ref, record }, values),
    begin,
    admission: task.admission,
  });
}

function valuesOf(input: Execution): HandlerValues | Promise<HandlerValues> {
  const { task, phase, record, old } = input;
  if (phase === "update") return updateValues(input);
  const props = decodeProps(task, record.uid, task.encoded);
  // A secret in the old output shows that a password is needed: without it, decoding fails before the handler runs.
  const replaced = old?.output !== undefined && hasForeign(old.output) ? decodeOutput(task, old) : undefined;
  return withAll([props, replaced], ([all]) => ({ props: all, previous: undefined, output: undefined }));
}

const NO_CHANGES: readonly string[] = [];

/**
 * Keeps the intent with the error's message, emits the failure, and returns the error to reject with. Of an adoption that failed
 * nothing is kept: what was there before must not be deleted for it, and the next one finds it again. A handler that was stopped
 * leaves its intent as a killed run does.
 */
async function fail(input: Execution, error: unknown): Promise<unknown> {
  const { task, action, record } = input;
  const { app, ref, scope } = task;
  const stopped = stopReason(app, error);
  const failure = stopped ?? handlerFailed(app, action, ref.fqn, error, action === "create" ? hint(input, error) : "");
  if (stopped) emitStopped(app, ref, action);
  else emitFailure({ app, scope, ref, action }, failure);
  const isUnmade = hasMadeNothing(input, error);
  const message = stopped ? {} : { error: failure.message };
  const keeping: Change = { op: "patch", uid: record.uid, set: isUnmade ? { ...message, claim: "unmade" } : message };
  if (action === "adopt") await tryToRecord(app, revertOf(app.ledger.contents, input));
  else if (!stopped || isUnmade) await tryToRecord(app, [keeping]);
  if (app.calls.applyFailed.used) {
    await callAfterwards(task, async () =>
      app.calls.applyFailed.call({ ...(await applyContext(input)), error: failure }),
    );
  }
  return failure;
}

function hint({ task, record, recovering }: Execution, error: unknown): string {
  const isRepeated = recovering && task.definition.idempotent && record.attempt > (task.tries ?? 1);
  if (isRepeated && !canLook(task)) return keptTokenHint(task.ref.fqn, record, task.options);
  if (!canLook(task)) return aliasHint(task, record);
  return wantsAdoption(task) ? "" : adoptHint(error);
}

/** Takes the intent back where the handler never started, and returns the error to reject with. */
async function undo(input: Execution, error: unknown): Promise<unknown> {
  const { app } = input.task;
  if (input.isContinued) emitNotBegun({ ...input.task, action: input.action }, error);
  await tryToRecord(app, revertOf(app.ledger.contents, input));
  return error;
}

/**
 * The intent. Made when it is wanted: thousands may wait for what is durable, or for a slot; and what has been moved meanwhile stays
 * where it stands.
 */
function intentOf(contents: Contents, { record, aside }: Pick<Execution, "record" | "aside">): readonly Change[] {
  const own: Change = { op: "put", record: contents.inPlace(record) };
  return aside ? [...inPlace(contents, aside()), own] : [own];
}

/** What takes the intent back. */
function revertOf(contents: Contents, { record, revert }: Pick<Execution, "record" | "revert">): readonly Change[] {
  return revert ? inPlace(contents, revert) : [{ op: "drop", uid: record.uid }];
}

function inPlace(contents: Contents, changes: readonly Change[]): readonly Change[] {
  return changes.map((one) => (one.op === "put" ? { op: "put", record: contents.inPlace(one.record) } : one));
}

/** Does what is decided. */
export const performer: Performer = {
  acts: true,
  execute,
  finishCreate,
  delete: deleteRecord,
  firstOf: () => undefined,
  rename: ignore,
  keep: ignore,
  refuse: raise,
  deletable: (records) => records,
  validate,
  // Not even looked at: everything is known.
  isKnown: () => true,
  unknown: unknownValue,
  changing: () => [],
  isExcused: () => false,
};
