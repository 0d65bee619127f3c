import { comparePositions } from "../../../../core/lifecycle/positions.ts";
/** Random histories: a program, its edits, and how each run of it goes. */
import fc from "fast-check";
import { deleteAll, type Early } from "./deletion.ts";
import { type Edit, edited, emptyProgram, type Want } from "./program.ts";
import { run } from "./run.ts";
import { World } from "./world.ts";

export interface Chapter {
  readonly edits: readonly Edit[];
  readonly delays: readonly number[];
  readonly fails: readonly string[];
  readonly killAt: number | undefined;
  /** The complete run deletes what is doomed. */
  readonly prunes: boolean;
}

const name = fc.constantFrom(..."abcdefgh");
const small = fc.nat(15);
const want: fc.Arbitrary<Want> = fc.record({ name, refer: fc.nat(7).map((n) => n === 7) });
const wants = fc.uniqueArray(want, { maxLength: 3, selector: (each) => each.name });
const rarely = fc.nat(7).map((n) => n === 7);
const often = fc.nat(7).map((n) => n !== 7);

const insert = fc.record<Edit & { edit: "insert" }>({
  edit: fc.constant("insert" as const),
  group: small,
  index: small,
  name,
  wants,
  caught: rarely,
  nests: fc.nat(2).map((n) => n === 2),
});
const wrap = fc.record<Edit & { edit: "wrap" }>({
  edit: fc.constant("wrap" as const),
  group: small,
  index: small,
  mode: fc.constantFrom("all" as const, "sequence" as const),
  count: fc.nat(4),
});
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: insert, weight: 3 },
  { arbitrary: wrap, weight: 1 },
  { arbitrary: fc.record({ edit: fc.constant("move" as const), name, group: small, index: small }), weight: 3 },
  { arbitrary: fc.record({ edit: fc.constantFrom("toggle" as const, "reverse" as const, "rotate" as const), group: small }), weight: 2 },
  { arbitrary: fc.record({ edit: fc.constant("remove" as const), name }), weight: 1 },
  { arbitrary: fc.record({ edit: fc.constant("rewire" as const), name, wants }), weight: 3 },
  { arbitrary: fc.record({ edit: fc.constantFrom("update" as const, "replace" as const), name, shows: fc.boolean() }), weight: 3 },
);

const delays = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 });
const fate = {
  delays,
  fails: fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, fc.array(name, { maxLength: 2 })),
  killAt: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, fc.nat(30)),
  prunes: often,
};

export const history: fc.Arbitrary<readonly Chapter[]> = fc
  .tuple(
    fc.record<Chapter>({ edits: fc.array(fc.oneof({ arbitrary: insert, weight: 4 }, wrap), { maxLength: 14, size: "max" }), ...fate }),
    fc.array(fc.record<Chapter>({ edits: fc.array(edit, { maxLength: 5, size: "max" }), ...fate }), { maxLength: 4, size: "max" }),
  )
  .map(([first, rest]) => [first, ...rest]);

export interface Verdict {
  readonly early: readonly Early[];
  readonly trace: readonly string[];
  readonly moved: number;
  readonly unchangedMoved: number;
}

export function live(chapters: readonly Chapter[]): Verdict {
  const world = new World();
  let program = emptyProgram();
  const early: Early[] = [];
  const trace: string[] = [];
  let moved = 0;
  let unchangedMoved = 0;
  for (const [number, chapter] of chapters.entries()) {
    program = edited(program, chapter.edits);
    const result = run(world, program, chapter);
    moved += result.moved;
    trace.push(`run ${number + 1} ${JSON.stringify(chapter)}`, ...result.log);
    const before = early.length;
    early.push(...deleteAll([...world.copies.values()]).early);
    early.push(...deleteAll([...world.copies.values()], chapter.delays).early);
    early.push(...deleteAll(result.doomed).early);
    early.push(...deleteAll(result.doomed, chapter.delays).early);
    for (const copy of world.copies.values()) {
      const parent = copy.parent === undefined ? undefined : world.copies.get(copy.parent);
      if ((parent && comparePositions(copy.ready, parent.ready) <= 0) || (copy.done && comparePositions(copy.ready, copy.done) >= 0)) early.push({ strength: "shape", deleted: copy.uid, before: "" });
    }
    if (early.length > before) {
      trace.push(...[...world.copies.values()].map((copy) => `${copy.uid} ${copy.ready} to ${copy.done} uses ${[...copy.uses]} stands on ${[...copy.standsOn]} parent ${copy.parent} ${copy.replaced ? "old" : ""}`));
      break;
    }
    if (result.complete) {
      if (chapter.prunes) for (const { uid } of result.doomed) world.copies.delete(uid);
      const again = run(world, program, { delays: chapter.delays.toReversed(), fails: [], killAt: undefined });
      unchangedMoved += again.moved;
      if (again.moved) { trace.push("again", ...again.log); break; }
    }
  }
  return { early, trace, moved, unchangedMoved };
}
