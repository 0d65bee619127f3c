/** A plan as data: what a run would do, and nothing that it may not show. */
import type { Action, Phase, ResourceRef } from "../base/index.js";

/** What would be done about one resource. */
export interface PlannedAction extends ResourceRef {
  readonly action: Exclude<Action, "unchanged" | "read">;
  /** Why, for people, e.g. `props.path changed`, `kind changed from "a" to "b"`, `no longer declared`. */
  readonly reason: string;
  /** Props that differ from the recorded ones; for something new, each of its props. */
  readonly changes: readonly PropertyChange[];
  /** Where what is really there differs from the recorded output. Only where it was looked at. */
  readonly drift: readonly PropertyChange[];
  /** False where it rests on values that nobody knows yet: then it may turn out that there is nothing to do. */
  readonly certain: boolean;
  /**
   * True where it may turn out to be a replace: the handler of an update may ask for that, and what an interrupted create has
   * perhaps left may be something that cannot be updated. Nobody can see that before.
   */
  readonly mayReplace: boolean;
  /** Set where what is deleted is an old copy that an earlier replace has left: what took its place stays. */
  readonly replaced?: true;
  /** The props that are to hold, as JSON; undefined for a delete. */
  readonly props?: unknown;
  /** Set for a delete, and for a replace, of something that is recorded: what of that the delete acts on. */
  readonly deletes?: PlannedDeletion;
  /**
   * FQNs of dependents that are deleted before this one is deleted or updated, in this order. Set for a replace that deletes first, and for an
   * update that takes away a value in the props of a dependent. Each of them has an action of its own, which is a replace or a delete.
   */
  readonly deletesFirst?: readonly string[];
}

/** What a delete acts on: all that its handler gets is recorded, and may have been recorded by somebody else. */
export interface PlannedDeletion {
  /** What the handler will do, where its type says so, e.g. `runs dropdb shop`. */
  readonly does?: string;
  /** The recorded output. */
  readonly output: readonly PropertyChange[];
  /** Of the copy that goes. */
  readonly uid: string;
  /** SHA-256 of the whole record, in hexadecimal. A run that keeps to the plan does nothing where it is another one. */
  readonly digest: string;
}

/**
 * Values are JSON: secrets are masked, texts are redacted, what is not known yet is `(known after apply)`, and what JSON
 * cannot hold is as `util.inspect` has it. A member that is absent is not there on that side.
 */
export interface PropertyChange {
  /** JSON Pointer, e.g. `/tags/team`; empty for the whole. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /**
   * Of texts of several lines, those that differ and two around them: with `- ` in front of what goes, `+ ` of what comes, two blanks
   * of what stays; `…` stands for lines that are left out. With the option `full`, all lines.
   */
  readonly lines?: readonly string[];
}

/** A resource of which the plan can say nothing, or that is kept. */
export interface PlanNote extends ResourceRef {
  readonly reason: string;
}

/** How many resources would certainly end in each way. */
export type PlanCounts = Readonly<Record<Exclude<Action, "read">, number>>;

/** What a plan was made from. */
export interface StatePosition {
  /** Random name of the ledger; undefined while nothing was ever written. */
  readonly lineage: string | undefined;
  readonly seq: number;
  readonly lines: number;
  /** Of the last line. */
  readonly digest: string;
  /** SHA-256 of all that was recorded, in hexadecimal. */
  readonly contents: string;
}

/** What a run would do. */
export interface Plan {
  /** Version of this shape. */
  readonly format: 1;
  readonly app: string;
  readonly stage: string;
  readonly phase: Phase;
  /** In the order in which they were found; deletes come last. Unchanged resources are only counted. */
  readonly actions: readonly PlannedAction[];
  readonly counts: PlanCounts;
  /** The actions that are not {@link PlannedAction.certain}: `counts` does not include them. */
  readonly uncertain: Readonly<Record<PlannedAction["action"], number>>;
  /** Children of resources whose handlers did not run: what becomes of them is not known. */
  readonly unknown: readonly PlanNote[];
  /** What goes on under another name, by the option `aliases`: the reason says what it was. Absent where nothing does. */
  readonly renamed?: readonly PlanNote[];
  /**
   * What the run would only record, such as a new `protect`, other references or other outputs of the stage: nothing is done to a
   * resource. The kind of a scope is `scope`.
   */
  readonly recordOnly: readonly PlanNote[];
  /** What is no longer declared, or to be destroyed, and stays all the same. */
  readonly kept: readonly PlanNote[];
  /** What the run would not touch, by the options `target` and `exclude`; without what belongs to it. */
  readonly leftOut: readonly PlanNote[];
  /** Set where the program could not be followed to its end: nothing is said about what comes after, or about prunes. */
  readonly stopped?: string;
  /** What would make the run fail. */
  readonly errors: readonly PlanError[];
  /** What it was made from. */
  readonly state: StatePosition;
}

/** What a run would fail at. */
export interface PlanError {
  readonly code: string;
  readonly message: string;
  readonly fqn?: string;
}
