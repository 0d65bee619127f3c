/** The tree of scopes of a run, with how much is in each state below each. */
import { noCounts, type ResourceRow, type RowState, type ScopeNode } from "./row.js";
import type { RunView } from "./view.js";

/** What is nested deeper stands in the deepest scope that is kept. */
const DEEPEST = 64;

/** The scope of a name, and those above it, made where they are not there. */
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

/** The scope that a resource is in. */
export function scopeOf(view: RunView, fqn: string): ScopeNode {
  const end = fqn.lastIndexOf("/");
  return scopeNamed(view, end < 0 ? "" : fqn.slice(0, end));
}

/** Counts a row in its scope and in all above. @param from undefined for a new row */
export function countInScopes(view: RunView, row: ResourceRow, from: RowState | undefined): void {
  for (let node: ScopeNode | undefined = scopeOf(view, row.fqn); node; node = node.parent) {
    if (from !== undefined) node.counts[from]--;
    node.counts[row.state]++;
  }
}
