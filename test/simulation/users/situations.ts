/** Situations of users: each is some chapters of a history, with random details. */
import fc from "fast-check";
import type { Chapter, Deployer } from "../history.ts";
import type { Edit } from "../program.ts";
import {
  anyone,
  blows,
  change,
  chapter,
  declaration,
  deployer,
  END,
  edit,
  guarded,
  id,
  ids,
  insert,
  namedKind,
  oneIn,
  options,
  refusal,
  removal,
  type Situation,
} from "./pieces.ts";
import type { Refusal } from "./refusals.ts";
import { guardedReplacement, keptCopy, renamed, replacedInUse, retained, twoReplacements } from "./replacements.ts";

const calmly = deployer();
const edits = (most: number): fc.Arbitrary<readonly Edit[]> => fc.array(edit, { maxLength: most });
const how = fc.constantFrom<Refusal["how"][]>("forbidden", "forbidden", "busy", "lost", "slow", "partly");

/** Anything. */
const wandering: Situation = fc
  .tuple(edits(4), fc.array(anyone, { minLength: 1, maxLength: 1 }), fc.array(refusal, { maxLength: 2 }), oneIn(3))
  .map(([its, deployers, refusals, isForeseen]) => [chapter({ edits: its, deployers, refusals, isForeseen })]);

/** A delete fails, and its resource is declared again, or guarded, or still dropped. */
const refusedDelete: Situation = fc
  .tuple(
    ids,
    how,
    fc.boolean(),
    deployer({ blows: fc.oneof(fc.constant([]), blows) }),
    guarded,
    fc.option(options),
    oneIn(3),
    oneIn(3),
  )
  .map(([gone, why, isDestroyed, first, second, other, staysOut, isOfPart]) => [
    chapter({
      edits: isDestroyed ? [] : gone.map(removal),
      deployers: [{ ...first, does: isDestroyed ? "destroy" : "up" }],
      refusals: (isOfPart ? ["p"] : gone).map((of) => ({ id: of, phase: "delete", how: why })),
    }),
    chapter({
      ...(isDestroyed || staysOut ? {} : { reverts: 1 }),
      edits: other ? gone.map((of) => change(of, { options: other })) : [],
      deployers: [second],
      isForeseen: true,
    }),
  ]);

/** A foreign resource is adopted, which fails half way, and is dropped, or declared without permission. */
const adoption: Situation = fc
  .tuple(
    fc.constantFrom("h", "h", "a"),
    declaration({ kind: namedKind, options: fc.constantFrom({ adopt: true }, { adopt: true }, {}) }),
    deployer({ blows: fc.oneof(fc.constant([]), blows), mishap: fc.constantFrom(0, 0.4) }),
    fc.constantFrom("remove", "leave", "keep"),
    calmly,
    fc.constantFrom("busy" as const, "slow" as const, undefined),
    fc.integer({ min: 6, max: 20 }),
  )
  .map(([of, step, first, then, second, why, at]) => [
    chapter({
      edits: [removal(of), { edit: "insert", at: END, step: { ...step, id: of, steps: [] } }],
      foreign: [{ id: of, scope: "" }],
      // It is killed while a slow update is in progress.
      deployers: [why === "slow" ? { ...first, blows: [{ at, what: "kill" }] } : first],
      refusals: why ? [{ id: of, phase: "update", how: why }] : [],
    }),
    chapter({
      edits: then === "remove" ? [removal(of)] : then === "leave" ? [change(of, { options: {} })] : [],
      deployers: [second],
    }),
  ]);

/** A create takes effect and its reply is lost; the declaration changes, and the repeat fails, too. */
const lostCreate: Situation = fc
  .tuple(
    declaration(),
    fc.nat(3),
    fc.nat(1),
    fc.constantFrom({}, { retry: 3 }),
    fc.constantFrom(0, 0.5),
    calmly,
    fc.constantFrom("busy" as const, "unmade" as const),
    fc.constantFrom("lost" as const, "lost" as const, "unmade" as const),
  )
  .map(([step, value, name, its, mishap, one, then, first]) => [
    chapter({
      edits: [removal(step.id), { edit: "insert", at: END, step: { ...step, options: its } }],
      deployers: [one],
      refusals: [{ id: step.id, phase: "create", how: first }],
    }),
    chapter({
      edits: [change(step.id, { value, name })],
      deployers: [{ ...one, mishap }],
      refusals: mishap > 0 ? [] : [{ id: step.id, phase: "create", how: then }],
    }),
  ]);

