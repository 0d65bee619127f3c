/** Asks for the decision about a declaration, and calls the function that carries it out. */
import { type Action, EngineError, isEngineError, isSameList, timeOfDay } from "../base/index.js";
import {
  type DeletionCause,
  type FailedDeletion,
  forgetCommand,
  INTERNALS,
  isAdoption,
  type ResourceRecord,
} from "../contract/index.js";
import { dependentsAhead } from "../destroy/index.js";
import {
  canLook,
  decodeOutput,
  decodeProps,
  encodeOutput,
  goodProps,
  handlersOf,
  isLookedAt,
  looksFirst,
  readResource,
  whyNotDeleted,
} from "../handler/index.js";
import { type Compared, type Declaration, emitDrift, emitSkipped, type Task } from "../run/index.js";
import { type Change, restored } from "../state/index.js";
import { adopt, adoptUnclaimed, isAdopting } from "./adopt.js";
import { create, recreate, resumeCreate } from "./create.js";
import { type Decision, decisionFor } from "./decide/decide.js";
import { asDeclared, driftedPaths, ignoresProps, withFound } from "./decide/ignored.js";
import { assignPosition, context, queue, renewed } from "./task.js";
import { replace, update, updateSeen } from "./update.js";

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

/** @throws EngineError `UNRESOLVED` if the type cannot tell */
async function settleDelete(compared: Compared, record: ResourceRecord): Promise<unknown> {
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

/** @param ahead what was seen before the program ran */
async function verify(
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

/** Unchanged and settled: nothing is done, and nothing written unless the program changed what it belongs to. */
function skip(task: Compared, record: ResourceRecord): unknown {
  const { app, ref, declared } = task;
  const rewiring = rewired(task, record);
  // What it refers to now must be deleted after it: so it may have to stand elsewhere in the order.
  if (rewiring.length > 0 || !record.done) assignPosition(task, record);
  else app.generation.placement.reached(record.ready);
  const changes = record.done ? rewiring : [...rewiring, firstDone(task, record)];
  const recorded = changes.length > 0 ? app.record(changes) : undefined;
  declared.settle ??= (placement) => placement.skipped(record.uid);
  app.generation.count("skipped");
  emitSkipped(app, ref);
  const output = decodeOutput(task, record);
  return recorded === undefined ? output : recorded.then(() => output);
}

/** The first `done` of a resource that an interrupted create has made and no run has deleted: it resolves to the program for the first time. */
function firstDone({ app, declared }: Compared, record: ResourceRecord): Change {
  const { uid, ready } = app.ledger.contents.inPlace(record);
  const done = app.generation.placement.doneOf({ uid, ready });
  declared.settle = (placement) => placement.resolved(uid, { ready, done });
  return { op: "patch", uid, set: { done }, unset: ["claim"] };
}

const NONE: readonly Change[] = [];

const NO_REFS: readonly string[] = [];

function rewired(task: Compared, record: ResourceRecord): readonly Change[] {
  const now = context(task);
  const { parent, protect, retain, refs } = now;
  const { dropped, deleteFailed } = record;
  const isSame = record.parent === parent && record.protect === protect && record.retain === retain && !dropped;
  if (isSame && deleteFailed === undefined && isSameList(record.refs ?? NO_REFS, refs ?? NO_REFS)) return NONE;
  const unset: (keyof ResourceRecord)[] = ["dropped", "deleteFailed"];
  for (const name of CONTEXT) if (now[name] === undefined) unset.push(name);
  return [{ op: "patch", uid: record.uid, set: now, unset }];
}

const CONTEXT = ["refs", "parent", "protect", "retain"] as const;

// Errors of declarations that the engine cannot carry out, because it does not know what is there.

type About = Pick<Declaration, "ref" | "options">;

const COMMANDS: Readonly<Record<DeletionCause, string>> = {
  destroy: "which a destroy began,",
  "engine.destroy": "which engine.destroy() began,",
  prune: "which finalize() began because the program no longer declared it,",
  replace: "which a replacement began,",
};

/** A delete was interrupted, and the type cannot tell whether it took effect. */
function unknownDelete({ ref, options }: About, record: ResourceRecord, cause?: unknown): EngineError {
  const { deletion, error } = record;
  const { fqn, kind } = ref;
  const which = deletion ? ` ${COMMANDS[deletion.by]}` : "";
  const why = error === undefined ? "was interrupted" : `did not end (${error})`;
  const whose = cause === undefined ? "has no read to tell" : "cannot tell";
  return new EngineError(
    "UNRESOLVED",
    `The delete of "${fqn}",${which} ${why}. "${kind}" ${whose} whether it took effect. ${twoWays(fqn, record, options)}`,
    { fqn, cause },
  );
}

/** The type has no update to complete what a failed delete, or the delete of a child, has left. */
function incomplete(about: Declaration, record: ResourceRecord): EngineError {
  const { deleteFailed } = record;
  const { fqn, kind } = about.ref;
  if (deleteFailed) {
    const why = canLook(about) ? "no update to complete it" : "neither read nor update to find out what is left";
    const message = `"${fqn}" may be incomplete: ${whyNotDeleted(deleteFailed)}. "${kind}" has ${why}. ${twoWays(fqn, record, about.options)}`;
    return new EngineError("UNRESOLVED", message, { fqn });
  }
  return new EngineError(
    "UNRESOLVED",
    `"${fqn}" is incomplete: one of its children was deleted, or its last update did not end. "${kind}" has no update to complete it. To leave it as it is, run "engine state keep ${fqn}". To make it again, change one of its props, or run "engine destroy --target ${fqn}"; then run up again.`,
    { fqn },
  );
}

function twoWays(...about: Parameters<typeof forgetCommand>): string {
  return `Look for it yourself. If it is gone, run ${forgetCommand(...about)}; if it is there, run "engine state keep ${about[0]}". Then run up again.`;
}
