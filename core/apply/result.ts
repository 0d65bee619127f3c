/** Records the success of a handler. */
import { isSameList } from "../base/index.js";
import type { ApplyContext, Encoded, Position, ResourceRecord } from "../contract/index.js";
import { dependentsAhead, dependentsFirst } from "../destroy/index.js";
import { decodeOutput, decodeProps, goodProps, type HandlerValues, handlersOf, withAll } from "../handler/index.js";
import { withDescendants } from "../order/index.js";
import { type App, isPartial, type Operation, partlyDone } from "../run/index.js";
import { type Change, isNameRetained, releaseName } from "../state/index.js";

/** Records the result of a handler that has succeeded. Returns a promise if the run waits until it is durable. */
export function recordResult(operation: Operation<"begun">, output: Encoded): Promise<void> | undefined {
  const { app, declared, definition, scope, key, action, record: intended } = operation;
  const record = app.ledger.contents.inPlace(intended);
  const { uid, ready } = record;
  const done = app.run.placement.doneOf(record);
  declared.settle = (placement) => placement.resolved(uid, { ready, done });
  const { output: former } = intended;
  if (action === "update" && former !== undefined && former !== output) app.run.formerOutputs.set(uid, former);
  const isLeft = isPartial(app, key, handlersOf(definition, scope));
  if (isLeft) app.run.partial.set(key, uid);
  const own = isLeft ? partlyDone(record, output, done) : wholly(record, output, done);
  const [exact, dropped] = [noLonger(operation, record), drops(app, uid)];
  const released = action === "adopt" ? releases(app, record) : NOTHING;
  const isAll = exact === NOTHING && dropped === NOTHING && released === NOTHING;
  return app.record(isAll ? [own] : [own, ...exact, ...dropped, ...released]);
}

function wholly({ uid, lastGood, claim, deleteFailed }: ResourceRecord, output: Encoded, done: Position): Change {
  const set = { status: "ready", output, attempt: 0, done } as const;
  const settled = lastGood ? SETTLED_UPDATE : SETTLED;
  const isUsual = claim === undefined && deleteFailed === undefined;
  return { op: "patch", uid, set, unset: isUsual ? settled : [...settled, "claim", "deleteFailed"] };
}

const SETTLED: readonly (keyof ResourceRecord)[] = ["error", "since"];

const SETTLED_UPDATE: readonly (keyof ResourceRecord)[] = ["lastGood", ...SETTLED];

const NO_REFS: readonly string[] = [];

const NOTHING: readonly Change[] = [];

/** Former references are not needed any more, because the resource is as declared now. */
function noLonger({ refs }: Operation<"begun">, { uid, refs: meanwhile = NO_REFS }: ResourceRecord): readonly Change[] {
  if (isSameList(meanwhile, refs)) return NOTHING;
  return [refs.length > 0 ? { op: "patch", uid, set: { refs } } : { op: "patch", uid, unset: ["refs"] }];
}

/** Releases the retained name, because a record has it again. */
function releases({ ledger }: App, { physicalName }: ResourceRecord): readonly Change[] {
  return isNameRetained(ledger.contents, physicalName) ? [releaseName(physicalName)] : NOTHING;
}

/**
 * Marks children that the handler has not declared this time. Recorded, because this run may end before it prunes them.
 */
function drops(app: App, uid: string): readonly Change[] {
  const children = app.ledger.contents.childrenOf(uid);
  if (children.length === 0) return NOTHING;
  const left = children.filter(({ key, dropped, replaced }) => !dropped && !replaced && !app.run.isDeclared(key));
  return left.map((child) => ({ op: "patch", uid: child.uid, set: { dropped: true } }));
}

/** Returns the context that hooks and handlers get about an operation. */
export async function applyContext(operation: Operation<"begun">): Promise<ApplyContext> {
  const { action, record, ref, scope, encoded, changes } = operation;
  const isCreate = action === "create";
  return {
    ...ref,
    scope,
    action,
    props: await decodeProps(operation, record.uid, encoded),
    changes: isCreate ? [] : changes,
    output: isCreate ? undefined : await outputOf(operation),
  };
}

/**
 * Returns the records that a replace deletes before it creates: the old copy and dependents, with their children; or
 * those deleted before an update.
 */
export function deletedFirst({ action, prepare, old, record, app }: Operation<"begun">): readonly ResourceRecord[] {
  if (!prepare) return [];
  if (action === "update") return withDescendants(app.ledger.contents, ...dependentsAhead(app, record));
  if (action !== "replace" || !old) return [];
  return withDescendants(app.ledger.contents, old, ...dependentsFirst(app, old));
}

/** Returns the output before the operation: the one that `read` has found, else the recorded one. */
function outputOf(operation: Operation<"begun">): unknown {
  const { record, found, old } = operation;
  return found ? found.output : decodeOutput(operation, old ?? record);
}

/** Returns the values that the handler of an update is called with. */
export function updateValues(operation: Operation<"begun">): HandlerValues | Promise<HandlerValues> {
  const { record, encoded } = operation;
  const props = decodeProps(operation, record.uid, encoded);
  return withAll([props, decodeProps(operation, record.uid, goodProps(record)), outputOf(operation)], (values) => {
    const [all, previous, output] = values;
    return { props: all, previous, output };
  });
}
