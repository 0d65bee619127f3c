/** Data for the list of the resources of a stage, and for the search in all stages. */
import type { EndedRun } from "../../admin/index.js";

/** The run that last changed each resource, as far as the kept copies show. */
export interface StageChanges {
  readonly seq: number;
  /** The copies, oldest first, then the present state. A copy without a run is the work of an open session. */
  readonly copies: readonly { readonly seq: number; readonly run?: EndedRun }[];
  /** For each row of {@link ResourceRows} the index of a copy; -1 if it did not change since the oldest one. */
  readonly last: readonly number[];
}

/** Resources of all stages whose names or kinds contain all words of a text, the best match first. */
export interface FoundNames {
  readonly found: readonly Readonly<Record<"app" | "stage" | "fqn" | "kind", string>>[];
  /** Number of stages that were not searched: they cannot be read, or there are too many. */
  readonly left: number;
}