const WAITERS = ["e", "f", "g"] as const;

/** Several deployers with programs of their own wait for each other. */
const waiting: Situation = fc
  .tuple(
    fc.integer({ min: 2, max: 3 }),
    fc.uniqueArray(fc.nat(9), { minLength: 3, maxLength: 3 }),
    declaration(),
    id,
    calmly,
  )
  .map(([count, values, step, of, one]) => {
    const deployers = WAITERS.slice(0, count).map((own, index): Deployer => {
      const added: Edit = { edit: "insert", at: END, step: { ...step, id: own, uses: [], options: {}, steps: [] } };
      return { ...one, calls: true, machine: index, own: [added, change(of, { value: values[index] ?? 0 })] };
    });
    return [chapter({ deployers })];
  });

/** Others change a prop that is ignored; then the program changes, too. */
const ignored: Situation = fc
  .tuple(id, fc.integer({ min: 4, max: 9 }), edits(1), fc.nat(3), deployer({ refresh: fc.boolean() }))
  .map(([of, tag, others, value, one]) => [
    chapter({ edits: [change(of, { kind: "tagged", options: { ignores: true } })], deployers: [one] }),
    chapter({ edits: [...others, change(of, { value })], drift: [{ id: of, gone: false, tag }], deployers: [one] }),
  ]);

/** A finalized app is read. */
const looked: Situation = fc
  .tuple(edits(2), deployer({ looks: fc.constantFrom("run", "finalize", "empty") }))
  .map(([its, one]) => [chapter({ edits: its, deployers: [one] })]);

/** The power fails during a run; the history ends with the remaining state. */
const powerLoss: Situation = fc
  .tuple(edits(3), anyone, fc.array(refusal, { maxLength: 1 }), fc.integer({ min: 1, max: 1_500 }))
  .map(([its, one, refusals, crash]) => [chapter({ edits: its, deployers: [one], refusals, crash })]);

/** A run acts on some of the moved resources, and everything is destroyed after it. */
const targetedMove: Situation = fc
  .tuple(
    declaration(),
    fc.shuffledSubarray(["a", "b", "c"], { minLength: 3 }),
    fc.nat(3),
    calmly,
    fc.constantFrom("destroy", "up"),
  )
  .map(([step, [one = "a", two = "b", three = "c"], value, person, does]) => {
    const plain = { ...step, kind: "token", isAwaited: true, options: {}, steps: [] } as const;
    const made = (own: string, on?: string): Edit => ({
      edit: "insert",
      at: END,
      step: { ...plain, id: own, uses: on === undefined ? [] : [{ id: on, as: "value" }] },
    });
    return [
      chapter({ edits: [one, two, three].map(removal), deployers: [person] }),
      chapter({ edits: [made(one), made(two), made(three, two)], deployers: [person] }),
      chapter({
        edits: [removal(one), removal(two), change(three, { value, uses: [] }), made("d"), made(one, "d")],
        deployers: [{ ...person, targets: [one, "d"] }],
      }),
      chapter({ deployers: [{ ...person, does: does === "destroy" ? "destroy" : "up", parallel: true }] }),
    ];
  });

export const situations: Readonly<Record<string, { readonly arbitrary: Situation; readonly weight: number }>> = {
  wandering: { arbitrary: wandering, weight: 6 },
  refusedDelete: { arbitrary: refusedDelete, weight: 4 },
  adoption: { arbitrary: adoption, weight: 2 },
  twoReplacements: { arbitrary: twoReplacements, weight: 2 },
  lostCreate: { arbitrary: lostCreate, weight: 2 },
  waiting: { arbitrary: waiting, weight: 1 },
  ignored: { arbitrary: ignored, weight: 1 },
  looked: { arbitrary: looked, weight: 1 },
  targetedMove: { arbitrary: targetedMove, weight: 1 },
  replacedInUse: { arbitrary: replacedInUse, weight: 2 },
  retained: { arbitrary: retained, weight: 1 },
  guardedReplacement: { arbitrary: guardedReplacement, weight: 1 },
  renamed: { arbitrary: renamed, weight: 1 },
  keptCopy: { arbitrary: keptCopy, weight: 1 },
  powerLoss: { arbitrary: powerLoss, weight: 1 },
};

/** The first chapter: a program, and a run of it. */
export const beginning: fc.Arbitrary<Chapter> = fc
  .tuple(fc.array(insert(), { minLength: 1, maxLength: 5, size: "max" }), calmly)
  .map(([its, one]) => chapter({ edits: its, deployers: [one] }));
