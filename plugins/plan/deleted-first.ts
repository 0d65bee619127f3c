/** Works out which dependents a plan deletes before a replacement that deletes first, or before an update. Pure. */

import { fqnIn, type PlannedAction, type ResourceRecord, type Scope } from "../../core/contract/index.js";
import { dependentsOf, goingDependents, holdsOne } from "../../core/destroy/index.js";
import { goodProps } from "../../core/handler/index.js";
import { DeletionOrder } from "../../core/order/index.js";
import type { Contents } from "../../core/state/index.js";

/** An action, and when it was found. */
export interface Ranked {
  readonly rank: number;
  readonly action: PlannedAction;
}

/** A replacement that deletes `old` first; with `former`, an update of it that takes these values away. */
export interface Changing {
  readonly old: ResourceRecord;
  readonly former?: ReadonlySet<string>;
}

/**
 * The dependents that the plan replaces or deletes later than it replaces `old`, in the order of their deletes. All others stay: what
 * can be updated, what is decided on before, and what goes on under another name. Before an update only those go whose delete may need one
 * of the former values, with their own dependents: not what is created first, nor what is not certain.
 *
 * @param rank of the replacement, or of the update
 * @param loaded what was recorded when the plan was begun
 * @param isDeletedFirst true for the rank of a replacement that deletes first
 */
export function deletedFirst(
  root: Scope,
  loaded: Contents,
  { rank, old, former }: Changing & { readonly rank: number },
  actions: readonly Ranked[],
  isDeletedFirst: (rank: number) => boolean,
): readonly ResourceRecord[] {
  const later = actions.filter((one) => one.rank > rank && one.action.deletes !== undefined);
  const isGoingNow = (one: Ranked): boolean =>
    one.action.certain && (one.action.action === "delete" || isDeletedFirst(one.rank));
  const all = former ? later.filter(isGoingNow) : later;
  const going = new Map(all.map(({ action }) => [action.deletes?.uid, action.fqn]));
  const isGoing = ({ uid, key }: ResourceRecord): boolean => going.get(uid) === fqnIn(root, key);
  const found = former ? foundBy(loaded, old, former, isGoing) : dependentsOf(loaded, old, isGoing);
  const order = new DeletionOrder(found);
  const sorted: ResourceRecord[] = [];
  for (let next = order.next(); next; next = order.next()) {
    sorted.push(next);
    order.finished(next.uid);
  }
  return sorted;
}

function foundBy(
  loaded: Contents,
  old: ResourceRecord,
  former: ReadonlySet<string>,
  isGoing: (dependent: ResourceRecord) => boolean,
): readonly ResourceRecord[] {
  const direct = goingDependents(loaded, old, isGoing, (one) => holdsOne(goodProps(one), former));
  return [...new Set(direct.flatMap((one) => [one, ...dependentsOf(loaded, one, isGoing)]))];
}
