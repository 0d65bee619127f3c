/** Folds events of one resource into its row. */
import type { Action } from "../../../core/base/index.js";
import { changesIn } from "./plan-in.js";
import {
  type Members,
  noCounts,
  numberIn,
  type ResourceRow,
  type RowResult,
  type RowState,
  rowKey,
  type ScopeNode,
  textIn,
  textsIn,
} from "./row.js";
import type { Failed, RunView } from "./view.js";

/** The most rows; events of further resources are only counted. */
const MOST_ROWS = 250_000;

const MOST_RETRIES = 20;

const ACTIONS: readonly Action[] = ["create", "update", "replace", "adopt", "read", "unchanged", "delete"];

const ENDED: readonly RowState[] = ["done", "failed", "stopped"];

/**
 * Returns the row of an event, and creates it if necessary. Returns undefined if the event has no name, or there are
 * too many rows.
 */
export function rowFor(
  view: RunView,
  event: Members,
  at: number,
  isDelete = isDeletion(event),
): ResourceRow | undefined {
  const fqn = textIn(event, "fqn");
  if (fqn === undefined) return undefined;
  const key = rowKey({ fqn, isDelete });
  const known = view.rowsByKey.get(key);
  if (known) return known;
  if (view.rows.length >= MOST_ROWS) {
    view.rowsLeft++;
    return undefined;
  }
  const row = newRow(view.rows.length, fqn, isDelete, event, at);
  view.rows.push(row);
  view.rowsByKey.set(key, row);
  view.counts[row.state]++;
  scopeOf(view, fqn).rows.push(row.index);
  countInScopes(view, row, undefined);
  return row;
}

function newRow(index: number, fqn: string, isDelete: boolean, event: Members, at: number): ResourceRow {
  return {
    index,
    fqn,
    isDelete,
    kind: textIn(event, "kind") ?? "",
    action: undefined,
    state: "looked",
    result: undefined,
    seenAt: at,
    queuedAt: undefined,
    startedAt: undefined,
    endedAt: undefined,
    recordedAt: undefined,
    duration: undefined,
    retries: [],
    retried: 0,
    logged: 0,
    failure: undefined,
    reason: undefined,
    drift: undefined,
    isQuiet: event.quiet === true,
    version: 0,
  };
}

function isDeletion(event: Members): boolean {
  return event.action === "delete" || event.type === "resource:deleted" || event.type === "resource:retained";
}

function actionIn(event: Members): Action | undefined {
  return ACTIONS.find((one) => one === event.action);
}

export function queued(view: RunView, event: Members, at: number): void {
  const row = rowFor(view, event, at);
  if (!row || !canBegin(row, at, ["looked"])) return;
  row.queuedAt = at;
  row.action = actionIn(event);
  enter(view, row, "queued");
}

export function started(view: RunView, event: Members, at: number): void {
  const row = rowFor(view, event, at);
  if (!row || !canBegin(row, at, ["looked", "queued", "running"])) return;
  const waited = numberIn(event, "waited");
  if (row.queuedAt === undefined && waited !== undefined && waited > 0) row.queuedAt = at - waited;
  row.startedAt ??= at;
  row.action = actionIn(event);
  enter(view, row, "running");
}

/**
 * A row that has ended starts again only with an event that is later than its end: other events are late or repeated.
 */
function canBegin(row: ResourceRow, at: number, before: readonly RowState[]): boolean {
  if (before.includes(row.state)) return true;
  if (!ENDED.includes(row.state) || row.endedAt === undefined || at <= row.endedAt) return false;
  row.queuedAt = row.startedAt = row.endedAt = row.recordedAt = row.duration = undefined;
  row.result = row.failure = row.reason = undefined;
  return true;
}

export function retrying(view: RunView, event: Members, at: number): void {
  const row = rowFor(view, event, at);
  if (!row || ENDED.includes(row.state)) return;
  const retry = {
    at,
    delay: Math.max(0, numberIn(event, "delay") ?? 0),
    attempt: numberIn(event, "attempt") ?? row.retried + 2,
    attempts: numberIn(event, "attempts") ?? 0,
    message: textIn(event, "message") ?? "",
  };
  row.retries = [...row.retries.slice(1 - MOST_RETRIES), retry];
  row.retried++;
  row.startedAt ??= at;
  row.action ??= actionIn(event);
  enter(view, row, "retrying");
}

