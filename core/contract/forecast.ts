/** What a resource type says of a change beforehand, where a service has to be asked. */
import type { ResourceRef } from "../base/index.js";
import type { HandlerBase } from "./definition.js";

/** What a `plan` handler sees. */
export interface PlanContext<Output, Props> extends HandlerBase {
  readonly phase: "plan";
  /** What is not known yet is such that `isUnknown()` of `scope-engine/core` says so; it may be anywhere inside of them. */
  readonly props: Props;
  /** Props of the last success; undefined where nothing is recorded, or what is recorded has to go first. */
  readonly previous: Props | undefined;
  /** What is recorded, or was found to be there; undefined as above. */
  readonly output: Output | undefined;
  /** What this one depends on that would be created, updated or replaced. */
  readonly changing: readonly ResourceRef[];
}

/** What a change would come to, as a type foresees it. */
export interface Forecast<Output> {
  /** Of what would be an update: `"replace"` where the handler will ask for that, `"skip"` where nothing will be changed. Default: `"update"`. */
  readonly action?: "update" | "replace" | "skip";
  /** Of a replace: the handler will ask to delete first. Default: false. */
  readonly deleteFirst?: boolean;
  /** The props that force the replacement, as JSON Pointers, e.g. `/network/zone`. */
  readonly forcedBy?: readonly string[];
  /** Members of the output that are known beforehand, of an update those that it keeps, too; where nothing will be changed, all of them, if they are not those that are recorded. */
  readonly outputs?: Partial<Output>;
}
