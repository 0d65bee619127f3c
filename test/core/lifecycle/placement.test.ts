/** Places the declarations of a program in the order of the recorded resources. */
import { describe, expect, test } from "vitest";
import type { ResourceRecord } from "../../../core/contract/index.js";
import { comparePositions, Placement } from "../../../core/order/index.js";
import type { PlaceAt } from "../../../core/state/index.js";

type Recorded = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced" | "dropped">;

function at(uid: string, ready: number, done: number | undefined, more: Partial<Recorded> = {}): Recorded {
  return { uid, ready: [ready], done: done === undefined ? undefined : [done], ...more };
}

/** Parses `a 1-2, child 3-4 of a replaced`: the positions at which each became ready and was done. */
function recordsIn(text: string): Recorded[] {
  return text.split(", ").flatMap((each) => {
    const [uid = "", places = "", ...more] = each.split(" ");
    if (uid === "") return [];
    const [ready, done] = places.split("-").map(Number);
    const [, parent = "", how] = more;
    return at(uid, ready ?? 0, done, { ...(parent && { parent }), ...(how && { [how]: true }) });
  });
}

const said = ({ uid, ready, done }: PlaceAt): string => `${uid} ${ready} to ${done}`;

/**
 * Runs a story step by step: `keep a`, `begin a`, `end a as b`, `forget a`, and `a in b`: the handler of `a`, which the
 * handler of `b` waits for, runs at once and to its end. Names that begin with "new" are not recorded. A line gives the
 * new position of a resource, or, with "at", its position without a move.
 */
function told(recorded: string, story: string): string[] {
  const records = recordsIn(recorded);
  const placement = new Placement(records);
  const begun = new Map<string, ReturnType<Placement["ready"]>>();
  return story.split("; ").flatMap((step) => {
    const [first = "", second = "", , last = second] = step.split(" ");
    const under = begun.get(second);
    if (first === "keep") placement.unchanged(second);
    else if (first === "forget") placement.forget(second);
    else if (first === "begin") begun.set(second, placement.ready(second));
    else if (first === "end") return `${last} ended at ${under && placement.resolved(last, under)}`;
    else {
      const parent = records.find(({ uid }) => uid === step.split(" in ")[1]);
      const placed = placement.ready(
        first.startsWith("new") ? undefined : first,
        parent && { ...parent, ...begun.get(parent.uid) },
      );
      const { ready, moves } = placed;
      const lines = moves.map(said);
      const now = said({ uid: first, ready, done: placement.resolved(first, placed) });
      return lines.includes(now) ? lines : [now.replace(" ", " at "), ...lines];
    }
    return [];
  });
}

