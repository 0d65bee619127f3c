/** The closed sets of words that options, hooks, events and records share. */

export type Phase = "up" | "destroy" | "read";

/** Deletes one at a time, latest first, or as wide as the order allows. */
export type DestroyStrategy = "sequential" | "parallel";

/** What the engine does about one resource. */
export type Action = "create" | "update" | "replace" | "adopt" | "read" | "skip" | "delete";

/** What a handler is called for. */
export type HandlerPhase = "create" | "update" | "delete";

/** And those in which it only looks. */
export type AnyHandlerPhase = HandlerPhase | "read" | "plan";

/** Which resource a hook or an event is about. */
export interface ResourceRef {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  /** Set where its scope is quiet: no message is printed about what is done to it. */
  readonly quiet?: true;
}

/** How many resources ended in each way. */
export interface RunSummary {
  readonly created: number;
  readonly updated: number;
  readonly replaced: number;
  readonly adopted: number;
  readonly read: number;
  readonly skipped: number;
  readonly deleted: number;
  readonly retained: number;
  /**
   * Not declared any more, and still recorded: nobody can tell whether an interrupted create took effect (`UNRESOLVED`), or they may be
   * what such a resource was made from. The work of the run is unfinished then, though nothing has failed.
   */
  readonly left: number;
  readonly failed: number;
  /** Their handlers were at work when the run was interrupted, and ended because of that: nothing is wrong with them. */
  readonly stopped: number;
  /** Declared or to be deleted, as far as the run knew, when it was interrupted or ended by a failure of its own. */
  readonly notBegun: number;
}

/** What an action has done, in a word: as a summary counts it. */
export const DONE = {
  create: "created",
  update: "updated",
  replace: "replaced",
  adopt: "adopted",
  read: "read",
  skip: "skipped",
  delete: "deleted",
} as const satisfies Readonly<Record<Action, keyof RunSummary>>;

export const NOTHING_DONE: RunSummary = Object.freeze({
  created: 0,
  updated: 0,
  replaced: 0,
  adopted: 0,
  read: 0,
  skipped: 0,
  deleted: 0,
  retained: 0,
  left: 0,
  failed: 0,
  stopped: 0,
  notBegun: 0,
});
