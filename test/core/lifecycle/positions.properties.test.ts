import { describe, expect, test } from "vitest";
import type { Position } from "../../../core/contract/index.js";
import { comparePositions, Placement } from "../../../core/order/index.js";
import { between } from "../../../core/order/positions.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { isLong } from "../../helpers/checks/sampling.ts";
import { deleteAtOnce, deleteInTurn } from "./order-world/deletion.ts";
import { type Chapter, histories, steadyHistories } from "./order-world/history.ts";
import { type Life, live } from "./order-world/live.ts";
import { type Declaration, emptyProgram, type Group } from "./order-world/program.ts";
import { type Fate, run } from "./order-world/run.ts";
import { World } from "./order-world/world.ts";

const numRuns = isLong ? 100_000 : cases(2_000);

describe("positions", () => {
  const position = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 });

  test("have another one between any two", () => {
    const two = fc.tuple(position, position).filter(([a, b]) => comparePositions(a, b) < 0);
    fc.assert(
      fc.property(two, ([low, high]) => {
        const middle = between(low, high);
        expect(comparePositions(low, middle)).toBeLessThan(0);
        expect(comparePositions(middle, high)).toBeLessThan(0);
        expect(comparePositions(low, between(low, undefined))).toBeLessThan(0);
      }),
    );
  });

  /** Inserts 10,000 positions into one gap, each beside one that the caller picks. */
  function filled(pick: (count: number) => number): Position[] {
    const line: Position[] = [[1], [2]];
    for (let count = 0; count < 10_000; count++) {
      const index = pick(count);
      line.splice(index + 1, 0, between(line[index] ?? [], line[index + 1]));
    }
    return line;
  }

  test.each<[string, (count: number) => number, number]>([
    ["one after the other", (count) => count, 2],
    ["one before the other", () => 0, 3],
    ["at random", (count) => Math.floor(((count * 0.618_033_988_7) % 1) * (count + 1)), 40],
  ])("take 10,000 insertions into one gap %s, and stay short and safe", (_, pick, longest) => {
    const line = filled(pick);
    const isAscending = line.every((each, index) => index === 0 || comparePositions(line[index - 1] ?? [], each) < 0);
    expect(isAscending).toBe(true);
    expect(Math.max(...line.map(({ length }) => length))).toBeLessThanOrEqual(longest);
    expect(line.flat().every(Number.isSafeInteger)).toBe(true);
  });
});

/** Fails with the trace of the shortest history that has a problem. */
function inAll(all: fc.Arbitrary<readonly Chapter[]>, wrong: (life: Life) => readonly string[]): void {
  fc.assert(
    fc.property(all, (chapters) => {
      const life = live(chapters);
      const problems = wrong(life);
      if (problems.length > 0) throw new Error([...problems, ...life.trace].join("\n"));
    }),
    { numRuns },
  );
}

const tooEarly = ({ early }: Life, reasons: readonly string[]): string[] =>
  early
    .filter(({ because }) => reasons.includes(because))
    .map(({ deleted, before, because }) => `${deleted} went before ${before}: ${because}`);

describe("whatever a program becomes, and wherever its runs fail or are killed", () => {
  test("nothing is deleted before what was made from it, refers to it or is its child", () => {
    inAll(histories, (life) => tooEarly(life, ["uses", "refs", "child"]));
  });

  test("intervals have a length, and children stand above their parents", () => {
    inAll(histories, ({ misplaced }) => misplaced);
  });

  test("an unchanged program moves nothing", () => {
    inAll(histories, ({ idleMoves }) => (idleMoves > 0 ? [`${idleMoves} moves`] : []));
  });
});

describe("a program that awaits one thing after the other and keeps its order", () => {
  test("moves nothing, and nothing is deleted before what could have seen it", () => {
    const all = ["uses", "standsOn", "seen", "refs", "child"];
    inAll(steadyHistories, (life) => [...tooEarly(life, all), ...(life.moves > 0 ? [`${life.moves} moves`] : [])]);
  });
});