/** Name → recorded resources, story, and expected lines. */
const CASES: Readonly<Record<string, string>> = {
  "a resource whose handler runs stands at the beginning where nothing is recorded": " | new | new at 0 to 1",
  "a resource whose handler runs is placed just above the front and below the next recorded position when it is new":
    "a 1-2, b 3-4 | keep a; new; keep b; newer | new at 2,0 to 2,1, newer at 5 to 6",
  "a resource whose handler runs keeps a place above the front, and keeps its done":
    "a 1-2, b 3-9 | keep a; b; new | b at 3 to 9, new at 10 to 11",
  "a resource whose handler runs is placed anew above the front where the program moved it back, and carries along what stood after it":
    "a 1-2, b 3-4, c 5-6, d 7-8, e 9-10 | keep d; b; e; c | b 8,0 to 8,1, c 8,2 to 8,3, e at 9 to 10, c 11 to 12",
  "a resource whose handler runs leaves where they are what overlapped it, and what stood before it":
    "before 0-2, a 1-4, b 3-6, last 7-8 | keep last; a | a 9 to 10",
  "a resource whose handler runs stands above the front, and not at it": "a 1-3, b 3-4 | keep a; b | b 3,0 to 4",
  "a resource whose handler runs carries side by side what stood side by side":
    "a 1-2, b 3-5, c 3-6, d 7-8 | keep d; a | a 9 to 10, b 11 to 12, c 11 to 13",
  "a resource whose handler runs carries again what was carried before":
    "a 1-2, b 3-4, c 5-6, d 7-8, e 99-100 | keep d; a; keep e; b | a 9 to 10, b 11 to 12, c 13 to 14, b 101 to 102, c 103 to 104",
  "a resource whose handler runs carries only the ends that are not above the front":
    "a 1-2, b 3-9, c 4-5 | keep c; a | a 6 to 7, b 8 to 9",
  "a resource whose handler runs leaves alone what has resolved since: that does not use it any more":
    "a 1-2, b 3-4, c 5-6 | keep c; keep b; a | a 7 to 8",
  "a resource whose handler runs carries what is under way: it may stop half-way, and still stand on what it was made from":
    "a 1-2, b 3-4, c 5-6 | begin b; keep c; a; end b | a 7 to 8, b 9 to 10, b ended at 10",
  "a resource whose handler runs keeps the place that it has where the program declares it again":
    "a 1-2, b 3-4 | keep a; keep b; a | a at 1 to 2",
  "a resource whose handler runs forgets what was deleted in mid-run":
    "a 1-2, b 3-4, c 5-6 | keep c; forget b; a; new | a 7 to 8, new at 9 to 10",
  "a resource whose handler runs is moved behind what has resolved since where this generation has made it, and declares it again":
    "a 1-2, z 8-9 | keep a; new; newer; made | new at 3 to 4, newer at 5 to 6, made 7 to 7,0",
  "a replacement takes the place of the old copy, which stays behind what it was made from":
    "a 1-2, old 3-4 | begin old; end old as new; a | new ended at 4, a 5 to 6, old 7 to 8",
  "a replacement leaves an older copy behind what that was made from":
    "a 1-2, old 3-4 replaced, current 3-4 | keep current; a | a 5 to 6, old 7 to 8",
  "an unchanged resource stays in its place, wherever the program has moved it":
    "a 1-2, b 3-4 | keep b; keep a; new | new at 5 to 6",
  "an unchanged resource brings along the children that its output may speak of":
    "z 0-1, a 1-4, child 2-8 of a, grandchild 3-9 of child | keep a; new; z | new at 10 to 11, z 12 to 13",
  "an unchanged resource brings along no child that is replaced":
    "z 0-1, a 1-4, child 2-8 of a replaced | keep a; new; z | new at 5 to 6, z 7 to 7,0, child 7,1 to 8",
  "an unchanged resource brings along no child that is dropped":
    "z 0-1, a 1-4, child 2-8 of a dropped | keep a; new; z | new at 5 to 6, z 7 to 7,0, child 7,1 to 8",
  "a child stands above its parent": "parent 5-6 | new in parent | new at 5,0 to 5,1",
  "a child stands above a parent that was carried along meanwhile":
    "a 1-2, parent 3-4, c 5-6 | begin parent; keep c; a; new in parent | a 7 to 8, parent 9 to 10, new at 9,0 to 9,1",
  "a child moves with its parent": "a 1-4, child 2-3 of a, b 5-6 | keep b; a | a 7 to 10, child 8 to 9",
  "a child holds its parent in its place once it has one itself":
    "a 1-2, parent 3-4, c 5-6 | begin parent; new in parent; keep c; a | new at 3,0 to 3,1, a 7 to 8",
  "a child holds its parent in its place when it is unchanged itself":
    "a 1-2, b 3-8, child 4-5 of b, c 9-10 | begin b; keep child; keep c; a | a 11 to 12",
};

test.each(Object.entries(CASES))("%s", (_what, text) => {
  const [recorded = "", story = "", lines] = text.split(" | ");
  expect(told(recorded, story).join(", ")).toBe(lines);
});

describe("a resource whose handler runs", () => {
  test("stands where it would if what was skipped before had been looked at one by one", () => {
    let looks = 0;
    const recorded = {
      *[Symbol.iterator]() {
        looks++;
        yield* recordsIn("a 1-2, child 3-4 of a, b 5-6");
      },
    };
    const placement = new Placement(recorded);
    placement.unchanged("a");
    expect(looks).toBe(0);
    const first = placement.ready(undefined);
    expect([first.ready, placement.resolved("new", first), first.moves]).toEqual([[4, 0], [4, 1], []]);
    placement.unchanged("b");
    const second = placement.ready(undefined);
    expect([second.ready, placement.resolved("newer", second)]).toEqual([[7], [8]]);
    expect(looks).toBe(1);
  });

  test("stands beside what has not resolved when it became ready", () => {
    const placement = new Placement([]);
    const [a, b] = [placement.ready(undefined), placement.ready(undefined)];
    const done = placement.resolved("a", a);
    expect(comparePositions(done, b.ready)).toBeGreaterThan(0);
    expect(comparePositions(placement.resolved("b", b), a.ready)).toBeGreaterThan(0);
  });

  test("leaves what has its result, though it resolves to the program only in a moment", () => {
    const placement = new Placement([at("a", 1, 2), at("b", 3, undefined), at("c", 5, 6)]);
    const under = placement.ready("b");
    const done = placement.doneOf({ uid: "b", ...under });
    placement.unchanged("c");
    expect(placement.ready("a").moves.map(({ uid }) => uid)).toEqual(["a"]);
    expect(placement.resolved("b", { ...under, done })).toEqual(done);
  });
});
