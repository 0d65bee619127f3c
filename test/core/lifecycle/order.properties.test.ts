import { describe, expect, test } from "vitest";
import { comparePositions, DeletionOrder } from "../../../core/order/index.js";
import type { Orderable } from "../../../core/order/order.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { goesBefore, inTurn, isExplicit, orderables } from "./order-world/orderables.ts";

/** True if it became ready later, or at the same place and was recorded later. */
function isLater(one: Orderable, other: Orderable, recorded: readonly Orderable[]): boolean {
  const difference = comparePositions(one.ready, other.ready);
  return difference > 0 || (difference === 0 && recorded.indexOf(one) > recorded.indexOf(other));
}

describe("any order", () => {
  const agreeing = orderables(
    (from, to) => from.ready > to.ready || (from.ready === to.ready && from.index > to.index),
  );

  test("starts, of what has nothing left to wait for, the latest; and never anything else", () => {
    fc.assert(
      fc.property(agreeing, fc.infiniteStream(fc.nat(9)), (items, choices) => {
        const order = new DeletionOrder(items);
        const waiting = new Set(items);
        const running: Orderable[] = [];
        const gone = new Set<Orderable>();
        const isFree = (one: Orderable): boolean => items.every((other) => gone.has(other) || !goesBefore(other, one));
        for (;;) {
          const free = [...waiting].filter(isFree);
          const choice = choices.next().value ?? 0;
          if (choice < 5 || running.length === 0) {
            const next = order.next();
            expect(next !== undefined).toBe(free.length > 0);
            if (!next && running.length === 0) break;
            if (!next) continue;
            expect(free).toContain(next);
            expect(free.every((one) => one === next || isLater(next, one, items))).toBe(true);
            waiting.delete(next);
            running.push(next);
          } else {
            const [ended] = running.splice(choice % running.length, 1);
            if (!ended) continue;
            if (choice === 9) order.failed(ended.uid);
            else {
              gone.add(ended);
              order.finished(ended.uid);
            }
          }
        }
        const blocked = order.blocked();
        expect(new Set(blocked.map(({ item: one }) => one))).toEqual(waiting);
        expect(blocked.every(({ item: one, by }) => goesBefore(by, one) && !gone.has(by))).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  test("deletes, where some are left, all that nothing but their place comes before", () => {
    fc.assert(
      fc.property(agreeing, fc.infiniteStream(fc.nat(3)), (items, choices) => {
        const order = new DeletionOrder(items);
        const left = new Set(items.filter(() => choices.next().value === 0));
        for (const { uid } of left) order.leave(uid);
        const gone = new Set<Orderable>();
        const holds = (other: Orderable, one: Orderable): boolean =>
          left.has(other) ? isExplicit(other, one) : goesBefore(other, one);
        const isFree = (one: Orderable): boolean => items.every((other) => gone.has(other) || !holds(other, one));
        for (let next = order.next(); next; next = order.next()) {
          expect(left.has(next)).toBe(false);
          expect(isFree(next)).toBe(true);
          gone.add(next);
          order.finished(next.uid);
        }
        const waiting = items.filter((one) => !gone.has(one) && !left.has(one));
        expect(waiting.filter(isFree)).toEqual([]);
        expect(order.blocked().map(({ item: one }) => one)).toEqual(waiting);
        expect(order.blocked().every(({ item: one, by }) => holds(by, one) && !gone.has(by))).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  test("deletes everything, whatever refers to whatever", () => {
    fc.assert(
      fc.property(
        orderables(() => true),
        (items) => {
          expect(inTurn(items).toSorted()).toEqual(items.map(({ uid }) => uid).toSorted());
        },
      ),
      { numRuns: cases(2_000) },
    );
  });

  test("respects references that contradict the positions, unless they contradict each other", () => {
    fc.assert(
      fc.property(
        orderables((from, to) => from.index > to.index),
        (items) => {
          const uids = inTurn(items);
          const pairs = items.flatMap((x) => items.filter((y) => isExplicit(x, y)).map((y) => [x.uid, y.uid] as const));
          expect(pairs.filter(([x, y]) => uids.indexOf(x) > uids.indexOf(y))).toEqual([]);
        },
      ),
      { numRuns: cases(2_000) },
    );
  });
});
