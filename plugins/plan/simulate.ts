/** Finds out what an operation would do, without calling a handler that does anything. */

import {
  applyContext,
  asDeclared,
  driftedPaths,
  replaceOnOf,
  replacingPath,
  setAside,
  updateValues,
} from "../../core/apply/index.js";
import { hasMarker, uuid } from "../../core/base/index.js";
import { holdsUnknown, holdsUnknownAt } from "../../core/codec/index.js";
import type { Encoded, PlannedAction, PropertyChange, ResourceRecord } from "../../core/contract/index.js";
import { findDefinition, formerValues, refOf } from "../../core/destroy/index.js";
import {
  canLook,
  checkSecrets,
  decodeOutput,
  decodeProps,
  encodeOutput,
  goodProps,
  handlersOf,
  isElsewhere,
  isLookedAt,
  isSimulated,
  wantsAdoption,
} from "../../core/handler/index.js";
import { descendantsOf, withDescendants } from "../../core/order/index.js";
import { askBeforeApply, type Operation, refuseReplace } from "../../core/run/index.js";
import type { Change } from "../../core/state/index.js";
import { changesBetween, membersAs } from "../internal/render/changes.js";
import { renderValue } from "../internal/render/render-value.js";
import { forecast, knownOutputs, type Outcome, plannedName, renamedText, renamedUnknowns } from "./forecast.js";
import type { Planner } from "./planner.js";
import { reasonOf } from "./reason.js";
import { askAboutOld, plannedDeletion } from "./simulated-delete.js";

const NONE: ReadonlySet<string> = new Set();

/** Notes the operation in the plan instead of carrying it out, and gives what is known of its output. */
export async function simulate(operation: Operation<"begun">, planner: Planner): Promise<unknown> {
  const { app, declared, key, ref, record } = operation;
  const rank = planner.nextRank();
  const before = operation.old ?? app.ledger.contents.at(key);
  const outcome = await forecast(operation, before, planner);
  const { action } = outcome;
  if (action === "unchanged") return unchanged(operation, before, outcome.outputs);
  if (action !== "replace") await operation.refuse?.();
  else if (before) {
    // An update may ask to be replaced.
    Object.assign(operation, asDeclared(operation, before));
    refuseReplace(app, before, operation.options.protect === true);
  }
  const { encoded: planned, uid } = operation;
  const props = await decodeProps(operation, uid, planned);
  if (!holdsUnknown(planned)) checkSecrets(operation, props);
  planner.add(rank, {
    ...ref,
    action,
    reason: app.redact(reasonOf(operation, { ...outcome, action }, asLoaded(planner, before))),
    changes: await propChanges(operation, action, before, props),
    drift: await driftOf(operation, before),
    certain: isCertain(operation, outcome, before),
    mayReplace: mayReplace(operation, outcome, before),
    props: renderValue(props, app.redact),
    ...(action === "replace" && before ? await oldCopy(operation, before, planner) : {}),
  });
  const isFirst = action === "replace" && isDeletedFirst(operation, outcome);
  if (isFirst && before) planner.deleteFirst(rank, { old: before });
  const going = isFirst && before ? withDescendants(app.ledger.contents, before) : [];
  if (app.calls.beforeApply.used) {
    const deletes = going.map((one) => refOf(app, one));
    await askBeforeApply(app, { ...(await applyContext(operation)), action }, deletes);
  }
  await askAboutOld(app, going);
  const output = await outputOf(operation, outcome, props, planner);
  const encoded = await encodeOutput(operation, record.uid, output, record.output);
  const former = action === "update" ? formerValues(before?.output, encoded) : NONE;
  if (before && former.size > 0) planner.deleteFirst(rank, { old: before, former });
  operation.record = settledRecord(operation, record, encoded);
  planner.changing.set(settle(operation, { action, isFirst }, before, planner), ref);
  declared.settle = (placement) =>
    placement.resolved(record.uid, { ready: record.ready, done: placement.doneOf(record) });
  return output;
}

/** With the interrupted delete that a look in this plan has settled: it is a part of the reason. */
function asLoaded({ recorded }: Planner, before: ResourceRecord | undefined): ResourceRecord | undefined {
  const loaded = before && recorded.get(before.uid);
  return loaded?.status === "deleting" ? loaded : before;
}

/** The type changes nothing, though its props are other ones: they are what holds from then on. */
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

