import { describe, expect, test } from "vitest";
import type { ResourceRecord } from "../../../core/contract/index.js";
import { comparePositions, Placement } from "../../../core/order/index.js";
import type { PlaceAt } from "../../../core/state/index.js";

type Recorded = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced" | "dropped">;

function at(uid: string, ready: number, done: number | undefined, more: Partial<Recorded> = {}): Recorded {
  return { uid, ready: [ready], done: done === undefined ? undefined : [done], ...more };
}

/** A handler that runs at once and to its end. What has a name that begins with "new" is not recorded. */
function handle(placement: Placement, uid: string, parent?: Recorded): PlaceAt & { moves: readonly PlaceAt[] } {
  const { ready, done, moves } = placement.ready(uid.startsWith("new") ? undefined : uid, parent);
  return { uid, ready, done: placement.resolved(uid, { ready, done }), moves };
}

const said = (places: readonly PlaceAt[]): string[] =>
  places.map(({ uid, ready, done }) => `${uid} ${ready} to ${done}`);

describe("a resource whose handler runs", () => {
  test("stands at the beginning where nothing is recorded", () => {
    expect(handle(new Placement([]), "new")).toMatchObject({ ready: [0], done: [1], moves: [] });
  });

  test("is placed just above the front and below the next recorded position when it is new", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4)]);
    placement.skipped("a");
    expect(handle(placement, "new")).toMatchObject({ ready: [2, 0], done: [2, 1], moves: [] });
    placement.skipped("b");
    expect(handle(placement, "newer")).toMatchObject({ ready: [5], done: [6] });
  });

  test("stands where it would if what was skipped before had been looked at one by one", () => {
    let looks = 0;
    const recorded = {
      *[Symbol.iterator]() {
        looks++;
        yield* [at("a", 1, 2), at("child", 3, 4, { parent: "a" }), at("b", 5, 6)];
      },
    };
    const placement = new Placement(recorded);
    placement.skipped("a");
    expect(looks).toBe(0);
    expect(handle(placement, "new")).toMatchObject({ ready: [4, 0], done: [4, 1], moves: [] });
    placement.skipped("b");
    expect(handle(placement, "newer")).toMatchObject({ ready: [7], done: [8] });
    expect(looks).toBe(1);
  });

  test("stands beside what has not resolved when it became ready", () => {
    const placement = new Placement([]);
    const [a, b] = [placement.ready(undefined), placement.ready(undefined)];
    const done = placement.resolved("a", a);
    expect(comparePositions(done, b.ready)).toBeGreaterThan(0);
    expect(comparePositions(placement.resolved("b", b), a.ready)).toBeGreaterThan(0);
  });

  test("keeps a place above the front, and keeps its done", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 9)]);
    placement.skipped("a");
    expect(handle(placement, "b")).toMatchObject({ ready: [3], done: [9], moves: [] });
    expect(handle(placement, "new").ready).toEqual([10]);
  });

  test("is placed anew above the front where the program moved it back, and carries along what stood after it", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4), at("c", 5, 6), at("d", 7, 8), at("e", 9, 10)]);
    placement.skipped("d");
    const { moves } = handle(placement, "b");
    expect(said(moves)).toEqual(["b 8,0 to 8,1", "c 8,2 to 8,3"]);
    expect(said([handle(placement, "e"), handle(placement, "c")])).toEqual(["e 9 to 10", "c 11 to 12"]);
  });

  test("leaves where they are what overlapped it, and what stood before it", () => {
    const placement = new Placement([at("before", 0, 2), at("a", 1, 4), at("b", 3, 6), at("last", 7, 8)]);
    placement.skipped("last");
    expect(said(handle(placement, "a").moves)).toEqual(["a 9 to 10"]);
  });

  test("stands above the front, and not at it", () => {
    const placement = new Placement([at("a", 1, 3), at("b", 3, 4)]);
    placement.skipped("a");
    expect(handle(placement, "b")).toMatchObject({ ready: [3, 0], done: [4] });
  });

  test("carries side by side what stood side by side", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 5), at("c", 3, 6), at("d", 7, 8)]);
    placement.skipped("d");
    expect(said(handle(placement, "a").moves)).toEqual(["a 9 to 10", "b 11 to 12", "c 11 to 13"]);
  });

  test("carries again what was carried before", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4), at("c", 5, 6), at("d", 7, 8), at("e", 99, 100)]);
    placement.skipped("d");
    handle(placement, "a");
    placement.skipped("e");
    expect(said(handle(placement, "b").moves)).toEqual(["b 101 to 102", "c 103 to 104"]);
  });

  test("carries only the ends that are not above the front", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 9), at("c", 4, 5)]);
    placement.skipped("c");
    expect(said(handle(placement, "a").moves)).toEqual(["a 6 to 7", "b 8 to 9"]);
  });

  test("leaves alone what has resolved since: that does not use it any more", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4), at("c", 5, 6)]);
    placement.skipped("c");
    placement.skipped("b");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 8"]);
  });

  test("carries what is under way: it may stop half-way, and still stand on what it was made from", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4), at("c", 5, 6)]);
    const under = placement.ready("b");
    placement.skipped("c");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 8", "b 9 to 10"]);
    expect(placement.resolved("b", under)).toEqual([10]);
  });

  test("leaves what has its result, though it resolves to the program only in a moment", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, undefined), at("c", 5, 6)]);
    const under = placement.ready("b");
    const done = placement.doneOf({ uid: "b", ...under });
    placement.skipped("c");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 8"]);
    expect(placement.resolved("b", { ...under, done })).toEqual(done);
  });

  test("keeps the place that it has where the program declares it again", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4)]);
    placement.skipped("a");
    placement.skipped("b");
    expect(handle(placement, "a")).toMatchObject({ ready: [1], done: [2], moves: [] });
  });

  test("forgets what was deleted in mid-run", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4), at("c", 5, 6)]);
    placement.skipped("c");
    placement.forget("b");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 8"]);
    expect(handle(placement, "new b").moves).toEqual([]);
  });

  test("is moved behind what has resolved since where this generation has made it, and declares it again", () => {
    const placement = new Placement([at("a", 1, 2), at("z", 8, 9)]);
    placement.skipped("a");
    handle(placement, "new");
    const other = handle(placement, "newer");
    const again = handle(placement, "made");
    expect(said(again.moves)).toEqual(["made 7 to 7,0"]);
    expect(comparePositions(other.done ?? [], again.ready)).toBeLessThan(0);
    expect(comparePositions(again.done ?? [], [8])).toBeLessThan(0);
  });
});

