/** Predicts an operation without calling a handler that changes anything. */

import { applyContext, asDeclared, driftedPaths, setAside, updateValues } from "../../core/apply/index.js";
import { hasMarker, uuid } from "../../core/base/index.js";
import { holdsUnknown } from "../../core/codec/index.js";
import type {
  DefinedHandlers,
  Encoded,
  PlannedAction,
  PropertyChange,
  ResourceRecord,
} from "../../core/contract/index.js";
import { findDefinition, formerValues, refOf } from "../../core/destroy/index.js";
import {
  checkSecrets,
  decodeOutput,
  decodeProps,
  encodeOutput,
  goodProps,
  handlersOf,
  withAll,
} from "../../core/handler/index.js";
import { descendantsOf, withDescendants } from "../../core/order/index.js";
import { askBeforeApply, type Operation, refuseReplace } from "../../core/run/index.js";
import type { Change } from "../../core/state/index.js";
import { changesBetween } from "../internal/render/changes.js";
import { renderValue } from "../internal/render/render-value.js";
import {
  forecast,
  isCertain,
  knownOutputs,
  mayReplace,
  type Outcome,
  plannedName,
  renamedText,
  renamedUnknowns,
} from "./forecast.js";
import type { Planner } from "./planner.js";
import { reasonOf } from "./reason.js";
import { shownProps } from "./shown-props.js";
import { askAboutOld, plannedDeletion } from "./simulated-delete.js";

const NONE: ReadonlySet<string> = new Set();

/** Adds the operation to the plan instead of performing it, and returns the known part of its output. */
export async function simulate(operation: Operation<"begun">, planner: Planner): Promise<unknown> {
  const { app, declared, key, ref, record } = operation;
  const rank = planner.nextRank();
  const before = operation.old ?? app.ledger.contents.at(key);
  // Waits only for promises: each turn of the event loop would cost every resource.
  const forecasting = forecast(operation, before, planner);
  const outcome: Outcome = forecasting instanceof Promise ? await forecasting : forecasting;
  const { action } = outcome;
  if (action === "unchanged") return unchanged(operation, before, outcome.outputs);
  if (action !== "replace") {
    if (operation.refuse) await operation.refuse();
  } else if (before) {
    // An update may ask for a replacement.
    Object.assign(operation, asDeclared(operation, before));
    refuseReplace(app, before, operation.options.protect === true);
  }
  const { encoded: declaredProps, uid } = operation;
  const decoding = decodeProps(operation, uid, declaredProps);
  const props = decoding instanceof Promise ? await decoding : decoding;
  if (!holdsUnknown(declaredProps)) checkSecrets(operation, props);
  const shown = renderValue(props, app.redact);
  const reason = app.redact(reasonOf(operation, { ...outcome, action }, asLoaded(planner, before)));
  const comparing = propChanges(operation, action, before, { props, shown });
  const changes = comparing instanceof Promise ? await comparing : comparing;
  const reading = driftOf(operation, before);
  const drift = reading instanceof Promise ? await reading : reading;
  const planned: PlannedAction = {
    ...ref,
    action,
    reason,
    changes,
    drift,
    certain: isCertain(operation, outcome, before),
    mayReplace: mayReplace(operation, outcome, before),
    props: shown,
  };
  const isReplaced = action === "replace" && before !== undefined;
  planner.addAction(rank, isReplaced ? { ...planned, ...(await oldCopy(operation, before, planner)) } : planned);
  const isFirst = action === "replace" && isDeletedFirst(operation, outcome);
  if (isFirst && before) planner.deleteFirst(rank, { old: before });
  const going = isFirst && before ? withDescendants(app.ledger.contents, before) : [];
  if (app.calls.beforeApply.used) {
    const deletes = going.map((one) => refOf(app, one));
    await askBeforeApply(app, { ...(await applyContext(operation)), action }, deletes);
  }
  if (going.length > 0) await askAboutOld(app, going);
  const predicting = outputOf(operation, outcome, props, planner);
  const output = predicting instanceof Promise ? await predicting : predicting;
  const encoding = encodeOutput(operation, record.uid, output, record.output);
  const encoded = encoding instanceof Promise ? await encoding : encoding;
  const former = action === "update" ? formerValues(before?.output, encoded) : NONE;
  if (before && former.size > 0) planner.deleteFirst(rank, { old: before, former });
  operation.record = settledRecord(operation, record, encoded);
  planner.changing.set(settle(operation, { action, isFirst }, before, planner), ref);
  declared.settle = (placement) =>
    placement.resolved(record.uid, { ready: record.ready, done: placement.doneOf(record) });
  return output;
}

