/** Random histories of a stage: its program, who deploys it, and what happens meanwhile. Data that can be printed and pasted. */
import fc from "fast-check";
import type { Blow } from "../../core/testing/simulation/process-settings.js";
import type { Declaration, Edit, KindName, Options, Step, Use } from "./program.ts";

/** One process that does something with the stage. */
export interface Deployer {
  /** Which of three machines it runs on. */
  readonly machine: number;
  /** Milliseconds after the beginning of the chapter. */
  readonly delay: number;
  /** `apply`: an up that keeps to the plan that was saved last. */
  readonly does: "up" | "destroy" | "read" | "plan" | "apply";
  readonly concurrency: number;
  readonly parallel: boolean;
  /** Milliseconds to wait for a living owner. */
  readonly lockTimeout: number;
  readonly refresh: boolean;
  readonly force: boolean;
  /** Ids that alone are acted on. */
  readonly targets: readonly string[];
  readonly blows: readonly Blow[];
  /** Probability that a request of a handler fails, before or after it has taken effect. */
  readonly mishap: number;
  /** Steps at the end of the program that it does not have. */
  readonly behind: number;
  /** What watches over the process is installed, as in a program of its own. */
  readonly isWatched: boolean;
  /** Edits after each of which the same process runs the program again. */
  readonly again: readonly (readonly Edit[])[];
}

export interface Chapter {
  readonly edits: readonly Edit[];
  readonly deployers: readonly Deployer[];
  /** Probabilities, of each request to the store. */
  readonly lostRequest: number;
  readonly lostReply: number;
  readonly repeated: number;
  /** Milliseconds: the store is away. */
  readonly outage: readonly [from: number, length: number] | undefined;
  /** Milliseconds after which the power of all machines fails; the history ends with what is left then. */
  readonly crash: number | undefined;
  /** Somebody takes things of these ids away, or changes them, before the deployers come. */
  readonly drift: readonly { readonly id: string; readonly gone: boolean }[];
}

export interface History {
  readonly store: "files" | "redis" | "bucket";
  /** How often checkpoints are made: see live.ts. */
  readonly limits: number;
  /** Secrets are used. */
  readonly password: boolean;
  /** Chance of everything that has to do with time. */
  readonly seed: number;
  readonly chapters: readonly Chapter[];
}

const IDS = "abcdefgh";
const most = { size: "max" } as const;
const id = fc.constantFrom(...IDS);
const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((n) => n === count - 1);
/** Something once in so many times. */
function rarely<T>(times: number, something: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: times - 1 }, { arbitrary: something, weight: 1 });
}

const spot = fc.record({ list: fc.nat(9), index: fc.nat(9) });
const kind = fc.constantFrom<KindName[]>(
  "token",
  "read",
  "blind",
  "plain",
  "fixed",
  "named",
  "verified",
  "nest",
  "nest",
);

const uses = fc.uniqueArray(
  fc.record<Use>({ id, as: fc.constantFrom<Use["as"][]>("value", "value", "output", "pending") }),
  { maxLength: 3, selector: (use) => use.id },
);

const options: fc.Arbitrary<Options> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  { arbitrary: fc.constant({ retry: 3 }), weight: 2 },
  { arbitrary: fc.constant({ protect: true }), weight: 1 },
  { arbitrary: fc.constant({ retain: true }), weight: 1 },
  { arbitrary: fc.constant({ adopt: true }), weight: 1 },
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
    isSecret: oneIn(8),
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
  ),
});
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: insert, weight: 4 },
  { arbitrary: change, weight: 5 },
  { arbitrary: fc.record({ edit: fc.constant("remove" as const), id }), weight: 3 },
  { arbitrary: fc.record({ edit: fc.constant("move" as const), id, at: spot }), weight: 2 },
  {
    arbitrary: fc.record({ edit: fc.constant("rename" as const), id, to: id, keeps: fc.boolean() }),
    weight: 1,
  },
  { arbitrary: fc.record({ edit: fc.constant("reverse" as const), list: fc.nat(9) }), weight: 1 },
);

const blow = fc.record<Blow>({
  at: fc.integer({ min: 1, max: 120 }),
  what: fc.oneof(
    { arbitrary: fc.constant("kill" as const), weight: 5 },
    { arbitrary: fc.record({ pause: fc.constantFrom(500, 8_000, 25_000, 120_000) }), weight: 3 },
    { arbitrary: fc.constant("SIGINT" as const), weight: 2 },
    { arbitrary: fc.constant("SIGTERM" as const), weight: 1 },
  ),
});

const deployer = fc.record<Deployer>({
  machine: fc.nat(2),
  delay: fc.constantFrom(0, 0, 1, 40, 400, 3_000),
  does: fc.constantFrom("up", "up", "up", "up", "up", "destroy", "read", "plan", "apply"),
  concurrency: fc.constantFrom(64, 64, 2, 1),
  parallel: fc.boolean(),
  lockTimeout: fc.constantFrom(0, 60_000, 600_000),
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

const rate = fc.constantFrom(0, 0, 0, 0.02, 0.1);

function chapter(edits: fc.Arbitrary<readonly Edit[]>): fc.Arbitrary<Chapter> {
  return fc.record<Chapter>({
    edits,
    deployers: fc.oneof(
      { arbitrary: fc.array(deployer, { minLength: 1, maxLength: 1 }), weight: 3 },
      { arbitrary: fc.array(deployer, { minLength: 2, maxLength: 3 }), weight: 1 },
    ),
    lostRequest: rate,
    lostReply: rate,
    repeated: rate,
    outage: rarely(8, fc.tuple(fc.constantFrom(1, 50, 500), fc.constantFrom(5, 500, 30_000))),
    crash: rarely(25, fc.constantFrom(1, 30, 120, 400, 1_500)),
    drift: fc.oneof(
      { arbitrary: fc.constant([]), weight: 6 },
      { arbitrary: fc.array(fc.record({ id, gone: fc.boolean() }), { minLength: 1, maxLength: 2 }), weight: 1 },
    ),
  });
}

const histories: fc.Arbitrary<History> = fc.record<History>({
  store: fc.constantFrom("files", "redis", "bucket"),
  limits: fc.nat(3),
  password: oneIn(5),
  seed: fc.nat(),
  chapters: fc
    .tuple(
      chapter(fc.array(insert, { minLength: 1, maxLength: 7, ...most })),
      fc.array(chapter(fc.array(edit, { maxLength: 4, ...most })), { maxLength: 4, ...most }),
    )
    .map(([first, rest]) => [first, ...rest]),
});

/** The history of a seed; the same one for ever. */
export function historyOf(seed: number): History {
  const [history] = fc.sample(histories, { seed, numRuns: 1 });
  if (!history) throw new Error("A seed gives a history.");
  return history;
}