describe("a replacement", () => {
  test("takes the place of the old copy, which stays behind what it was made from", () => {
    const placement = new Placement([at("a", 1, 2), at("old", 3, 4)]);
    const placed = placement.ready("old");
    expect(placed).toMatchObject({ ready: [3], done: [4] });
    expect(placement.resolved("new", placed)).toEqual([4]);
    expect(said(handle(placement, "a").moves)).toEqual(["a 5 to 6", "old 7 to 8"]);
  });

  test("leaves an older copy behind what that was made from", () => {
    const placement = new Placement([at("a", 1, 2), at("old", 3, 4, { replaced: true }), at("new", 3, 4)]);
    placement.skipped("new");
    expect(said(handle(placement, "a").moves)).toEqual(["a 5 to 6", "old 7 to 8"]);
  });
});

describe("a skipped resource", () => {
  test("stays in its place, wherever the program has moved it", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 4)]);
    placement.skipped("b");
    placement.skipped("a");
    expect(handle(placement, "new").ready).toEqual([5]);
  });

  test("brings along the children that its output may speak of", () => {
    const inner = [at("child", 2, 8, { parent: "a" }), at("grandchild", 3, 9, { parent: "child" })];
    const placement = new Placement([at("z", 0, 1), at("a", 1, 4), ...inner]);
    placement.skipped("a");
    expect(handle(placement, "new").ready).toEqual([10]);
    expect(said(handle(placement, "z").moves)).toEqual(["z 12 to 13"]);
  });

  test.each([{ replaced: true }, { dropped: true }] as const)("brings along no child that is %j", (more) => {
    const placement = new Placement([at("z", 0, 1), at("a", 1, 4), at("child", 2, 8, { parent: "a", ...more })]);
    placement.skipped("a");
    expect(said([handle(placement, "new")])).toEqual(["new 5 to 6"]);
    expect(said(handle(placement, "z").moves)).toEqual(["z 7 to 7,0", "child 7,1 to 8"]);
  });
});

describe("a child", () => {
  test("stands above its parent", () => {
    const placement = new Placement([at("parent", 5, 6)]);
    expect(handle(placement, "new", at("parent", 5, 6)).ready).toEqual([5, 0]);
  });

  test("stands above a parent that was carried along meanwhile", () => {
    const parent = at("parent", 3, 4);
    const placement = new Placement([at("a", 1, 2), parent, at("c", 5, 6)]);
    const under = placement.ready("parent");
    placement.skipped("c");
    handle(placement, "a");
    expect(handle(placement, "new", { ...parent, ...under }).ready).toEqual([9, 0]);
  });

  test("moves with its parent", () => {
    const placement = new Placement([at("a", 1, 4), at("child", 2, 3, { parent: "a" }), at("b", 5, 6)]);
    placement.skipped("b");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 10", "child 8 to 9"]);
  });

  test("holds its parent in its place once it has one itself", () => {
    const parent = at("parent", 3, 4);
    const placement = new Placement([at("a", 1, 2), parent, at("c", 5, 6)]);
    placement.ready("parent");
    handle(placement, "new", parent);
    placement.skipped("c");
    expect(said(handle(placement, "a").moves)).toEqual(["a 7 to 8"]);
  });

  test("holds its parent in its place when it is skipped itself", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, 8), at("child", 4, 5, { parent: "b" }), at("c", 9, 10)]);
    placement.ready("b");
    placement.skipped("child");
    placement.skipped("c");
    expect(said(handle(placement, "a").moves)).toEqual(["a 11 to 12"]);
  });
});
