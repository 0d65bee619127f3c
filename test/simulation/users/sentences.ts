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
  "The engine deletes a real resource only if it created it or finished adopting it, and only if the present program or command asks for it.",
);
const NOT_PRUNED = lifecycle(
  "It does not prune children of an unchanged resource, other stages, resources that targets leave out, or orphans under `destroyOrphans: false`. It keeps a resource that another run created or changed after this run started.",
);
const GOES_ON = lifecycle("The next run leaves finished resources unchanged and continues the pending ones.");
const RESULT = ledger(
  "The engine makes the intent of a handler durable before it calls the handler. The result follows.",
);
const PHASES = lifecycle(
  "`up`, the default, applies and prunes. `read` returns recorded outputs and changes nothing. `destroy` deletes everything inside `engine()`.",
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
  // Which deletes a program asks for.
  foreign: OWN,
  another: OWN,
  unasked: lifecycle("finds undeclared records and old copies at any depth"),
  unchanged: NOT_PRUNED,
  unpruned: NOT_PRUNED,
  pruned: lifecycle("A run with a failure prunes nothing."),
  looked: scopes("If such a run declares no resource, it deletes nothing and needs no `finalize()`."),
  emptied: scopes("`finalize({ empty: true })` prunes everything."),
  // What guards hold back.
  unguarded: lifecycle(
    "It obeys the same guards as a new delete: `protect`, `retainOnDelete`, `destroyOrphans: false`, vetoes, the confirmation and `maxDeletes`.",
  ),
  untargeted: { page: "guards.md", sentence: "`finalize()` prunes only selected resources." },
  protected: resources("refuse each delete or replace that includes it (`PROTECTED`)"),
  retained: resources("a delete only removes it, its children and old copies from state"),
  kept: {
    page: "state-commands.md",
    sentence: "The old copy and its children are no longer",
  },
  // In which order.
  early: {
    page: "lifecycle.md",
    sentence: "Y was done before X was ready: X may have been made from Y; X refers to Y",
  },
  ahead: { page: "lifecycle.md", sentence: "An old copy keeps its place; its dependents are deleted first." },
  // What others made, and names.
  unadopted: resources("To import an existing resource, pass `adopt`."),
  taken: scopes("Real resources need names that are unique in an account or on a disk."),
  reverted: resources(
    "Another value, in the program or in the real resource, causes no update. It is neither a change nor drift.",
  ),
  // What an interrupted or failed step leaves.
  twice: types("Use it so that a repeated create makes no second resource"),
  token: types("Within a run, `retry` uses the same token."),
  partly: types(
    "The engine records that output, and the next delete gets it. If the program declares the resource again, the engine calls `update`. If the type has no `update`, the declaration fails with `UNRESOLVED`.",
  ),
  unsettled: lifecycle(
    "Otherwise the record gets its former status back, with `deleteFailed` until a declaration succeeds.",
  ),
  lost: RESULT,
  gone: RESULT,
  other: RESULT,
  failed: GOES_ON,
  locked: GOES_ON,
  // What a run without failures ends in.
  missing: PHASES,
  wrong: PHASES,
  left: PHASES,
  idle: { page: "lifecycle.md", sentence: "An unchanged program writes nothing." },
  planned: PLAN,
  unplanned: PLAN,
  undone: PLAN,
  // Who may write.
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
