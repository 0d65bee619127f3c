/** Situations about replacements: which copy goes when, and whose the names are. */
import fc from "fast-check";
import {
  blows,
  change,
  chapter,
  declaration,
  deployer,
  END,
  id,
  kind,
  namedKind,
  oneIn,
  removal,
  type Situation,
} from "./pieces.ts";

const calmly = deployer();

/** A replacement whose old copy has to wait, and another one behind it. */
export const twoReplacements: Situation = fc
  .tuple(
    declaration({ kind: namedKind, name: fc.constant(0) }),
    fc.constantFrom({ deleteBeforeReplace: true }, { deleteBeforeReplace: true }, {}),
    deployer({ mishap: fc.constantFrom(0, 0, 0.3) }),
    calmly,
  )
  .map(([step, second, one, two]) => {
    const made = { ...step, isAwaited: true, isCaught: true, uses: [], options: {}, steps: [] };
    return [
      chapter({
        edits: [
          { edit: "insert", at: END, step: { ...made, id: "i" } },
          { edit: "insert", at: END, step: { ...made, id: "j", kind: "token", value: 0 } },
        ],
        deployers: [two],
      }),
      chapter({
        edits: [change("i", { name: 1 }), change("j", { value: 1 })],
        deployers: [one],
        refusals: [{ id: "j", phase: "update", how: "busy" }],
      }),
      chapter({ edits: [change("i", { name: 2, options: second })], deployers: [two] }),
    ];
  });

/** What others use is replaced, with or without a plan. */
export const replacedInUse: Situation = fc
  .tuple(
    id,
    id,
    fc.constantFrom("needed" as const, "read" as const),
    kind,
    fc.constantFrom("output" as const, "pending" as const, "depends" as const),
    fc.boolean(),
    fc.boolean(),
    calmly,
    oneIn(2),
    deployer({
      blows: fc.oneof(fc.constant([]), blows),
      isLimited: oneIn(6),
      vetoes: oneIn(6),
      keepsOrphans: oneIn(6),
      parallel: fc.boolean(),
    }),
    fc.nat(2),
  )
  .map(([of, other, its, its2, as, isPlanned, areBoth, one, isFirst, applier, then]) => {
    const options = { deleteBeforeReplace: true };
    const replaced = [change(of, { name: 1 }), ...(areBoth ? [change(other, { name: 1 })] : [])];
    return [
      chapter({
        edits: [
          change(of, { kind: its, options, name: 0, uses: [] }),
          change(other, { kind: its2, name: 0, uses: [{ id: of, as }], options: isFirst ? options : {} }),
        ],
        deployers: [one],
      }),
      chapter({ edits: replaced, deployers: [{ ...one, does: isPlanned ? "plan" : "up" }] }),
      ...(isPlanned ? [chapter({ deployers: [{ ...applier, does: "apply" }] })] : []),
      // The user goes on, goes back, or drops the dependent.
      chapter({
        ...(then === 1 || !areBoth ? { reverts: 1 } : {}),
        edits: then === 2 ? [removal(other)] : [],
        deployers: [one],
      }),
    ];
  });

/** What is kept for good, and what is made in its place. */
export const retained: Situation = fc
  .tuple(
    id,
    namedKind,
    fc.constantFrom({ retain: true }, { retain: true, deleteBeforeReplace: true }),
    oneIn(2),
    calmly,
  )
  .map(([of, its, kept, isDropped, one]) => [
    chapter({ edits: [change(of, { kind: its, name: 0, options: kept })], deployers: [one] }),
    chapter({ edits: isDropped ? [removal(of)] : [change(of, { name: 1 })], deployers: [one] }),
    chapter({ ...(isDropped ? { reverts: 1 } : {}), deployers: [one] }),
  ]);
