import { describe, expect, test } from "vitest";
import { type Listed, ordered } from "../../../plugins/fleet/conductor/order.js";
import { Schedule, type ScheduleItem } from "../../../plugins/fleet/conductor/schedule.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { play } from "./naive-fleet.js";

const limits = fc.record(
  {
    concurrency: fc.integer({ min: 1, max: 3 }),
    rate: fc.record({ max: fc.integer({ min: 1, max: 3 }), duration: fc.integer({ min: 1, max: 20 }) }),
  },
  { requiredKeys: [] },
);
const choices = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 });

/** Stages whose `after` makes no cycle, unless `any` is set; references may. */
function stages(any: boolean): fc.Arbitrary<Listed[]> {
  const one = fc.record({
    wave: fc.nat(2),
    key: fc.constantFrom("a", "b", "c"),
    after: fc.array(fc.nat(11), { maxLength: 3 }),
    refs: fc.array(fc.nat(13), { maxLength: 3 }),
    isExtra: fc.boolean(),
  });
  return fc.array(one, { maxLength: 12 }).map((all) =>
    all.map(({ after, refs, isExtra, wave, ...rest }, index) => ({
      ...rest,
      stage: `s${index}`,
      wave: isExtra ? 3 : wave,
      isExtra,
      after: after
        .filter((to) => to < all.length && (any || to < index) && !isExtra && !all[to]?.isExtra)
        .map((to) => `s${to}`),
      refs: refs.map((to) => `s${to}`),
    })),
  );
}

const WAVES = 4;

describe("a schedule, against rules that are checked item by item", () => {
  test("begins each stage once, within its limits, after those that it waits for, and ends", () => {
    fc.assert(
      fc.property(stages(false), limits, choices, fc.boolean(), (listed, given, chosen, isReversed) => {
        const items = ordered(listed, isReversed);
        const naive = play(new Schedule(items, WAVES, given), items, { limits: given, choices: chosen });
        expect(naive.ended.size).toBe(items.length);
      }),
      { numRuns: cases(2_000) },
    );
  });

  test("stages that ended in an earlier process do not begin, and those behind their failures are lost", () => {
    fc.assert(
      fc.property(
        stages(false),
        fc.array(fc.constantFrom("good", "bad", "open"), { minLength: 12 }),
        (listed, known) => {
          const items = ordered(listed, false);
          const schedule = new Schedule(items, WAVES);
          const lost = new Set<number>();
          for (const [index] of items.entries()) {
            if (known[index] === "open" || lost.has(index)) continue;
            for (const other of schedule.skip(index, known[index] === "good")) {
              expect(lost.has(other)).toBe(false);
              lost.add(other);
            }
          }
          const taken: number[] = [];
          while (!(schedule.isWaveOver && schedule.isLastWave)) {
            if (schedule.isWaveOver) schedule.beginWave();
            for (let index = schedule.take(0); index !== undefined; index = schedule.take(0)) {
              taken.push(index);
              schedule.end(index, true);
            }
          }
          const open = [...items.keys()].filter((index) => known[index] === "open" && !lost.has(index));
          expect(taken.sort((a, b) => a - b)).toEqual(open);
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

describe("the order of stages", () => {
  const reach = (items: readonly (readonly number[])[], from: number): ReadonlySet<number> => {
    const seen = new Set(items[from] ?? []);
    for (const index of seen) for (const next of items[index] ?? []) seen.add(next);
    return seen;
  };
  const numbers = (names: readonly string[]): number[] => names.map((name) => Number(name.slice(1)));

  test("a cycle is found before anything begins, and its message names one", () => {
    fc.assert(
      fc.property(stages(true), (listed) => {
        const after = listed.map((one) => numbers(one.after));
        const hasCycle = listed.some((_, index) => reach(after, index).has(index));
        if (!hasCycle) return void ordered(listed, false);
        let message = "";
        try {
          ordered(listed, false);
        } catch (error) {
          message = String(error);
        }
        const names = [...message.matchAll(/"(s\d+)"/g)].map(([, name]) => Number(name?.slice(1)));
        expect(names.length).toBeGreaterThan(1);
        expect(names[0]).toBe(names.at(-1));
        for (const [at, to] of names.slice(1).entries()) expect(after[names[at] ?? -1]).toContain(to);
      }),
      { numRuns: cases(500) },
    );
  });

  test("earlier references are kept unless they are part of a cycle, and never make one", () => {
    fc.assert(
      fc.property(stages(false), fc.boolean(), (all, isReversed) => {
        const listed = all.map((one): Listed => ({ ...one, isExtra: false, wave: Math.min(one.wave, 2) }));
        const items = ordered(listed, isReversed);
        const kept: number[][] = listed.map(() => []);
        for (const [index, { after }] of items.entries())
          for (const other of after) (isReversed ? kept[other] : kept[index])?.push(isReversed ? index : other);
        const whole = listed.map(({ after, refs }, index) =>
          numbers([...after, ...refs]).filter((to) => to < listed.length && to !== index),
        );
        for (const [index, { after }] of listed.entries()) {
          expect(reach(kept, index).has(index)).toBe(false);
          expect(new Set(kept[index]).size).toBe(kept[index]?.length);
          for (const to of numbers(after)) expect(kept[index]).toContain(to);
          for (const to of whole[index] ?? []) if (!reach(whole, to).has(index)) expect(kept[index]).toContain(to);
          for (const to of kept[index] ?? []) expect(whole[index]).toContain(to);
        }
      }),
      { numRuns: cases(500) },
    );
  });

  test("a stage moves to an earlier wave only if another stage of it waits for that stage", () => {
    fc.assert(
      fc.property(stages(false), fc.boolean(), (listed, isReversed) => {
        const items = ordered(listed, isReversed);
        const dependents: number[][] = items.map(() => []);
        for (const [index, { after }] of items.entries()) for (const other of after) dependents[other]?.push(index);
        for (const [index, { wave }] of items.entries()) {
          const own = listed[index]?.wave ?? -1;
          const others = [...reach(dependents, index)].map((other) => listed[other]?.wave ?? -1);
          expect(wave).toBe(Math.min(own, ...others));
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

test("stages that left the list are destroyed last, those that read others first", () => {
  const base = { key: "", after: [], isExtra: true, wave: 1 };
  const listed: Listed[] = [
    { ...base, stage: "kept", refs: ["base"], isExtra: false, wave: 0 },
    { ...base, stage: "base", refs: [] },
    { ...base, stage: "user", refs: ["base", "kept"] },
  ];
  expect(ordered(listed, false)).toEqual<ScheduleItem[]>([
    { key: "", wave: 0, after: [] },
    { key: "", wave: 1, after: [2] },
    { key: "", wave: 1, after: [] },
  ]);
  expect(() => ordered([{ ...base, stage: "a", refs: [], after: ["base"], isExtra: false }, ...listed], false)).toThrow(
    'The stage "a" waits for "base", which is not a stage of the fleet. Nothing was started.',
  );
});
