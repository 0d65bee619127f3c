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
  "These are not pruned: children of a skipped resource, other stages, resources that targets leave out, and orphans under `destroyOrphans: false`. A resource that another run created or changed after this run started its program is not pruned, either.",
);
const GOES_ON = lifecycle("The next run skips the finished resources and continues the pending ones.");
const RESULT = ledger(
  "What a handler is about to do is in the journal, and durable, before it runs. What came of it follows.",
);
const PHASES = lifecycle(
  "`up` applies and prunes, `read` gives what is recorded and changes nothing, `destroy` deletes everything inside `engine()`.",
);
const PLAN = {
  page: "plans.md",
  sentence: "The program and the recorded state go through the same lifecycle without writing; that gives the plan.",
};
const FENCED = ledger(
  "It is fenced: it starts no handler, writes nothing more, and puts results into a recovery file.",
);

export const sentences: Readonly<Record<string, Promised>> = {
  // Which deletes a program asks for.
  foreign: OWN,
  another: OWN,
  unasked: lifecycle(
    "works out what to prune, at any depth: records that were not declared, old copies of replaced ones",
  ),
  skipped: NOT_PRUNED,
  unpruned: NOT_PRUNED,
  pruned: lifecycle("A run with a failure prunes nothing."),
  looked: scopes("As long as it declares no resource, such a run deletes nothing."),
  emptied: scopes("`finalize({ empty: true })` prunes everything."),
  // What guards hold back.
  unguarded: lifecycle(
    "A delete that continues from an earlier run obeys the same guards as a new one: `protect`, `retainOnDelete`, `destroyOrphans: false`, vetoes, the confirmation and `maxDeletes`.",
  ),
  untargeted: { page: "guards.md", sentence: "`finalize()` prunes only selected resources." },
  protected: resources("refuse to delete or replace it (`PROTECTED`)."),
  retained: resources("deleting forgets it and its children; the things stay. So do old copies"),
  kept: {
    page: "state-commands.md",
    sentence: "The old copy and its children are no longer",
  },
  // In which order.
  early: {
    page: "lifecycle.md",
    sentence: "Y was done before X was ready: X may have been made from Y; X refers to Y",
  },
  ahead: { page: "lifecycle.md", sentence: "what was made from it goes first" },
  // What others made, and names.
  unadopted: resources("To import a resource that exists already, pass `adopt`."),
  taken: scopes("Things in the world need names that are unique in an account or on a disk."),
  reverted: resources(
    "Neither another value in the program nor one that was set elsewhere is a change or a drift: it causes no update.",
  ),
  // What an interrupted or failed step leaves.
  twice: types("Use it so that a repeated create makes no second resource"),
  token: types("Within a run, `retry` uses the same token."),
  partly: types(
    "The engine records that output. The next declaration updates the resource; without an `update` it fails with `UNRESOLVED`.",
  ),
  unsettled: lifecycle("`deleteFailed` is removed when a declaration of the resource succeeds."),
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
  unheld: ledger("Nothing needs to be undone then, for a handler starts only after its intent is in."),
  trampled: FENCED,
  late: { page: "options.md", sentence: "The first Ctrl-C, and SIGTERM, start no further handler" },
  clear: { page: "secrets.md", sentence: "neither readable in the state nor printed by accident: make it a secret." },
};

/** The violation, with the sentence that it breaks. */
export function withSentence(problem: string): string {
  const promised = sentences[problem.slice(0, problem.indexOf(":"))];
  return promised ? `${problem}\n    ${promised.page}: "${promised.sentence}"` : problem;
}
