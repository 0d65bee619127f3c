/** Situations about replacements: which copy goes when, and whose the names are. */
import fc from "fast-check";
import type { Options } from "../program.ts";
import {
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
  )
  .map(([of, other, its, its2, as, isPlanned, areBoth, one, isFirst]) => {
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
      ...(isPlanned ? [chapter({ deployers: [{ ...one, does: "apply" }] })] : []),
      chapter({ reverts: areBoth ? 0 : 1, deployers: [one] }),
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

/** An old copy cannot be deleted, and the user keeps it; then its name is wanted again. */
export const keptCopy: Situation = fc
  .tuple(id, kind, fc.constantFrom("forbidden" as const, "slow" as const, "partly" as const), calmly, oneIn(2))
  .map(([of, its, how, one, isReverted]) => [
    chapter({ edits: [change(of, { kind: its, name: 0, value: 0, options: {} })], deployers: [one] }),
    chapter({
      edits: [change(of, { name: 1, value: 1 })],
      deployers: [one],
      refusals: [{ id: of, phase: "delete", how }],
    }),
    chapter({ edits: isReverted ? [change(of, { name: 0, value: 2 })] : [], keepsCopies: true, deployers: [one] }),
  ]);

/** What is protected, or retained, from now on is to be replaced by the same edit. */
export const guardedReplacement: Situation = fc
  .tuple(
    id,
    kind,
    fc.constantFrom<Options[]>({ protect: true }, { protect: true, deleteBeforeReplace: true }, { retain: true }),
    calmly,
  )
  .map(([of, its, options, one]) => [
    chapter({ edits: [change(of, { kind: its, name: 0, options: {} })], deployers: [one] }),
    chapter({ edits: [change(of, { name: 1, options })], deployers: [one] }),
  ]);

/** What was renamed keeps its physical name, and its old id is used for something new. */
export const renamed: Situation = fc
  .tuple(id, namedKind, declaration({ kind: namedKind }), calmly, oneIn(3))
  .map(([of, its, step, one, isReplaced]) => [
    chapter({ edits: [change(of, { kind: its, name: 0, options: {} })], deployers: [one] }),
    chapter({
      edits: [
        { edit: "rename", id: of, to: "h", keeps: true },
        ...(isReplaced ? [change("h", { name: 1 })] : []),
        { edit: "insert", at: END, step: { ...step, id: of, options: {}, uses: [], steps: [] } },
      ],
      deployers: [one],
    }),
  ]);