const evenly: Fate = { delays: [1], fails: [], killAt: undefined };

describe("siblings of one Promise.all, some of which were added to its end later", () => {
  const name = (index: number): string => `s${index}`;
  const declared = (at: string, version: number, wants: Declaration["wants"] = []): Declaration => {
    return { kind: "declaration", name: at, version, copy: 0, output: 0, wants, caught: true, body: undefined };
  };
  const chapters = fc.array(
    fc.record({
      added: fc.nat({ max: 3 }),
      updated: fc.uniqueArray(fc.nat({ max: 9 })),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test("are deleted in the reverse order, between what was done before them and what was made from them", () => {
    fc.assert(
      fc.property(chapters, (all) => {
        const world = new World();
        const versions: number[] = [];
        for (const { added, updated } of all) {
          for (const index of updated) if (versions[index] !== undefined) versions[index] += 1;
          for (let count = 0; count < added; count++) versions.push(0);
          const siblings = versions.map((version, index) => declared(name(index), version));
          const group: Group = { kind: "group", mode: "all", steps: siblings };
          const after = declared("after", versions.length, [{ name: "s0", refer: false }]);
          const program: Group = { ...emptyProgram(), steps: [declared("before", 0), group, after] };
          run(world, program, evenly);
          const expected = ["after", ...siblings.map((sibling) => sibling.name).reverse(), "before"];
          const names = new Map([...world.copies.values()].map((copy) => [copy.uid, copy.key.slice(1)]));
          expect(deleteInTurn([...world.copies.values()]).deleted.map((uid) => names.get(uid))).toEqual(expected);
        }
      }),
      { numRuns },
    );
  });
});

describe("a parallel destroy", () => {
  function chains(count: number, length: number, version: number): Group {
    const declaration = (name: string): Declaration => {
      return { kind: "declaration", name, version, copy: 0, output: 0, wants: [], caught: false, body: undefined };
    };
    const chain = (_: unknown, index: number): Group => {
      const names = Array.from({ length }, (_, step) => `${index}-${step}`);
      return { ...emptyProgram(), steps: names.map(declaration) };
    };
    return { kind: "group", mode: "all", steps: Array.from({ length: count }, chain) };
  }

  test.each([
    [50, 1],
    [2, 3],
    [1, 10],
    [7, 4],
  ])("is as wide as the program: %i at once, %i steps, also after more runs of it", (count, length) => {
    const world = new World();
    for (const version of [0, 0, 1, 1]) {
      expect(run(world, chains(count, length, version), evenly)).toMatchObject({ complete: true, moves: 0 });
      const { width, time } = deleteAtOnce([...world.copies.values()], [1]);
      expect({ width, time }).toEqual({ width: count, time: length });
    }
  });
});

describe("a program that moves 10,000 resources", () => {
  const count = 10_000;
  const records = Array.from({ length: count }, (_, index) => ({
    uid: `${index}`,
    ready: [2 * index],
    done: [2 * index + 1],
  }));
  const middle = count / 2;

  function moved(order: readonly (typeof records)[number][], isSkipped: boolean): number {
    const placement = new Placement(records);
    let moves = 0;
    for (const { uid } of order) {
      if (isSkipped) placement.unchanged(uid);
      else {
        const placed = placement.ready(uid);
        moves += placed.moves.length;
        placement.resolved(uid, placed);
      }
    }
    return moves;
  }

  test.each<[string, typeof records, number]>([
    ["reverses", records.toReversed(), count - 1],
    ["rotates", [...records.slice(middle), ...records.slice(0, middle)], middle],
    ["keeps", records, 0],
  ])("moves each at most once where it %s them and updates them all", (_, order, expected) => {
    expect(moved(order, false)).toBe(expected);
    expect(moved(order, true)).toBe(0);
  });
});
