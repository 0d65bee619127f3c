/** Items for an order of deletes, and the expected order by definition. */

import { comparePositions, DeletionOrder } from "../../../../core/order/index.js";
import type { Orderable } from "../../../../core/order/order.ts";
import { fc } from "../../../helpers/checks/generated.ts";

export function item(
  uid: string,
  ready: number,
  done: number | undefined,
  more: Pick<Orderable, "refs" | "parent"> = {},
): Orderable {
  return { uid, ready: [ready], done: done === undefined ? undefined : [done], ...more };
}

/** Uids in the order in which they are deleted one at a time. */
export function inTurn(items: readonly Orderable[]): string[] {
  const order = new DeletionOrder(items);
  const uids: string[] = [];
  for (let next = order.next(); next; next = order.next()) {
    uids.push(next.uid);
    order.finished(next.uid);
  }
  return uids;
}

export function goesBefore(x: Orderable, y: Orderable): boolean {
  if (x === y) return false;
  return (y.done !== undefined && comparePositions(y.done, x.ready) < 0) || isExplicit(x, y);
}

export function isExplicit(x: Orderable, y: Orderable): boolean {
  return x !== y && (x.refs?.includes(y.uid) === true || x.parent === y.uid);
}

const resource = fc.record({
  ready: fc.nat(20),
  length: fc.option(fc.integer({ min: 1, max: 12 })),
  refs: fc.array(fc.nat(11), { maxLength: 2 }),
  parent: fc.option(fc.nat(11), { freq: 2 }),
});
/** Arbitrary intervals, with the references that `isFine` allows. */
export function orderables(
  isFine: (from: { ready: number; index: number }, to: { ready: number; index: number }) => boolean,
): fc.Arbitrary<Orderable[]> {
  return fc.array(resource, { maxLength: 12 }).map((all) =>
    all.map(({ ready, length, refs, parent }, index) => {
      const uids = [...refs, ...(parent === null ? [] : [parent])].flatMap((to) => {
        const target = all[to];
        return target && isFine({ ready, index }, { ready: target.ready, index: to }) ? [`${to}`] : [];
      });
      const done = length === null ? undefined : ready + length;
      return item(`${index}`, ready, done, { refs: uids, parent: parent === null ? undefined : uids.at(-1) });
    }),
  );
}
