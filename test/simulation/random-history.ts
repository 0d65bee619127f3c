/** Random histories: each depends only on its seed. */
import fc from "fast-check";
import type { Blow } from "../../plugins/testing/simulation/simulated-process.js";
import type { Chapter, Deployer, History } from "./history.ts";
import type { Declaration, Edit, KindName, Options, Step, Use } from "./program.ts";

const IDS = "abcdef";
const most = { size: "max" } as const;
const id = fc.constantFrom(...IDS);
export const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((n) => n === count - 1);
/** Present once in so many times. */
function rarely<T>(times: number, something: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: times - 1 }, { arbitrary: something, weight: 1 });
}

const spot = fc.record({ list: fc.nat(9), index: fc.nat(9) });
const KINDS: KindName[] = ["token", "read", "blind", "plain", "fixed", "named", "verified", "nest", "bundle"];
const kind = fc.constantFrom(...KINDS);

const uses = fc.uniqueArray(
  fc.record<Use>({ id, as: fc.constantFrom<Use["as"][]>("value", "value", "output", "pending") }),
  { maxLength: 3, selector: (use) => use.id },
);

const options: fc.Arbitrary<Options> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  { arbitrary: fc.constant({ retry: 3 }), weight: 2 },
  { arbitrary: fc.constant({ protect: true }), weight: 1 },
  { arbitrary: fc.constant({ retain: true }), weight: 1 },
  { arbitrary: fc.constant({ adopt: true }), weight: 3 },
  { arbitrary: fc.constant({ deleteBeforeReplace: true }), weight: 1 },
  { arbitrary: fc.constant({ alwaysUpdate: true }), weight: 1 },
  { arbitrary: fc.constant({ timeout: 400 }), weight: 1 },
);

function declaration(steps: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<Declaration> {
  return fc.record<Declaration>({
    do: fc.constant("declare" as const),
    id,
    kind,
    value: fc.nat(2),
    name: fc.nat(2),
    uses,
    isAwaited: oneIn(4).map((n) => !n),
    isCaught: oneIn(6),
    isSecret: oneIn(4),
    options,
    steps,
  });
}

const none = fc.constant<readonly Step[]>([]);
const single = declaration(none);

function group(name: "all" | "sequence" | "scope", maxLength: number): fc.Arbitrary<Step> {
  const names = name === "scope" ? fc.constantFrom("x", "y") : fc.constant("");
  return fc.record({ do: fc.constant(name), name: names, steps: fc.array(single, { maxLength }) });
}

/** A piece of a program: most often one declaration; lists are filled by later inserts, too. */
const piece: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: single, weight: 24 },
  { arbitrary: group("all", 3), weight: 4 },
  { arbitrary: group("sequence", 2), weight: 1 },
  { arbitrary: group("scope", 2), weight: 4 },
  {
    arbitrary: fc.record({ do: fc.constant("data" as const), key: fc.constantFrom("k", "l"), value: fc.nat(2) }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constant("defer" as const), step: single }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("destroy" as const), id }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("throw" as const) }), weight: 1 },
);

const insert = fc.record({ edit: fc.constant("insert" as const), at: spot, step: piece });
const change = fc.record({
  edit: fc.constant("change" as const),
  id,
  to: fc.oneof(
    fc.record({ value: fc.nat(3) }),
    fc.record({ name: fc.nat(3) }),
    fc.record({ uses }),
    fc.record({ isAwaited: fc.boolean() }),
    fc.record({ options }),
    fc.record({ value: fc.nat(3), name: fc.nat(3) }),
    fc.record({ kind }),
    fc.record({ isSecret: fc.boolean(), name: fc.nat(3) }),
  ),
});
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: insert, weight: 4 },
  { arbitrary: change, weight: 5 },
  { arbitrary: fc.record({ edit: fc.constant("remove" as const), id }), weight: 3 },
  { arbitrary: fc.record({ edit: fc.constant("move" as const), id, at: spot }), weight: 4 },
  {
    arbitrary: fc.record({ edit: fc.constant("rename" as const), id, to: id, keeps: fc.boolean() }),
    weight: 1,
  },
  { arbitrary: fc.record({ edit: fc.constant("reverse" as const), list: fc.nat(9) }), weight: 2 },
);

/**
 * A later resource moves to the front, and resources before it change: the engine must find a new order for them and
 * their dependents, even unchanged ones.
 */
const shuffle: fc.Arbitrary<readonly Edit[]> = fc
  .tuple(
    id,
    fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
    fc.oneof(fc.record({ value: fc.nat(3) }), fc.constant({ options: { alwaysUpdate: true } }), fc.record({ uses })),
  )
  .map(([moved, others, to]) => [
    { edit: "move", id: moved, at: { list: 0, index: 0 } },
    ...others.map((changed): Edit => ({ edit: "change", id: changed, to })),
  ]);
/** Scopes are renamed, and resources in them change at the same time. */
const renaming: fc.Arbitrary<readonly Edit[]> = fc
  .tuple(fc.constantFrom("y", "z"), oneIn(8), fc.array(edit, { maxLength: 2 }))
  .map(([to, isForgotten, others]) => [
    ...["x", "y", "z"].map((from): Edit => ({ edit: "rename scope", from, to, keeps: !isForgotten })),
    ...others,
  ]);
const edits = fc.oneof(
  { arbitrary: fc.array(edit, { maxLength: 4, ...most }), weight: 4 },
  { arbitrary: shuffle, weight: 1 },
);

