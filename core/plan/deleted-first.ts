/** Works out which dependents a plan deletes before a replacement that deletes first. Pure. */

import { fqnIn, type PlannedAction, type ResourceRecord, type Scope } from "../contract/index.js";
import { dependentsOf } from "../destroy/index.js";
import { DeletionOrder } from "../order/index.js";
import type { Contents } from "../state/index.js";

/** An action, and when it was found. */
export interface Ranked {
  readonly rank: number;
  readonly action: PlannedAction;
}

/**
 * The dependents that the plan replaces or deletes later than it replaces `old`, in the order of their deletes. All others stay: what
 * can be updated, what is decided on before, and what goes on under another name.
 *
 * @param rank of the replacement
 * @param loaded what was recorded when the plan was begun
 */
export function deletedFirst(
  root: Scope,
  loaded: Contents,
  { rank, old }: { readonly rank: number; readonly old: ResourceRecord },
  actions: readonly Ranked[],
): readonly ResourceRecord[] {
  const later = actions.filter((one) => one.rank > rank && one.action.deletes !== undefined);
  const going = new Map(later.map(({ action }) => [action.deletes?.uid, action.fqn]));
  const found = dependentsOf(loaded, old, ({ uid, key }) => going.get(uid) === fqnIn(root, key));
  const order = new DeletionOrder(found);
  const sorted: ResourceRecord[] = [];
  for (let next = order.next(); next; next = order.next()) {
    sorted.push(next);
    order.finished(next.uid);
  }
  return sorted;
}
