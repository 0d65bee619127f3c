/**
 * Derives the scopes of a stage from its sorted row names: the rows of a scope are adjacent, so a scope is a range.
 * Pure.
 */
import type { TreeItem } from "../parts/tree-item.js";

export interface Scope {
  readonly path: string;
  readonly name: string;
  readonly level: number;
  readonly first: number;
  /** Index after the last row. */
  end: number;
  hasChildren: boolean;
}

export interface Scopes {
  /** Sorted by name, each before those inside it. */
  readonly all: Scope[];
  /** Scopes of the last row, the outermost first. */
  readonly open: Scope[];
  rows: number;
}

const DEEPEST = 64;

export function noScopes(): Scopes {
  return { all: [], open: [], rows: 0 };
}

/** Adds the rows that have arrived since. */
export function extendScopes(scopes: Scopes, paths: readonly string[]): Scopes {
  for (let index = scopes.rows; index < paths.length; index++) {
    const path = paths[index] ?? "";
    while (scopes.open.length > 0 && !path.startsWith(`${scopes.open.at(-1)?.path}/`)) scopes.open.pop();
    let from = scopes.open.at(-1)?.path.length ?? -1;
    for (
      let end = path.indexOf("/", from + 1);
      end >= 0 && scopes.open.length < DEEPEST;
      end = path.indexOf("/", from + 1)
    ) {
      const parent = scopes.open.at(-1);
      if (parent) parent.hasChildren = true;
      const name = path.slice(from + 1, end);
      const scope = {
        path: path.slice(0, end),
        name,
        level: scopes.open.length + 2,
        first: index,
        end: index,
        hasChildren: false,
      };
      scopes.all.push(scope);
      scopes.open.push(scope);
      from = end;
    }
    for (const scope of scopes.open) scope.end = index + 1;
  }
  scopes.rows = paths.length;
  return scopes;
}

/** @param isOpen returns true for the path of an open scope */
export function treeItems(scopes: Scopes, total: number, isOpen: (path: string) => boolean): readonly TreeItem[] {
  const items: TreeItem[] = [{ id: "", name: "All", level: 1, count: total, isOpen: undefined }];
  let closed: string | undefined;
  for (const { path, name, level, first, end, hasChildren } of scopes.all) {
    if (closed !== undefined && path.startsWith(closed)) continue;
    closed = undefined;
    const open = hasChildren ? isOpen(path) : undefined;
    items.push({ id: path, name, level, count: end - first, isOpen: open });
    if (open === false) closed = `${path}/`;
  }
  return items;
}
