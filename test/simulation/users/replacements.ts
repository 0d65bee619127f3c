/** Situations about replacements: the order of the copies' deletes, and the owner of a name. */
import fc from "fast-check";
import type { Blow } from "../../../plugins/testing/simulation/simulated-process.js";
import type { Edit, KindName, Options, Use } from "../program.ts";
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
const use = fc.constantFrom("output" as const, "pending" as const, "depends" as const);
const kills: fc.Arbitrary<readonly Blow[]> = fc.integer({ min: 2, max: 14 }).map((at) => [{ at, what: "kill" }]);

/** A replacement whose old copy has to wait, followed by another one. */
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

/** Resources in use are replaced, with or without a plan: "l" uses "k", and "m" uses "l". */
export const replacedInUse: Situation = fc
  .tuple(
    declaration(),
    fc.constantFrom("needed" as const, "read" as const),
    fc.tuple(kind, kind),
    fc.tuple(use, use),
    oneIn(3).map((isNot) => !isNot),
    fc.subarray(["l", "m"]),
    fc.subarray(["k", "l", "m"]),
    deployer({
      blows: fc.oneof(fc.constant([]), kills),
      isLimited: oneIn(6),
      vetoes: oneIn(6),
      keepsOrphans: oneIn(6),
      parallel: fc.boolean(),
    }),
    fc.constantFrom("on", "back", "drop"),
    calmly,
  )
  .map(([step, its, [its2, its3], [as, as2], isPlanned, others, first, applier, then, one]) => {
    const insert = (id: string, own: KindName, uses: readonly Use[]): Edit => {
      const options = id === "k" || first.includes(id) ? { deleteBeforeReplace: true } : {};
      const made = { ...step, id, kind: own, name: 0, uses, options, isAwaited: true, isCaught: false, steps: [] };
      return { edit: "insert", at: END, step: made };
    };
    return [
      chapter({
        edits: [insert("k", its, []), insert("l", its2, [{ id: "k", as }]), insert("m", its3, [{ id: "l", as: as2 }])],
        deployers: [one],
      }),
      chapter({
        edits: ["k", ...others].map((id) => change(id, { name: 1 })),
        deployers: [{ ...one, does: isPlanned ? "plan" : "up" }],
      }),
      ...(isPlanned ? [chapter({ deployers: [{ ...applier, does: "apply" }] })] : []),
      // The user continues, goes back, or drops the dependent.
      chapter({
        ...(then === "back" ? { reverts: isPlanned ? 2 : 1 } : {}),
        edits: then === "drop" ? [removal("l")] : [],
        deployers: [one],
      }),
    ];
  });

/** Resources that are kept for good, and those that replace them. */
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

/** An edit that protects or retains a resource also replaces it. */
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

/** A renamed resource keeps its physical name, and its old id is used for a new one. */
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