export const blow = fc.record<Blow>({
  at: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 12 }), weight: 2 },
    { arbitrary: fc.integer({ min: 5, max: 40 }), weight: 4 },
    { arbitrary: fc.integer({ min: 20, max: 120 }), weight: 2 },
  ),
  what: fc.oneof(
    { arbitrary: fc.constant("kill" as const), weight: 5 },
    { arbitrary: fc.record({ pause: fc.constantFrom(500, 8_000, 25_000, 120_000) }), weight: 3 },
    { arbitrary: fc.constant("SIGINT" as const), weight: 2 },
    { arbitrary: fc.constant("SIGTERM" as const), weight: 1 },
  ),
});

const deployer = fc.record<Deployer>({
  machine: fc.constantFrom(0, 0, 1, 2),
  delay: fc.constantFrom(0, 0, 1, 40, 400, 3_000),
  does: fc.constantFrom("up", "up", "up", "up", "up", "destroy", "read", "plan", "apply"),
  concurrency: fc.constantFrom(64, 64, 2, 1),
  parallel: fc.boolean(),
  lockTimeout: fc.constantFrom(0, 60_000, 600_000),
  isEager: oneIn(6),
  refresh: oneIn(6),
  force: oneIn(12),
  targets: fc.oneof(
    { arbitrary: fc.constant([]), weight: 8 },
    { arbitrary: fc.array(id, { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
  blows: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.array(blow, { minLength: 1, maxLength: 2 }), weight: 4 },
  ),
  mishap: fc.constantFrom(0, 0, 0, 0.1, 0.3),
  behind: fc.constantFrom(0, 0, 0, 1, 3),
  isWatched: fc.boolean(),
  again: fc.oneof(
    { arbitrary: fc.constant([]), weight: 9 },
    { arbitrary: fc.array(fc.array(edit, { maxLength: 3 }), { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
});

/** Usually nothing is lost: a history that fails at its first request shows little. */
export const rate = fc.oneof(
  { arbitrary: fc.constant(0), weight: 8 },
  { arbitrary: fc.constantFrom(0.01, 0.03, 0.1), weight: 2 },
);

export const pause = fc.constantFrom(25_000, 60_000, 120_000);

/**
 * One process stops in the middle of its work for longer than its lease lasts, and another one takes over meanwhile.
 */
const contest: fc.Arbitrary<readonly Deployer[]> = fc
  .tuple(deployer, deployer, fc.integer({ min: 5, max: 40 }), pause, fc.constantFrom(60_000, 600_000))
  .map(([one, other, at, length, lockTimeout]) => [
    { ...one, delay: 0, does: "up", blows: [{ at, what: { pause: length } }] },
    { ...other, delay: 3_000, does: other.does === "destroy" ? "destroy" : "up", lockTimeout },
  ]);

function chapter(its: fc.Arbitrary<readonly Edit[]>): fc.Arbitrary<Chapter> {
  return fc.record<Chapter>({
    edits: its,
    deployers: fc.oneof(
      { arbitrary: fc.array(deployer, { minLength: 1, maxLength: 1 }), weight: 4 },
      { arbitrary: fc.array(deployer, { minLength: 2, maxLength: 3 }), weight: 1 },
      { arbitrary: contest, weight: 1 },
    ),
    lostRequest: rate,
    lostReply: rate,
    repeated: rate,
    outage: rarely(8, fc.tuple(fc.constantFrom(1, 50, 500), fc.constantFrom(5, 500, 30_000))),
    crash: rarely(25, fc.constantFrom(1, 30, 120, 400, 1_500)),
    foreign: fc.oneof(
      { arbitrary: fc.constant([]), weight: 6 },
      {
        arbitrary: fc.array(fc.record({ id, scope: fc.constantFrom("" as const, "x" as const, "y" as const) }), {
          minLength: 1,
          maxLength: 3,
        }),
        weight: 1,
      },
    ),
    drift: fc.oneof(
      { arbitrary: fc.constant([]), weight: 6 },
      { arbitrary: fc.array(fc.record({ id, gone: fc.boolean() }), { minLength: 1, maxLength: 2 }), weight: 1 },
    ),
  });
}

function historiesOf(
  first: fc.Arbitrary<readonly Edit[]>,
  later: fc.Arbitrary<readonly Edit[]>,
): fc.Arbitrary<History> {
  return fc.record<History>({
    store: fc.constantFrom("files", "redis", "bucket"),
    limits: fc.nat(3),
    password: oneIn(2),
    seed: fc.nat(),
    chapters: fc
      .tuple(chapter(first), fc.array(chapter(later), { maxLength: 4, ...most }))
      .map(([beginning, rest]) => [beginning, ...rest]),
  });
}

const inserts = fc.array(insert, { minLength: 1, maxLength: 9, ...most });
const plain = historiesOf(inserts, edits);
/** Much of it is in scopes, which are renamed now and then. */
const renamings = historiesOf(
  fc.tuple(inserts, fc.boolean()).map(([its, isWrapped]) => (isWrapped ? [...its, { edit: "wrap", name: "x" }] : its)),
  fc.oneof(edits, renaming),
);

/** The history of a seed; the same one for ever. */
export function historyOf(seed: number): History {
  const [history] = fc.sample(seed % 10 === 9 ? renamings : plain, { seed, numRuns: 1 });
  if (!history) throw new Error("A seed gives a history.");
  return history;
}
