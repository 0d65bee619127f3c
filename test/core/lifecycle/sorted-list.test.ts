import { expect, test } from "vitest";
import { SortedList } from "../../../core/base/index.js";
import { fc } from "../../helpers/checks/generated.js";

interface Item {
  readonly value: number;
  /** Distinguishes items of equal value, in the order in which they came. */
  readonly name: number;
}

const compare = (a: Item, b: Item): number => a.value - b.value || a.name - b.name;
const value = fc.integer({ min: 0, max: 60 });
const step = fc.record({ adds: fc.boolean(), value, count: fc.integer({ min: 0, max: 90 }) });

test("a sorted list holds what was put into it and not taken out", () => {
  const all = fc.array(value, { maxLength: 300, size: "max" });
  fc.assert(
    fc.property(all, fc.array(step, { maxLength: 60, size: "max" }), value, (given, steps, low) => {
      const items = given.map((each, name): Item => ({ value: each, name }));
      const list = new SortedList(compare, items);
      let expected = items.toSorted(compare);
      for (const [at, { adds, value: each, count }] of steps.entries()) {
        if (adds) {
          const added = Array.from(
            { length: count },
            (_, more): Item => ({ value: each, name: 1_000 * (at + 1) + more }),
          );
          list.add(added);
          expected = [...expected, ...added].toSorted(compare);
        } else {
          const isGone = (_: Item, place: number): boolean => place >= 5 * each && place < 5 * each + count;
          list.delete(expected.filter(isGone));
          expected = expected.filter((item, place) => !isGone(item, place));
        }
      }
      const isAbove = (item: Item): boolean => item.value > low;
      expect([...list.from(() => true)]).toEqual(expected);
      expect([...list.from(isAbove)]).toEqual(expected.filter(isAbove));
      expect(list.first(isAbove)).toBe(expected.find(isAbove));
    }),
    { numRuns: 200 },
  );
});

test("a sorted list is emptied, and filled again", () => {
  const list = new SortedList<number>((a, b) => a - b);
  const numbers = Array.from({ length: 1_000 }, (_, at) => (at * 389) % 1_000);
  for (const each of numbers) list.add([each]);
  for (const each of numbers.toReversed()) list.delete([each, each]);
  expect(list.first(() => true)).toBeUndefined();
  for (const each of numbers) list.add([each]);
  expect([...list.from((each) => each >= 990)]).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
});
