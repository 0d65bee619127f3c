/** Random pieces of histories in the world of users. */
import fc from "fast-check";
import type { Blow } from "../../../plugins/testing/simulation/simulated-process.js";
import { CALM } from "../calm.ts";
import type { Chapter, Deployer } from "../history.ts";
import type { Declaration, Edit, KindName, Options, Step, Use } from "../program.ts";
import type { Refusal } from "./refusals.ts";

export const id = fc.constantFrom("a", "b", "c", "d");
export const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((n) => n === count - 1);
export const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 2 });

export const kind = fc.constantFrom<KindName[]>(
  "token",
  "read",
  "blind",
  "plain",
  "fixed",
  "verified",
  "nest",
  "nest",
  "nest",
  "reserved",
  "reserved",
  "overwriting",
  "manual",
  "lagging",
  "needed",
  "tagged",
  "frozen",
);
export const namedKind = fc.constantFrom<KindName[]>("reserved", "overwriting", "manual");

const uses = fc.uniqueArray(
  fc.record<Use>({ id, as: fc.constantFrom<Use["as"][]>("value", "output", "output", "pending", "depends") }),
  { maxLength: 2, selector: (use) => use.id },
);

export const options: fc.Arbitrary<Options> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 8 },
  { arbitrary: fc.constant({ deleteBeforeReplace: true }), weight: 4 },
  { arbitrary: fc.constant({ retry: 3 }), weight: 1 },
  { arbitrary: fc.constant({ protect: true }), weight: 1 },
  { arbitrary: fc.constant({ retain: true }), weight: 1 },
  { arbitrary: fc.constant({ retain: true, deleteBeforeReplace: true }), weight: 1 },
  { arbitrary: fc.constant({ adopt: true }), weight: 1 },
  { arbitrary: fc.constant({ ignores: true }), weight: 1 },
  { arbitrary: fc.constant({ timeout: 400 }), weight: 1 },
);

const none = fc.constant<readonly Step[]>([]);

export function declaration(of: Partial<{ [K in keyof Declaration]: fc.Arbitrary<Declaration[K]> }> = {}) {
  const part = fc.uniqueArray(plain({ id: fc.constantFrom("p", "q") }, none), {
    maxLength: 2,
    selector: (one) => one.id,
  });
  return plain(of, part);
}

function plain(
  of: Partial<{ [K in keyof Declaration]: fc.Arbitrary<Declaration[K]> }>,
  steps: fc.Arbitrary<readonly Step[]>,
): fc.Arbitrary<Declaration> {
  return fc.record<Declaration>({
    do: fc.constant("declare" as const),
    id,
    kind,
    value: fc.nat(2),
    name: fc.nat(2),
    uses,
    isAwaited: oneIn(4).map((n) => !n),
    isCaught: oneIn(6),
    isSecret: fc.constant(false),
    tag: fc.nat(1),
    options,
    steps,
    ...of,
  } as { [K in keyof Declaration]: fc.Arbitrary<Declaration[K]> });
}

const place = { list: fc.nat(3), index: fc.nat(9) };
const spot = fc.record(place);
/** The end of a list of up to eleven steps, because positions wrap around. */
export const END = { list: 0, index: 27_719 } as const;

export const insert = (step: fc.Arbitrary<Step> = piece): fc.Arbitrary<Edit> =>
  fc.record({ edit: fc.constant("insert" as const), at: spot, step });

const piece: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: declaration(), weight: 16 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom("all" as const, "scope" as const),
      name: fc.constant("x"),
      steps: fc.array(declaration(), { maxLength: 2 }),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant("destroy" as const), id }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("throw" as const) }), weight: 1 },
);