export function finished(view: RunView, event: Members, at: number, result: RowResult): void {
  const row = rowFor(view, event, at);
  if (!row || (row.state === "done" && row.result === result)) return;
  row.result = result;
  row.duration = numberIn(event, "duration");
  row.reason = textIn(event, "reason");
  row.failure = undefined;
  row.endedAt = at;
  const isByHandler = result !== "unchanged" && result !== "read" && result !== "retained";
  if (isByHandler) {
    row.startedAt ??= at - (row.duration ?? 0);
    view.unrecorded.push(row);
  }
  enter(view, row, "done");
}

export function failed(view: RunView, event: Members, at: number, failure: Failed): void {
  const row = rowFor(view, event, at);
  if (!row) return;
  row.failure = failure;
  row.action = actionIn(event) ?? row.action;
  row.endedAt = at;
  row.result = undefined;
  enter(view, row, "failed");
}

/** @param failure the error that the handler threw when it was stopped */
export function stopped(view: RunView, event: Members, at: number, failure?: Failed): void {
  const row = rowFor(view, event, at);
  if (!row || row.state === "done" || row.state === "failed") return;
  row.action = actionIn(event) ?? row.action;
  row.failure = failure;
  row.endedAt = at;
  enter(view, row, "stopped");
}

export function looked(view: RunView, event: Members, at: number): void {
  const row = rowFor(view, event, at);
  view.toLook = numberIn(event, "total") ?? view.toLook;
  if (row) row.version++;
}

export function drifted(view: RunView, event: Members, at: number): void {
  const row = rowFor(view, event, at);
  if (!row) return;
  if (!row.drift) view.drifted++;
  row.drift = { gone: event.gone === true, paths: textsIn(event, "paths"), changes: changesIn(event, "changes") };
  row.version++;
}

/** Changes are durable now: rows that have ended are recorded. */
export function recorded(view: RunView, at: number): void {
  for (const row of view.unrecorded.splice(0)) {
    row.recordedAt ??= Math.max(at, row.endedAt ?? at);
    row.version++;
  }
}

function enter(view: RunView, row: ResourceRow, state: RowState): void {
  const from = row.state;
  row.version++;
  if (from === state) return;
  row.state = state;
  view.counts[from]--;
  view.counts[state]++;
  countInScopes(view, row, from);
  const isActive = state === "running" || state === "retrying";
  if (isActive) view.active.add(row);
  else view.active.delete(row);
}

/** Deeper names belong to the deepest scope that is kept. */
const DEEPEST = 64;

/** Returns the scope of a name, and creates it and those above it if necessary. */
export function scopeNamed(view: RunView, fqn: string): ScopeNode {
  const known = view.scopes.get(fqn);
  if (known) return known;
  const parts = fqn.split("/", DEEPEST + 1);
  let node: ScopeNode | undefined;
  let path = "";
  // App and stage are the name of the root.
  for (let count = Math.min(2, parts.length); count <= Math.min(parts.length, DEEPEST); count++) {
    path = node ? `${path}/${parts[count - 1]}` : parts.slice(0, count).join("/");
    node = view.scopes.get(path) ?? addScope(view, path, node);
  }
  return node ?? addScope(view, fqn, undefined);
}

function addScope(view: RunView, fqn: string, parent: ScopeNode | undefined): ScopeNode {
  const name = parent ? fqn.slice(parent.fqn.length + 1) : fqn;
  const node: ScopeNode = { fqn, name, parent, children: [], rows: [], counts: noCounts() };
  view.scopes.set(fqn, node);
  (parent ? parent.children : view.roots).push(node);
  return node;
}

/** Returns the scope of a resource. */
function scopeOf(view: RunView, fqn: string): ScopeNode {
  const end = fqn.lastIndexOf("/");
  return scopeNamed(view, end < 0 ? "" : fqn.slice(0, end));
}

/** Counts a row in its scope and all scopes above. @param from undefined for a new row */
function countInScopes(view: RunView, row: ResourceRow, from: RowState | undefined): void {
  for (let node: ScopeNode | undefined = scopeOf(view, row.fqn); node; node = node.parent) {
    if (from !== undefined) node.counts[from]--;
    node.counts[row.state]++;
  }
}