/** As if it had been done: what is declared again, or destroyed, is nothing that an interruption has left. */
function settledRecord({ refs }: Operation<"begun">, record: ResourceRecord, output: Encoded): ResourceRecord {
  const { lastGood: _lastGood, error: _error, since: _since, claim: _claim, ...kept } = record;
  return { ...kept, status: "ready", attempt: 0, output, refs: refs.length > 0 ? refs : undefined };
}

/** True where the old copy goes before the new one is made, as far as it can be told. */
function isDeletedFirst({ prepare, options }: Operation<"begun">, { deleteFirst = false }: Outcome): boolean {
  return prepare !== undefined || deleteFirst || options.deleteBeforeReplace === true;
}

interface Settling {
  readonly action: Outcome["action"];
  /** It replaces, and deletes the old copy first. */
  readonly isFirst: boolean;
}

/** In the view of this run alone: so that what comes after sees what it would see. @returns the uid that it has there */
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
    // It may declare again what it has let go of before.
    if (child.dropped) changes.push({ op: "patch", uid: child.uid, unset: ["dropped"] });
  }
  // Its old copy goes as a part of the replace, with its children; nothing is known of new ones.
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

/** A replacement that no attempt has made has no uid of its own yet. */
function renamed(record: ResourceRecord): ResourceRecord {
  return { ...record, uid: uuid() };
}

/** What the delete of the old copy acts on. */
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

async function propChanges(
  operation: Operation<"begun">,
  action: PlannedAction["action"],
  before: ResourceRecord | undefined,
  props: unknown,
): Promise<readonly PropertyChange[]> {
  const { app, changes } = operation;
  if (before === undefined || action === "create" || action === "adopt") return membersAs("new", props, app);
  if (changes.length === 0) return [];
  return changesBetween(changes, await decodeProps(operation, before.uid, goodProps(before)), props, app);
}

/** What is really there, where that is not what is recorded. */
async function driftOf(operation: Operation<"begun">, before: ResourceRecord | undefined) {
  const { app, found, action } = operation;
  if (!found || !before?.output || action === "adopt") return [];
  const encoded: Encoded = await encodeOutput(operation, before.uid, found.output, before.output);
  const paths = driftedPaths(operation, before.output, encoded);
  return changesBetween(paths, await decodeOutput(operation, before), found.output, app);
}

/** True where a handler may ask for that; and where what an interrupted create has left, if anything, may have to go. */
function mayReplace(
  operation: Operation<"begun">,
  { action, isUndecided = false }: Outcome,
  before: ResourceRecord | undefined,
): boolean {
  const { definition, scope, encoded } = operation;
  if (action === "update") {
    return (
      isUndecided ||
      definition.isShortForm ||
      (handlersOf(definition, scope).plan !== undefined && holdsUnknown(encoded))
    );
  }
  if (action !== "create" || before?.status !== "creating" || !canLook(operation) || !holdsUnknown(encoded))
    return false;
  return definition.isShortForm || !handlersOf(definition, scope).update || replaceOnOf(operation).length > 0;
}

/** False where the action follows from nothing but values that are not known yet. */
function isCertain(
  operation: Operation<"begun">,
  { action, forcedBy }: Outcome,
  before: ResourceRecord | undefined,
): boolean {
  const { changes, encoded, found, definition, scope } = operation;
  if (!holdsUnknown(encoded)) return true;
  // Nobody could look whether it is there: for something to adopt, or for what an interrupted create has left. What was made is gone.
  if (action === "create") return before ? before.status !== "creating" : !wantsAdoption(operation);
  // Nor whether it is there still, and as it was.
  if (action === "update" && isLookedAt(operation) && !found) return false;
  if (action === "replace" && before && isElsewhere(before, isSimulated(definition, scope))) return true;
  if (forcedBy.length > 0) return forcedBy.some((at) => !holdsUnknownAt(encoded, at));
  const path = action === "replace" ? replacingPath({ changes, replaceOn: replaceOnOf(operation) }) : undefined;
  if (path !== undefined) return !holdsUnknownAt(encoded, path);
  return changes.some((at) => !holdsUnknownAt(encoded, at));
}

/** The members that the type knows before the handler runs; the others are unknown. */
async function outputOf(
  operation: Operation<"begun">,
  outcome: Outcome,
  props: unknown,
  planner: Planner,
): Promise<unknown> {
  const { app, found, action, phase, record, definition, scope, ref, encoded, uid } = operation;
  const { performer } = app.run;
  if (found?.isRight && action === "adopt") return found.output;
  const { outputs } = handlersOf(definition, scope);
  if (outcome.outputs || !outputs) return performer.unknown(ref.fqn, outcome.outputs);
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
