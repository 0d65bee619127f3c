/** What comes of the runs of a row. */

/** `earlier`: another build of the package, with `--against`. */
export type SideName = "ours" | "earlier" | "alchemy" | "opentofu";

/** What a run of one side took. */
export interface Measured {
  /** The work alone: neither the start of the process nor the import. */
  readonly totalMs: number;
  /** Of it, until everything is declared. */
  readonly applyMs?: number;
  readonly importMs?: number;
  /** The whole process. */
  readonly wallMs?: number;
  /** CPU time of the whole process. */
  readonly cpuMs?: number;
  /** The most memory that the process had resident. */
  readonly peakMb?: number;
  /** Of a resident program: one re-application. */
  readonly roundMs?: number;
  /** Of a resident program: of its heap, from the 100th re-application to the last. */
  readonly growthMb?: number;
}

export type Outcome =
  | { readonly median: Measured; readonly runs: readonly Measured[] }
  /** Why a side has no figures, e.g. "over 120 s". */
  | { readonly notRun: string };

export function medianOf(outcome: Outcome | undefined): Measured | undefined {
  return outcome !== undefined && "median" in outcome ? outcome.median : undefined;
}
