/** The sentences of the guide that the oracles of the world of users check, by the first word of a violation. */

export interface Promised {
  /** Below docs/guide. */
  readonly page: string;
  /** Without emphasis and addresses of links. */
  readonly sentence: string;
}

const lifecycle = (sentence: string): Promised => ({ page: "lifecycle.md", sentence });
const resources = (sentence: string): Promised => ({ page: "resources.md", sentence });
const scopes = (sentence: string): Promised => ({ page: "scopes.md", sentence });
const types = (sentence: string): Promised => ({ page: "resource-types.md", sentence });
const ledger = (sentence: string): Promised => ({ page: "state.md", sentence });

const OWN = lifecycle(
  "The engine deletes a real resource only if it created or finished adopting the resource, and only if the present program or command asks for the delete.",
);
const NOT_PRUNED = lifecycle(
  "`finalize()` does not prune children of an unchanged resource, other stages, resources that targets leave out, or undeclared resources of a scope with `destroyOrphans: false`. It keeps a resource that another run created or changed after this run started.",
);
const GOES_ON = lifecycle("The next run leaves finished resources unchanged and continues the pending ones.");
const RESULT = ledger(
  "Before the engine calls a handler, it records what it is about to do (the intent) and waits until that is durable. After the handler, it records the result.",
);
const PHASES = lifecycle(
  "The default, `up`, applies declarations and prunes resources that are no longer declared. `read` returns recorded outputs and changes nothing. `destroy` deletes everything that the stage has recorded, normally before `engine()` resolves.",
);
const PLAN = {
  page: "plans.md",
  sentence:
    "The program and the recorded state go through the same lifecycle, but nothing is written: the result is the plan.",
};
const FENCED = ledger(
  "It is fenced (`FENCED`): it starts no handler, writes nothing more, and saves its results in a recovery file.",
);

export const sentences: Readonly<Record<string, Promised>> = {
  // The deletes that a program asks for.
  foreign: OWN,
  another: OWN,
  unasked: lifecycle("finds undeclared records and old copies (left by replacements) at any depth"),
  unchanged: NOT_PRUNED,
  unpruned: NOT_PRUNED,
  pruned: lifecycle("A run with a failure prunes nothing."),
  looked: lifecycle("If such a run declares no resource, it deletes nothing and needs no `finalize()`."),
  emptied: lifecycle("To prune everything, call `finalize({ empty: true })`."),
  // Deletes that guards hold back.
  unguarded: lifecycle(
    "The repeated delete obeys the same guards as a new delete: `protect`, `retainOnDelete`, `destroyOrphans: false`, vetoes, the confirmation and `maxDeletes`.",
  ),
  untargeted: { page: "guards.md", sentence: "`finalize()` prunes only selected resources." },
  protected: resources("refuse every delete or replacement that includes the resource (`PROTECTED`)"),
  retained: resources(
    "a delete leaves the real resource alone, and only removes the resource, its children and old copies from state",
  ),
  kept: {
    page: "state-commands.md",
    sentence: "The old copy and its children are no longer",
  },
  // The order.
  early: {
    page: "order.md",
    sentence: "Y was done before X was ready, because X may have been made from Y; X refers to Y",
  },
  ahead: { page: "order.md", sentence: "An old copy keeps its position; its dependents are deleted first." },
  // Foreign resources, and names.
  unadopted: resources("To import an existing resource, pass `adopt`."),
  taken: scopes("Real resources need names that are unique in an account or on a disk."),
  reverted: resources(
    "If the value of such a prop changes, in the program or in the real resource, the engine does not update it. A run treats this neither as a change nor as drift.",
  ),
  // The results of an interrupted or failed step.
  twice: types("Use it so that a repeated create makes no second resource"),
  token: types("Within a run, `retry` uses the same token."),
  partly: types(
    "The engine records that output, and the next delete gets it. If the program declares the resource again, the engine calls `update`. If the type has no `update`, the declaration fails with `UNRESOLVED`.",
  ),
  unsettled: lifecycle(
    "Otherwise the record gets its former status back. The record is marked `deleteFailed` until a later `up` applies the resource successfully.",
  ),
  lost: RESULT,
  gone: RESULT,
  other: RESULT,
  failed: GOES_ON,
  locked: GOES_ON,
  // The result of a run without failures.
  missing: PHASES,
  wrong: PHASES,
  left: PHASES,
  idle: { page: "order.md", sentence: "An unchanged program writes nothing." },
  planned: PLAN,
  unplanned: PLAN,
  undone: PLAN,
  // The permission to write.
  unintended: RESULT,
  unheld: ledger("Nothing has to be undone, because a handler starts only after its intent is recorded."),
  trampled: FENCED,
  late: { page: "options.md", sentence: "After the first Ctrl-C or SIGTERM, the run starts no further handler" },
  clear: { page: "secrets.md", sentence: "must not be readable in the state or printed by accident." },
};

/** The violation, with the sentence that it breaks. */
export function withSentence(problem: string): string {
  const promised = sentences[problem.slice(0, problem.indexOf(":"))];
  return promised ? `${problem}\n    ${promised.page}: "${promised.sentence}"` : problem;
}
