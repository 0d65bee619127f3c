/** Filters the rows of a run. Pure. */
import { byName } from "../../../internal/text/name-order.js";
import type { ResourceRow, RunView, ScopeNode } from "../../model/index.js";
import type { TreeItem } from "../parts/tree-item.js";

export interface RowFilter {
  readonly text: string;
  /** Undefined until the user chooses: what changed or failed, or all if nothing did. */
  readonly state: "all" | "changed" | "active" | "failed" | "queued" | undefined;
  readonly sort: "time" | "took" | "name";
  /** FQN of a scope; empty for all. */
  readonly scope: string;
}

/** Returns the state that is shown. */
export function shownState(view: RunView, { state }: RowFilter): NonNullable<RowFilter["state"]> {
  if (state !== undefined) return state;
  const hasChanges = view.state === "running" || view.rows.some((row) => isIn(row, "changed"));
  return hasChanges ? "changed" : "all";
}

/** Returns milliseconds; a running resource takes until the last event. Undefined for one without a handler call. */
export function tookOf({ duration, startedAt, endedAt }: ResourceRow, until: number): number | undefined {
  return duration ?? (startedAt === undefined ? undefined : (endedAt ?? until) - startedAt);
}

/** Returns indices of rows; undefined: all. */
export function rowsShown(view: RunView, filter: RowFilter): readonly number[] | undefined {
  const shown = matching(view, filter);
  if (filter.sort === "time") return shown;
  const rows = shown ? [...shown] : view.rows.map(({ index }) => index);
  const until = view.until ?? 0;
  const took = (index: number): number => {
    const row = view.rows[index];
    return row ? (tookOf(row, until) ?? -1) : -1;
  };
  const name = (index: number): string => view.rows[index]?.fqn ?? "";
  if (filter.sort === "took") return rows.sort((one, other) => took(other) - took(one) || one - other);
  return byName(rows, name);
}

function matching(view: RunView, filter: RowFilter): number[] | undefined {
  const { text, scope } = filter;
  const state = shownState(view, filter);
  if (text === "" && state === "all" && scope === "") return undefined;
  const words = text.toLowerCase().split(/\s+/);
  const shown: number[] = [];
  const take = (row: ResourceRow | undefined): void => {
    if (!row || !isIn(row, state)) return;
    const name = row.fqn.toLowerCase();
    if (words.every((word) => name.includes(word))) shown.push(row.index);
  };
  const node = view.scopes.get(scope);
  if (scope === "" || !node) for (const row of view.rows) take(row);
  else for (const index of rowsBelow(node)) take(view.rows[index]);
  return shown;
}

function isIn({ state, result }: ResourceRow, wanted: NonNullable<RowFilter["state"]>): boolean {
  switch (wanted) {
    case "all":
      return true;
    case "changed":
      return state !== "looked" && result !== "unchanged" && result !== "read";
    case "active":
      return state === "running" || state === "retrying";
    case "failed":
      return state === "failed" || state === "stopped";
    case "queued":
      return state === "queued";
  }
}

function rowsBelow(node: ScopeNode): readonly number[] {
  const rows: number[] = [];
  const visit = (one: ScopeNode): void => {
    for (const index of one.rows) rows.push(index);
    for (const child of one.children) visit(child);
  };
  visit(node);
  return rows.sort((one, other) => one - other);
}

/** @param isOpen returns true for the FQN of an open scope */
export function scopeItems(view: RunView, isOpen: (fqn: string) => boolean): readonly TreeItem[] {
  const items: TreeItem[] = [
    { id: "", name: "All", level: 1, count: view.rows.length, failed: view.counts.failed, isOpen: undefined },
  ];
  const visit = (node: ScopeNode, level: number): void => {
    const isLeaf = node.children.length === 0;
    const open = isLeaf ? undefined : level === 2 || isOpen(node.fqn);
    const count = Object.values(node.counts).reduce((sum, one) => sum + one, 0);
    items.push({ id: node.fqn, name: node.name, level, count, failed: node.counts.failed, isOpen: open });
    if (open) for (const child of node.children) visit(child, level + 1);
  };
  for (const root of view.roots) visit(root, 2);
  return items;
}
