/** Random histories of a stage: a program, its edits, and the fate of each run. */
import { fc } from "../../../helpers/checks/generated.ts";
import type { Edit, Want } from "./program.ts";
import type { Fate } from "./run.ts";

export interface Chapter extends Fate {
  /** Edits of the program before the run. */
  readonly edits: readonly Edit[];
  /** The process dies after this many deletes of its prune. */
  readonly pruned: number | undefined;
}

const names = "abcdefgh";
const name = fc.constantFrom(...names);
const small = fc.nat(15);
const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((n) => n === count - 1);
const most = { size: "max" } as const;

const wants = fc.uniqueArray(fc.record<Want>({ name, refer: oneIn(8) }), {
  maxLength: 3,
  selector: (want) => want.name,
});

function insert(ofName: fc.Arbitrary<string>, caught: fc.Arbitrary<boolean>): fc.Arbitrary<Edit> {
  const edit = fc.constant("insert" as const);
  return fc.record({ edit, name: ofName, wants, nests: oneIn(3), caught, group: small, index: small });
}

const wrap = fc.record({
  edit: fc.constant("wrap" as const),
  mode: fc.constantFrom("all" as const, "sequence" as const),
  count: fc.nat(4),
  group: small,
  index: small,
});
const move = fc.record({ edit: fc.constant("move" as const), name, group: small, index: small });
const turn = fc.record({
  edit: fc.constantFrom("toggle" as const, "reverse" as const, "rotate" as const),
  group: small,
});
const remove = fc.record({ edit: fc.constant("remove" as const), name });
const rewire = fc.record({ edit: fc.constant("rewire" as const), name, wants });
const change = fc.record({ edit: fc.constantFrom("update" as const, "replace" as const), name, shows: fc.boolean() });

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: insert(name, oneIn(8)), weight: 3 },
  { arbitrary: wrap, weight: 1 },
  { arbitrary: move, weight: 3 },
  { arbitrary: turn, weight: 2 },
  { arbitrary: remove, weight: 1 },
  { arbitrary: rewire, weight: 3 },
  { arbitrary: change, weight: 3 },
);

const fate = {
  delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 12, ...most }),
  fails: fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, fc.array(name, { maxLength: 2 })),
  killAt: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, fc.nat(40)),
  pruned: fc.oneof({ arbitrary: fc.constant(undefined), weight: 6 }, fc.nat(3)),
};

function chapters(first: fc.Arbitrary<Edit>, later: fc.Arbitrary<Edit>): fc.Arbitrary<readonly Chapter[]> {
  const opening = fc.record<Chapter>({ edits: fc.array(first, { maxLength: 14, ...most }), ...fate });
  const chapter = fc.record<Chapter>({ edits: fc.array(later, { maxLength: 5, ...most }), ...fate });
  return fc.tuple(opening, fc.array(chapter, { maxLength: 5, ...most })).map(([one, more]) => [one, ...more]);
}

/** Histories in which any edit may happen between two runs. */
export const histories = chapters(fc.oneof({ arbitrary: insert(name, oneIn(8)), weight: 4 }, wrap), anyEdit);

/** Histories of a program that awaits its resources one by one, keeps their order, and stops at the first failure. */
export const steadyHistories = chapters(
  insert(name, fc.constant(false)),
  // Names that the opening does not have: a removed resource could come back at another place.
  fc.oneof(
    insert(
      name.map((each) => each.toUpperCase()),
      fc.constant(false),
    ),
    remove,
    change,
    rewire,
  ),
).map((all) => {
  const gone = new Set<string>();
  return all.map((chapter) => ({
    ...chapter,
    edits: chapter.edits.filter((edit) => {
      if (edit.edit === "remove") gone.add(edit.name);
      return edit.edit !== "insert" || !gone.has(edit.name);
    }),
  }));
});
