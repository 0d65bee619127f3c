/** Random histories of two stages, between which records move: each depends only on its seed. */
import fc from "fast-check";
import type { Blow } from "../../../plugins/testing/simulation/simulated-process.js";
import { CALM } from "../calm.ts";
import type { Chapter, Deployer, History } from "../history.ts";
import type { Declaration, Edit, Step } from "../program.ts";
import { blow, oneIn, pause, rate } from "../random-history.ts";

/** The parts of the programs that can move: resources, and a scope with data. */
export const UNITS = ["a", "b", "c", "x"] as const;

function declaration(id: string): fc.Arbitrary<Declaration> {
  return fc.record({
    do: fc.constant("declare" as const),
    id: fc.constant(id),
    // No delete of these has a result that stays unknown.
    kind: fc.constantFrom("read" as const, "verified" as const, "fixed" as const),
    value: fc.nat(2),
    name: fc.nat(2),
    uses: fc.constant([]),
    isAwaited: fc.boolean(),
    isCaught: fc.constant(false),
    isSecret: oneIn(2),
    options: fc.constant({}),
    steps: fc.constant([]),
  });
}

const scope: fc.Arbitrary<Step> = fc
  .tuple(declaration("d"), declaration("e"))
  .map(([d, e]) => ({ do: "scope", name: "x", steps: [{ do: "data", key: "k", value: 1 }, d, e] }));
const inserts: fc.Arbitrary<readonly Edit[]> = fc
  .tuple(declaration("a"), declaration("b"), declaration("c"), scope)
  .map((steps) => steps.map((step) => ({ edit: "insert", at: { list: 0, index: 0 }, step })));

const change: fc.Arbitrary<Edit> = fc.record({
  edit: fc.constant("change" as const),
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  to: fc.oneof(fc.record({ value: fc.nat(3) }), fc.record({ name: fc.nat(3) })),
});

const stage = fc.constantFrom("dev" as const, "next" as const);
/** While both stages are marked: in a store over a network, and in files. */
const amid = fc.oneof(fc.integer({ min: 30, max: 46 }), fc.integer({ min: 52, max: 70 }));
const blows = (struck: fc.Arbitrary<Blow>): fc.Arbitrary<readonly Blow[]> =>
  fc.oneof(
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: fc.array(struck, { minLength: 1, maxLength: 2 }), weight: 4 },
    {
      arbitrary: fc
        .tuple(fc.integer({ min: 5, max: 60 }), pause)
        .map(([at, length]) => [{ at, what: { pause: length } }]),
      weight: 1,
    },
  );
const process = {
  machine: fc.constantFrom(0, 0, 1, 2),
  delay: fc.constantFrom(0, 0, 1, 40, 400, 3_000),
  lockTimeout: fc.constantFrom(0, 60_000, 600_000),
  stage,
};
const move: fc.Arbitrary<Deployer> = fc
  .record({
    ...process,
    blows: blows(
      fc.oneof(
        blow,
        fc.tuple(blow, amid).map(([{ what }, at]) => ({ at, what })),
      ),
    ),
    targets: fc.uniqueArray(fc.constantFrom<string>(...UNITS), { maxLength: 2 }),
  })
  .map((one) => ({ ...CALM, ...one, does: "move" }));
/** `behind`: its program is that after the moves of the chapter. */
const up: fc.Arbitrary<Deployer> = fc
  .record({
    ...process,
    blows: blows(blow),
    behind: fc.constantFrom(0, 1),
    mishap: fc.constantFrom(0, 0, 0.2),
    isEager: oneIn(6),
  })
  .map((one) => ({ ...CALM, ...one, does: "up" }));

const chapter: fc.Arbitrary<Chapter> = fc
  .record({
    edits: fc.oneof(fc.constant([]), fc.array(change, { maxLength: 2 })),
    moves: fc.array(move, { minLength: 1, maxLength: 2 }),
    ups: fc.oneof(fc.constant([]), fc.array(up, { minLength: 1, maxLength: 2 })),
    lostRequest: rate,
    lostReply: rate,
    repeated: rate,
    outage: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 7 },
      { arbitrary: fc.tuple(fc.constantFrom(1, 50, 500), fc.constantFrom(5, 500, 30_000)), weight: 1 },
    ),
  })
  .map(({ moves, ups, ...rest }) => ({ ...rest, deployers: [...moves, ...ups], crash: undefined, drift: [] }));

const beginning: fc.Arbitrary<Chapter> = inserts.map((edits) => {
  return {
    edits,
    deployers: [],
    lostRequest: 0,
    lostReply: 0,
    repeated: 0,
    outage: undefined,
    crash: undefined,
    drift: [],
  };
});

const histories = fc.record<History>({
  world: fc.constant("moves" as const),
  store: fc.constantFrom("files", "redis", "bucket"),
  limits: fc.nat(3),
  password: oneIn(2),
  seed: fc.nat(),
  chapters: fc
    .tuple(beginning, fc.array(chapter, { minLength: 1, maxLength: 4, size: "max" }))
    .map(([first, rest]) => [first, ...rest]),
});

/** The history of a seed; the same one for ever. */
export function movesHistoryOf(seed: number): History {
  const [history] = fc.sample(histories, { seed, numRuns: 1 });
  if (!history) throw new Error("A seed gives a history.");
  return history;
}
