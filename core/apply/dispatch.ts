/** Gets the decision for a declaration, and calls the function that carries it out. */
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
  whyPending,
} from "../handler/index.js";
import { emitDrift, emitSkipped, type Operation } from "../run/index.js";
import { type Change, restored } from "../state/index.js";
import { adopt, adoptUnclaimed, isAdopting } from "./adopt.js";
import { create, recreate, resumeCreate } from "./create.js";
import { type Decision, decisionFor } from "./decide/decide.js";
import { driftedPaths, ignoresProps, withFound } from "./decide/ignored.js";
import { assignPosition, context, queue, renewed, restoreDeclared } from "./queue.js";
import { replace, update, updateSeen } from "./update.js";

/** A declaration that waits for room for its intent. Few objects each, because all others of a program may wait. */
export class Waiting {
  readonly room: Promise<void>;
  readonly #operation: Operation<"queued">;
  readonly #record: ResourceRecord | undefined;
  readonly #decision: Decision;

  /** @param room resolves when there is room */
  constructor(
    room: Promise<void>,
    operation: Operation<"queued">,
    record: ResourceRecord | undefined,
    decision: Decision,
  ) {
    this.room = room;
    this.#operation = operation;
    this.#record = record;
    this.#decision = decision;
  }

  proceed(): unknown {
    const operation = this.#operation;
    const { app, key } = operation;
    app.signal.throwIfAborted();
    // It may have been moved meanwhile, or be gone.
    const now = app.ledger.contents.at(key);
    if (now || !this.#record) return change(operation, now, this.#decision);
    const created = renewed(restoreDeclared(operation, this.#record));
    return created instanceof Promise ? created.then((one) => create(one)) : create(created);
  }
}

/** Synchronous if possible; returns a {@link Waiting} if it has to wait. @param record the record under its key */
export function dispatch(operation: Operation<"compared">, record: ResourceRecord | undefined): unknown {
  const { app } = operation;
  const decision = decisionFor(operation, record);
  if (record && (decision.action === "unchanged" || decision.action === "update")) {
    const looks = isLookedAt(operation) || (record.deleteFailed !== undefined && canLook(operation));
    const ahead = looks ? app.run.refreshed?.take(record.uid, operation.scope) : undefined;
    const isAsked = decision.action === "update" && canLook(operation);
    const asks = looks || (isAsked && (ignoresProps(operation) || (decision.recovering && isAdopting(operation))));
    if (asks && (ahead !== undefined || isAllKnown(operation, record)))
      return verify(operation, record, decision, ahead);
    if (decision.action === "unchanged") return skip(operation, record);
  }
  if (record && decision.action === "settle-delete") return settleDelete(operation, record);
  if (record && decision.action === "unresolved") throw incomplete(operation, record);
  // When it is ready, whatever it has to wait for after that.
  const queued = queue(operation, record, record ? actionOf(decision) : "create");
  const admitted = isHeldUp(queued, record, decision) ? undefined : queued.admission.requestRoom();
  if (admitted === undefined) return change(queued, record, decision);
  return new Waiting(admitted, queued, record, decision);
}

/**
 * True if a hook, a `read` or a delete comes before the intent, or if a handler has declared the operation and lends
 * its slot. These may themselves wait for operations in the admission queue, so the operation asks for room after them,
 * right before its intent.
 */
function isHeldUp(operation: Operation<"compared">, record: ResourceRecord | undefined, decision: Decision): boolean {
  const { app, scope, options } = operation;
  if (scope[INTERNALS].resource || app.calls.beforeApply.used) return true;
  if (decision.action === "replace") {
    return decision.deleteFirst === true || options.deleteBeforeReplace === true || looksFirst(operation);
  }
  if (decision.action === "create") return looksFirst(operation);
  if (decision.action === "update" && record) return dependentsAhead(app, record).length > 0 || isAdopting(operation);
  return decision.action === "resume-create" || isAdopting(operation);
}

/** Returns the action that `resource:queued` names. */
function actionOf({ action }: Decision): Action {
  return action === "update" || action === "replace" ? action : "create";
}

function isAllKnown({ app, encoded }: Operation<"compared">, record: ResourceRecord | undefined): boolean {
  return app.run.performer.isKnown([encoded, record?.output]);
}

function change(queued: Operation<"queued">, record: ResourceRecord | undefined, decision: Decision): unknown {
  if (!record || isAdoption(record))
    return isAdopting(queued) && isAllKnown(queued, record) ? adopt(queued, () => create(queued)) : create(queued);
  switch (decision.action) {
    case "create":
    case "unchanged":
    case "settle-delete":
    case "unresolved":
      return create(queued);
    case "unclaimed":
      return adoptUnclaimed(queued, record, isAllKnown(queued, record));
    case "update":
      return update(queued, record, decision.recovering);
    case "replace":
      return replace(queued, record, { deleteFirst: decision.deleteFirst === true });
    case "resume-create":
      return !canLook(queued) || isAllKnown(queued, record) ? resumeCreate(queued, record) : create(queued);
  }
}

/** @throws EngineError `UNRESOLVED` if the type cannot tell */
async function settleDelete(operation: Operation<"compared">, record: ResourceRecord): Promise<unknown> {
  const { app } = operation;
  const { uid } = record;
  const output = await look(operation, record);
  app.signal.throwIfAborted();
  if (output === undefined) return recreate(queue(operation, record, "create"), record);
  // If the output differs, and its change is refused, the next run reads again: the delete may have left a part.
  await app.record([restored(record, unfinished(record))]);
  const there = app.ledger.contents.records.get(uid) ?? record;
  const decision = decisionFor(operation, there);
  if (decision.action === "unchanged" || decision.action === "update") {
    return verify(operation, there, decision, Promise.resolve(output));
  }
  if (decision.action === "unresolved") throw incomplete(operation, there);
  return replace(queue(operation, there, "replace"), there, { deleteFirst: false });
}

function unfinished({ attempt, error }: ResourceRecord): FailedDeletion {
  return { message: error ?? "it was interrupted", time: timeOfDay(), attempts: attempt };
}

/** Returns the output of `read`; undefined if the resource is gone. */
async function look(operation: Operation<"compared">, record: ResourceRecord): Promise<unknown> {
  const { app, scope } = operation;
  if (!canLook(operation)) throw unknownDelete(operation, record);
  const ahead = app.run.refreshed?.take(record.uid, scope);
  if (ahead !== undefined) return ahead;
  // The recorded props: in a plan, some of the declared ones may not be known yet.
  const props = await decodeProps(operation, record.uid, goodProps(record));
  try {
    return await readResource(operation, { props, record });
  } catch (error) {
    throw isEngineError(error, "UNRESOLVED") ? unknownDelete(operation, record, error) : error;
  }
}

/** @param ahead the output that was read before the program ran */
async function verify(
  operation: Operation<"compared">,
  record: ResourceRecord,
  decision: Extract<Decision, { action: "unchanged" | "update" }>,
  ahead: Promise<unknown> | undefined,
): Promise<unknown> {
  const { app, definition, scope, ref } = operation;
  const recovering = decision.action === "update" && decision.recovering;
  // `recovering` is false: it says that an interrupted create may have made the resource.
  const props = await decodeProps(operation, record.uid, operation.encoded);
  const found = await (ahead ?? readResource(operation, { props, record }));
  if (found === undefined) {
    const goOn = (): Promise<unknown> => notFound(operation, record, recovering);
    // An interrupted update may have changed its name or id, and the program can give it the new one to be found by.
    const isKnown = app.run.performer.isKnown([operation.encoded]);
    if (!recovering || !isAdopting(operation) || !isKnown) return goOn();
    return adopt(queue(operation, record, "update"), goOn, record);
  }
  const there = await encodeOutput(operation, record.uid, found, record.output);
  const drift = driftedPaths(operation, record.output, there);
  if (drift.length > 0 && app.options.refresh) emitDrift(app, ref, drift);
  if (decision.action === "unchanged" && drift.length === 0) return skip(operation, record);
  const canUpdate = handlersOf(definition, scope).update !== undefined;
  if (canUpdate) operation.encoded = await withFound(operation, record, found, there);
  const queued = queue(operation, record, canUpdate ? "update" : "replace");
  if (canUpdate) return updateSeen(queued, record, found, recovering);
  return replace(queued, record, { deleteFirst: false, found: { output: found, isRight: false } });
}

function notFound(operation: Operation<"compared">, record: ResourceRecord, recovering: boolean): Promise<unknown> {
  const { app, ref } = operation;
  // If a type was read only for the values of ignored props, an empty result does not mean that the resource is gone.
  if (!isLookedAt(operation) && record.deleteFailed === undefined)
    return update(queue(operation, record, "update"), record, recovering);
  if (app.options.refresh) emitDrift(app, ref, undefined);
  return recreate(restoreDeclared(queue(operation, record, "create"), record), record);
}

/** Handles an unchanged, settled resource: writes nothing unless its dependencies or options have changed. */
function skip(queued: Operation<"compared">, record: ResourceRecord): unknown {
  const { app, ref, declared } = queued;
  const rewiring = rewired(queued, record);
  // It must be deleted before its new dependencies, so its position may have to change.
  if (rewiring.length > 0 || !record.done) assignPosition(queued, record);
  else app.run.placement.reached(record.ready);
  const changes = record.done ? rewiring : [...rewiring, firstDone(queued, record)];
  const recorded = changes.length > 0 ? app.record(changes) : undefined;
  declared.settle ??= (placement) => placement.unchanged(record.uid);
  app.run.count("unchanged");
  emitSkipped(app, ref);
  const output = decodeOutput(queued, record);
  return recorded === undefined ? output : recorded.then(() => output);
}

/**
 * Records the first `done` of a resource that an interrupted create has made and no run has deleted: it resolves to the
 * program for the first time.
 */
function firstDone({ app, declared }: Operation<"compared">, record: ResourceRecord): Change {
  const { uid, ready } = app.ledger.contents.inPlace(record);
  const done = app.run.placement.doneOf({ uid, ready });
  declared.settle = (placement) => placement.resolved(uid, { ready, done });
  return { op: "patch", uid, set: { done }, unset: ["claim"] };
}

const NONE: readonly Change[] = [];

const NO_REFS: readonly string[] = [];

function rewired(queued: Operation<"compared">, record: ResourceRecord): readonly Change[] {
  const now = context(queued);
  const { parent, protect, retain, refs } = now;
  const { dropped, deleteFailed } = record;
  const isSame = record.parent === parent && record.protect === protect && record.retain === retain && !dropped;
  if (isSame && deleteFailed === undefined && isSameList(record.refs ?? NO_REFS, refs ?? NO_REFS)) return NONE;
  const unset: (keyof ResourceRecord)[] = ["dropped", "deleteFailed"];
  for (const name of CONTEXT) if (now[name] === undefined) unset.push(name);
  return [{ op: "patch", uid: record.uid, set: now, unset }];
}

const CONTEXT = ["refs", "parent", "protect", "retain"] as const;

// Errors of declarations that the engine cannot carry out, because the condition of the real resource is unknown.

type About = Pick<Operation, "ref" | "options">;

const COMMANDS: Readonly<Record<DeletionCause, string>> = {
  destroy: "which a destroy began,",
  "engine.destroy": "which engine.destroy() began,",
  prune: "which finalize() began because the program no longer declared it,",
  replace: "which a replacement began,",
};

/** The error of an interrupted delete whose outcome the type cannot tell. */
function unknownDelete({ ref, options }: About, record: ResourceRecord, cause?: unknown): EngineError {
  const { deletion, error } = record;
  const { fqn, kind } = ref;
  const which = deletion ? ` ${COMMANDS[deletion.by]}` : "";
  const whose =
    cause === undefined ? `"${kind}" has no read handler that could tell` : `The read handler of "${kind}" cannot tell`;
  return new EngineError(
    "UNRESOLVED",
    `The delete of "${fqn}",${which} ${whyPending(error)}. ${whose} whether it took effect. ${twoWays(fqn, record, options)}`,
    { fqn, cause },
  );
}

/** The error if the type has no update to complete a resource after a failed delete, or after the delete of a child. */
function incomplete(about: Operation, record: ResourceRecord): EngineError {
  const { deleteFailed } = record;
  const { fqn, kind } = about.ref;
  if (deleteFailed) {
    const why = canLook(about)
      ? "no update handler that could complete it"
      : "neither a read nor an update handler that could find out what is left";
    const message = `"${fqn}" may be incomplete: ${whyNotDeleted(deleteFailed)}. "${kind}" has ${why}. ${twoWays(fqn, record, about.options)}`;
    return new EngineError("UNRESOLVED", message, { fqn });
  }
  return new EngineError(
    "UNRESOLVED",
    `"${fqn}" is incomplete: one of its children was deleted, or its last update did not end. "${kind}" has no update handler that could complete it. To leave it as it is, run "engine state keep ${fqn}". To create it again, change one of its props, or run "engine destroy --target ${fqn}". Then run "engine up" again.`,
    { fqn },
  );
}

function twoWays(...about: Parameters<typeof forgetCommand>): string {
  return `Check whether the real resource exists. If it is gone, run ${forgetCommand(...about)}. If it is there, run "engine state keep ${about[0]}". Then run "engine up" again.`;
}