/**
 * Returns the loaded record if this plan settled its interrupted delete by a read, so that the reason mentions the
 * delete.
 */
function asLoaded({ recorded }: Planner, before: ResourceRecord | undefined): ResourceRecord | undefined {
  const loaded = before && recorded.get(before.uid);
  return loaded?.status === "deleting" ? loaded : before;
}

/** Records new props for which the type changes nothing. */
async function unchanged(
  operation: Operation<"begun">,
  before: ResourceRecord | undefined,
  outputs: Outcome["outputs"] = {},
): Promise<unknown> {
  const { app, declared, record, found } = operation;
  const now = Object.keys(outputs).length > 0 ? outputs : found?.output;
  const output = now === undefined ? before?.output : await encodeOutput(operation, record.uid, now);
  const there = output === undefined ? record : settledRecord(operation, record, output);
  void app.record([{ op: "put", record: app.ledger.contents.inPlace(there) }]);
  app.run.count("unchanged");
  declared.settle = (placement) => placement.unchanged(there.uid);
  return await decodeOutput(operation, there);
}

/** Returns the record as if the action had succeeded, so that later declarations and deletes see no interruption. */
function settledRecord({ refs }: Operation<"begun">, record: ResourceRecord, output: Encoded): ResourceRecord {
  // Of the same shape as a new record: two spreads would give each one a shape of its own.
  return {
    ...record,
    lastGood: undefined,
    error: undefined,
    since: undefined,
    claim: undefined,
    status: "ready",
    attempt: 0,
    output,
    refs: refs.length > 0 ? refs : undefined,
  };
}

/** True if the old copy is deleted before the new one is created, as far as the plan can know. */
function isDeletedFirst({ prepare, options }: Operation<"begun">, { deleteFirst = false }: Outcome): boolean {
  return prepare !== undefined || deleteFirst || options.deleteBeforeReplace === true;
}

interface Settling {
  readonly action: Outcome["action"];
  /** True for a replacement that deletes the old copy first. */
  readonly isFirst: boolean;
}

/** Records the outcome in the view of this run only, for the operations that follow. @returns the uid in that view */
function settle(
  operation: Operation<"begun">,
  { action, isFirst }: Settling,
  before: ResourceRecord | undefined,
  planner: Planner,
) {
  const { app, record, ref } = operation;
  const changes: Change[] = [];
  const children = before ? descendantsOf(app.ledger.contents, [before.uid]) : [];
  const why = `child of "${ref.fqn}", whose handler has not run`;
  for (const child of children) {
    planner.leaveOpen(child, why);
    // The handler may declare a child again that it dropped before.
    if (child.dropped) changes.push({ op: "patch", uid: child.uid, unset: ["dropped"] });
  }
  // The replace deletes the old copy with its children. New children are not known.
  if (action === "replace" && before) {
    const replaced = [before, ...children].map((one) => app.ledger.contents.inPlace(one));
    for (const { uid } of replaced) planner.replacing.add(uid);
    if (isFirst) for (const { uid } of replaced) changes.push({ op: "drop", uid });
    else changes.push(...setAside(replaced));
  }
  const there = app.ledger.contents.inPlace(record);
  const settled = record.uid === before?.uid && action === "replace" ? renamed(there) : there;
  changes.push({ op: "put", record: settled });
  void app.record(changes);
  return settled.uid;
}