export const change = (of: string, to: Extract<Edit, { edit: "change" }>["to"]): Edit => ({
  edit: "change",
  id: of,
  to,
});
export const removal = (of: string): Edit => ({ edit: "remove", id: of });

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: insert(), weight: 3 },
  { arbitrary: id.map(removal), weight: 3 },
  { arbitrary: fc.record({ edit: fc.constant("move" as const), id, at: spot }), weight: 2 },
  { arbitrary: fc.record({ edit: fc.constant("rename" as const), id, to: id, keeps: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc
      .tuple(
        id,
        fc.oneof(
          fc.record({ value: fc.nat(3) }),
          fc.record({ name: fc.nat(3) }),
          fc.record({ uses }),
          fc.record({ options }),
          fc.record({ kind }),
          fc.record({ tag: fc.nat(3) }),
        ),
      )
      .map(([of, to]) => change(of, to)),
    weight: 6,
  },
);

export const blows: fc.Arbitrary<readonly Blow[]> = fc.array(
  fc.record<Blow>({
    at: fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 5, max: 60 })),
    what: fc.oneof(
      { arbitrary: fc.constant("kill" as const), weight: 6 },
      { arbitrary: fc.constant("SIGINT" as const), weight: 2 },
      { arbitrary: fc.record({ pause: fc.constantFrom(500, 25_000) }), weight: 1 },
    ),
  }),
  { minLength: 1, maxLength: 1 },
);

/** An undisturbed deployer, except for the members in `of`. */
export function deployer(
  of: Partial<{ [K in keyof Deployer]: fc.Arbitrary<Deployer[K]> }> = {},
): fc.Arbitrary<Deployer> {
  const { adopts: _, ...calm } = CALM;
  const constants = Object.fromEntries(Object.entries(calm).map(([name, value]) => [name, fc.constant(value)]));
  return fc.record({ ...constants, ...of } as {
    [K in keyof Deployer]: fc.Arbitrary<Deployer[K]>;
  }) as fc.Arbitrary<Deployer>;
}

const seldom = <T>(times: number, usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: times - 1 }, { arbitrary: other, weight: 1 });

/** Any deployer. */
export const anyone: fc.Arbitrary<Deployer> = deployer({
  does: fc.constantFrom("up", "up", "up", "up", "up", "up", "destroy", "plan", "apply"),
  concurrency: fc.constantFrom(64, 64, 2, 1),
  parallel: fc.boolean(),
  refresh: oneIn(5),
  isWatched: fc.boolean(),
  calls: oneIn(3),
  blows: seldom<readonly Blow[]>(3, [], blows),
  mishap: fc.constantFrom(0, 0, 0, 0.2),
  targets: seldom<readonly string[]>(9, [], ids),
  isLimited: oneIn(8),
  vetoes: oneIn(12),
  keepsOrphans: oneIn(8),
  adopts: oneIn(9),
});

/** A user who is careful. */
export const guarded: fc.Arbitrary<Deployer> = deployer({
  refresh: oneIn(4),
  isLimited: fc.boolean(),
  vetoes: oneIn(3),
  keepsOrphans: oneIn(3),
  calls: fc.boolean(),
});

const hows = ["forbidden", "quota", "busy", "lost", "slow"] as const;

const refusing = (phase: Refusal["phase"], ...more: Refusal["how"][]): fc.Arbitrary<Refusal> =>
  fc.record({ id, phase: fc.constant(phase), how: fc.constantFrom(...hows, ...more) });

export const refusal: fc.Arbitrary<Refusal> = fc.oneof(
  { arbitrary: refusing("create", "unmade"), weight: 1 },
  { arbitrary: refusing("update"), weight: 1 },
  { arbitrary: refusing("delete", "partly", "partly"), weight: 2 },
);

/** An uneventful chapter, except for the members in `of`. */
export function chapter(of: Partial<Chapter> & Pick<Chapter, "deployers">): Chapter {
  const calm = { edits: [], lostRequest: 0, lostReply: 0, repeated: 0, outage: undefined, crash: undefined, drift: [] };
  return { ...calm, ...of };
}

/** Chapters that belong together. */
export type Situation = fc.Arbitrary<readonly Chapter[]>;
