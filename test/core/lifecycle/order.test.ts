import { describe, expect, test } from "vitest";
import type { Position } from "../../../core/contract/index.js";
import { comparePositions, DeletionOrder } from "../../../core/order/index.js";
import type { Orderable } from "../../../core/order/order.js";
import { between } from "../../../core/order/positions.js";
import { inTurn, item } from "./order-world/orderables.ts";

/** Uids whose deletes may start at once, without waiting for another delete. */
function startable(order: DeletionOrder<Orderable>): string[] {
  const uids: string[] = [];
  for (let next = order.next(); next; next = order.next()) uids.push(next.uid);
  return uids;
}

describe("the order of deletes", () => {
  test.each<[string, Orderable[], string[]]>([
    ["is empty where nothing is to be deleted", [], []],
    ["begins with what became ready last", [item("a", 1, 2), item("b", 3, 4), item("c", 5, 6)], ["c", "b", "a"]],
    ["takes the latest first of what overlaps", [item("b", 2, 8), item("c", 3, 7), item("a", 1, 9)], ["c", "b", "a"]],
    [
      "takes the last recorded first of what became ready at one place, whichever was done first",
      [item("a", 1, 5), item("b", 1, 2), item("c", 1, 4), item("d", 1, 3), item("e", 1, 6), item("f", 1, undefined)],
      ["f", "e", "d", "c", "b", "a"],
    ],
    ["puts a reference before what it refers to", [item("a", 3, 9, { refs: ["b"] }), item("b", 4, 8)], ["a", "b"]],
    ["puts children before their parent", [item("a", 1, 9), item("b", 2, 3, { parent: "a" })], ["b", "a"]],
    ["does not wait before a resource that was never done", [item("a", 1, undefined), item("b", 3, 4)], ["b", "a"]],
    [
      "knows a reference to what stays, to itself, twice",
      [item("a", 1, 2, { refs: ["x", "a", "b", "b"], parent: "b" }), item("b", 1, 2)],
      ["a", "b"],
    ],
  ])("%s", (_, items, expected) => {
    expect(inTurn(items)).toEqual(expected);
  });

  test("takes no notice of an end that had no beginning, or came twice", () => {
    const refs = ["a"];
    const order = new DeletionOrder([item("a", 1, 9), item("b", 2, 9, { refs }), item("c", 3, 9, { refs })]);
    order.finished("b");
    order.finished("unknown");
    expect(startable(order)).toEqual(["c", "b"]);
    order.finished("c");
    order.finished("c");
    order.failed("c");
    expect(order.next()).toBeUndefined();
    order.finished("b");
    expect(startable(order)).toEqual(["a"]);
    order.finished("a");
    expect(order.blocked()).toEqual([]);
  });
});

describe("references that contradict the positions", () => {
  test("wait for what is under way, and stay where that fails", () => {
    const order = new DeletionOrder([
      item("a", 1, 2, { refs: ["b"] }),
      item("b", 3, 4),
      item("c", 5, 6, { refs: ["a"] }),
    ]);
    expect(startable(order)).toEqual(["c"]);
    order.failed("c");
    expect(order.next()).toBeUndefined();
    expect(order.blocked().map(({ item, by }) => `${item.uid} by ${by.uid}`)).toEqual(["a by c", "b by a"]);
  });
});

describe("20,000 items", () => {
  const count = 20_000;

  /** Items whose reads of positions and references are counted. */
  function counted(more: (index: number) => Partial<Orderable>): { items: Orderable[]; looks: () => number } {
    let looks = 0;
    const items = Array.from({ length: count }, (_, index): Orderable => {
      const { done = [2 * index + 1], refs } = more(index);
      const look = <T>(value: T): T => {
        looks++;
        return value;
      };
      return {
        uid: `${index}`,
        get ready() {
          return look([2 * index]);
        },
        get done() {
          return look(done);
        },
        get refs() {
          return look(refs);
        },
      };
    });
    return { items, looks: () => looks };
  }

  test.each<[string, (index: number) => Partial<Orderable>]>([
    ["one after the other", () => ({})],
    ["all at once", (index) => ({ done: [3 * count + index] })],
    ["each referring to the one before", (index) => ({ refs: [`${index - 1}`] })],
    ["each referring to the one after", (index) => ({ refs: [`${index + 1}`] })],
  ])("are ordered without looking at each more often than a sort would: %s", (_, more) => {
    const { items, looks } = counted(more);
    expect(inTurn(items)).toHaveLength(count);
    expect(looks()).toBeLessThan(200 * count);
  });

  test("are found to be blocked by a few looks at each", () => {
    const { items, looks } = counted(() => ({}));
    const order = new DeletionOrder(items);
    order.failed(order.next()?.uid ?? "");
    const before = looks();
    expect(order.blocked()).toHaveLength(count - 1);
    expect(looks() - before).toBeLessThan(10 * count);
  });
});

describe("positions", () => {
  test.each<[Position, Position]>([
    [[], [0]],
    [[-1], [0]],
    [[1], [1, -5]],
    [[1, 9], [2]],
    [
      [1, -1],
      [1, 0],
    ],
    [[9], [10]],
  ])("%j comes before %j", (a, b) => {
    expect(comparePositions(a, b)).toBeLessThan(0);
    expect(comparePositions(b, a)).toBeGreaterThan(0);
    expect(comparePositions(a, [...a])).toBe(0);
  });

  test.each<[Position, Position | undefined, Position]>([
    [[], undefined, [0]],
    [[], [0], [-1]],
    [[3], undefined, [4]],
    [[3], [5], [4]],
    [[3], [4], [3, 0]],
    [[3, 0], [4], [3, 1]],
    [[3], [3, 0], [3, -1]],
    [
      [3, -1],
      [3, 0],
      [3, -1, 0],
    ],
    [[3, 7, 1], [5], [4]],
  ])("between %j and %j is %j", (low, high, expected) => {
    expect(between(low, high)).toEqual(expected);
  });
});