/** Gives a replacement that was never attempted a uid of its own. */
function renamed(record: ResourceRecord): ResourceRecord {
  return { ...record, uid: uuid() };
}

/** Returns the target of the delete of the old copy. */
async function oldCopy(
  operation: Operation<"begun">,
  before: ResourceRecord,
  planner: Planner,
): Promise<Pick<PlannedAction, "deletes">> {
  const { app, ref } = operation;
  const definition = await findDefinition(app, before.kind, ref.fqn);
  const props = await decodeProps(operation, before.uid, goodProps(before));
  const deletes = plannedDeletion(app, planner, before, definition, {
    props,
    output: await decodeOutput(operation, before),
  });
  return deletes ? { deletes } : {};
}

/** Returns the changes, or a promise of them. @param shown the props as the plan shows them */
function propChanges(
  operation: Operation<"begun">,
  action: PlannedAction["action"],
  before: ResourceRecord | undefined,
  { props, shown }: { readonly props: unknown; readonly shown: unknown },
): readonly PropertyChange[] | Promise<readonly PropertyChange[]> {
  const { app, changes, ref } = operation;
  if (before === undefined || action === "create" || action === "adopt")
    return shownProps("new", { kind: ref.kind, props, rendered: shown }, app);
  if (changes.length === 0) return [];
  const recorded = decodeProps(operation, before.uid, goodProps(before));
  return withAll([recorded], ([one]) => changesBetween(changes, one, props, app));
}

/** Returns the differences between the real output and the recorded one; a promise if there is a real one. */
function driftOf(operation: Operation<"begun">, before: ResourceRecord | undefined) {
  const isFound = operation.found && before?.output && operation.action !== "adopt";
  return isFound ? driftBetween(operation, before) : [];
}

async function driftBetween(operation: Operation<"begun">, before: ResourceRecord) {
  const { app, found } = operation;
  if (!found || !before.output) return [];
  const encoded: Encoded = await encodeOutput(operation, before.uid, found.output, before.output);
  const paths = driftedPaths(operation, before.output, encoded);
  return changesBetween(paths, await decodeOutput(operation, before), found.output, app);
}

/**
 * Returns the output, or a promise of it, with the members that the type knows before the handler runs. The others are
 * unknown.
 */
function outputOf(operation: Operation<"begun">, outcome: Outcome, props: unknown, planner: Planner): unknown {
  const { app, found, action, definition, scope, ref } = operation;
  if (found?.isRight && action === "adopt") return found.output;
  const { outputs } = handlersOf(definition, scope);
  if (outcome.outputs || !outputs) return app.run.performer.unknown(ref.fqn, outcome.outputs);
  return predictedOutput(operation, outcome, props, planner, outputs);
}

async function predictedOutput(
  operation: Operation<"begun">,
  outcome: Outcome,
  props: unknown,
  planner: Planner,
  outputs: NonNullable<DefinedHandlers["outputs"]>,
): Promise<unknown> {
  const { app, phase, record, ref, encoded, uid } = operation;
  const { performer } = app.run;
  const isReplaced = phase === "update" && outcome.action === "replace";
  const output = phase === "update" && !isReplaced ? (await updateValues(operation)).output : undefined;
  const physicalName = plannedName(operation, isReplaced ? undefined : record, planner);
  const isKnown = !holdsUnknown(encoded) && !hasMarker(physicalName);
  const renamed = isKnown
    ? undefined
    : {
        props: await decodeProps(operation, uid, renamedUnknowns(encoded)),
        output,
        physicalName: renamedText(physicalName),
      };
  return performer.unknown(ref.fqn, knownOutputs(outputs, { props, output, physicalName }, renamed));
}
