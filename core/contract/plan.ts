/** A plan as data: the actions of a run, without values that must stay hidden. */
import type { Action, Phase, ResourceRef } from "../base/index.js";

/** The planned action for one resource. */
export interface PlannedAction extends ResourceRef {
  readonly action: Exclude<Action, "unchanged" | "read">;
  /** Reason for people, e.g. `props.path changed`, `kind changed from "a" to "b"`, `no longer declared`. */
  readonly reason: string;
  /** Props that differ from the recorded ones; for a new resource, all of its props. */
  readonly changes: readonly PropertyChange[];
  /** Differences between the real resource and the recorded output. Only if the plan read the resource. */
  readonly drift: readonly PropertyChange[];
  /** False if the action depends on values that are not known yet. It may then turn out that nothing has to be done. */
  readonly certain: boolean;
  /**
   * True if the action may turn out to be a replace, which a plan cannot know. The handler of an update may ask for
   * one, and an interrupted create may have left a resource that cannot be updated.
   */
  readonly mayReplace: boolean;
  /** Set if the delete is of an old copy that an earlier replace left. Its replacement stays. */
  readonly replaced?: true;
  /** Planned props, as JSON; undefined for a delete. */
  readonly props?: unknown;
  /** Recorded data that the delete acts on. Set for a delete, and for a replace of a recorded resource. */
  readonly deletes?: PlannedDeletion;
  /**
   * FQNs of dependents that are deleted before this resource is deleted or updated, in this order. Set for a replace
   * that deletes first, and for an update that removes a value used in the props of a dependent. Each of them has its
   * own action, a replace or a delete.
   */
  readonly deletesFirst?: readonly string[];
}

/**
 * Recorded data that a delete acts on. Its handler gets only recorded data, which another program may have recorded.
 */
export interface PlannedDeletion {
  /** Description of the delete, if its type gives one, e.g. `runs dropdb shop`. */
  readonly does?: string;
  /** The recorded output. */
  readonly output: readonly PropertyChange[];
  /** Uid of the copy to delete. */
  readonly uid: string;
  /**
   * SHA-256 of the whole record, in hexadecimal. A run that applies the plan does nothing if the record has changed.
   */
  readonly digest: string;
}

/**
 * A changed property, with values as JSON. Secrets are masked, texts are redacted, and a value that is not known yet is
 * `(known after apply)`. Values that JSON cannot hold are formatted by `util.inspect`. A side is absent if it has no
 * value.
 */
export interface PropertyChange {
  /** JSON Pointer, e.g. `/tags/team`; empty for the whole value. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /**
   * For texts of several lines: the lines that differ, and two lines around them. `- ` marks a removed line, `+ ` an
   * added one, and two blanks an unchanged one. `…` stands for omitted lines. With the option `full`, all lines.
   */
  readonly lines?: readonly string[];
}

/** A resource that the plan cannot predict, or that is kept. */
export interface PlanNote extends ResourceRef {
  readonly reason: string;
}

/** Number of resources by certain outcome. */
export type PlanCounts = Readonly<Record<Exclude<Action, "read">, number>>;

/** Position of the state that a plan was made from. */
export interface StatePosition {
  /** Random name of the ledger; undefined while nothing was ever written. */
  readonly lineage: string | undefined;
  readonly seq: number;
  readonly lines: number;
  /** Digest of the last line. */
  readonly digest: string;
  /** SHA-256 of everything that was recorded, in hexadecimal. Only in a plan that is written to a file. */
  readonly contents?: string | undefined;
}

/** The plan of a run. */
export interface Plan {
  /** Version of this shape. */
  readonly format: 1;
  readonly app: string;
  readonly stage: string;
  readonly phase: Phase;
  /** Actions in the order in which they were found; deletes come last. Unchanged resources are only counted. */
  readonly actions: readonly PlannedAction[];
  readonly counts: PlanCounts;
  /** The actions that are not {@link PlannedAction.certain}: `counts` does not include them. */
  readonly uncertain: Readonly<Record<PlannedAction["action"], number>>;
  /** Children of resources whose handlers did not run, so that their actions are not known. */
  readonly unknown: readonly PlanNote[];
  /**
   * Resources that continue under another name because of the option `aliases`; the reason gives the former name.
   * Absent if there are none.
   */
  readonly renamed?: readonly PlanNote[];
  /**
   * Changes that the run would only record, such as a new `protect`, other references or other outputs of the stage. No
   * resource is changed. The kind of a scope is `scope`.
   */
  readonly recordOnly: readonly PlanNote[];
  /** Resources that are no longer declared, or to be destroyed, but are kept. */
  readonly kept: readonly PlanNote[];
  /** Resources that the run would leave alone because of the options `target` and `exclude`, without their children. */
  readonly leftOut: readonly PlanNote[];
  /**
   * Set if the program could not be followed to its end. The plan then does not cover the rest of the program, or
   * prunes.
   */
  readonly stopped?: string;
  /** Errors that would fail the run. */
  readonly errors: readonly PlanError[];
  /** Position of the state that the plan was made from. */
  readonly state: StatePosition;
}

/** An error that would fail the run. */
export interface PlanError {
  readonly code: string;
  readonly message: string;
  readonly fqn?: string;
}
