/** Earlier names of scopes: what is recorded under one is the scope's that has it for an alias. */

import { below } from "../base/index.js";
import { folderOf, INTERNALS, idOf, type ResourceRecord, refIn, type Scope, scopeOwner } from "../contract/index.js";
import { findOrphans } from "../order/index.js";
import type { App } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import type { Change } from "../state/index.js";
import { moveTo, takenPlace } from "./apply-alias.js";
import { movedValue, renamed } from "./rebind-record.js";

/** Of its data what it has under a name already stays; what is recorded of that name under an earlier one stays there. */
export async function enterByAlias(app: App, scope: Scope): Promise<void> {
  const { path, formerPaths } = scope[INTERNALS];
  const to = scopeOwner(path);
  const changes: Change[] = [];
  const taken = new Set(app.ledger.contents.data.get(to)?.keys());
  for (const owner of formerPaths.map(scopeOwner)) {
    for (const [key, value] of app.ledger.contents.data.get(owner) ?? []) {
      if (taken.has(key)) continue;
      taken.add(key);
      app.ledger.readData(owner, key);
      changes.push({ op: "data", owner: to, key, value: await movedValue(app, owner, to, key, value) });
      changes.push({ op: "data", owner, key });
    }
  }
  if (changes.length > 0) await app.record(changes);
}

/**
 * What the program no longer declares in a scope, and what stays all the same because the scope keeps its orphans, goes on under the
 * present name of the scope: without the alias nobody would know then that it is to stay.
 */
export async function applyKeptAlias(app: App, path: string): Promise<void> {
  const { heirs } = app.generation.aliases;
  if (heirs.size === 0) return;
  const { contents } = app.ledger;
  const inside = below(path);
  const isDeclared = (key: string): boolean =>
    app.generation.isDeclared(key) || app.generation.bounds.selection?.holds(key) === true;
  const isKept = ({ key, parent }: ResourceRecord): boolean =>
    parent === undefined && !scopeAt(app, folderOf(key)).destroyOrphans;
  for (const record of findOrphans(contents.records, isDeclared).filter(isKept)) {
    const key = presentKey(heirs, record.key);
    if (key === undefined || !inside(folderOf(key)) || contents.at(key)) continue;
    if (takenPlace(app, { key }, record.key) !== undefined) continue;
    const ref = refIn(scopeAt(app, folderOf(key)), record.kind, idOf(key));
    await moveTo(app, { ref, key, isPart: false }, record.key);
  }
}

/** True for paths at or below that of a scope, and for those where what is in it was under earlier names. */
export function belowPresent({ generation: { aliases } }: App, path: string): (other: string) => boolean {
  const former = [...aliases.heirs].flatMap(([one, heir]) => (below(path)(heir[INTERNALS].path) ? one : []));
  const all = [path, ...former].map(below);
  return (other) => all.some((isBelow) => isBelow(other));
}

/** The name that something has now that was recorded in a scope, or in one inside of it, under an earlier name. */
function presentKey(heirs: ReadonlyMap<string, Scope>, key: string): string | undefined {
  for (let folder = folderOf(key); folder !== ""; folder = folderOf(folder)) {
    const heir = heirs.get(folder);
    if (heir) return renamed(key, folder, heir[INTERNALS].path);
  }
  return undefined;
}
