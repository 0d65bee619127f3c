/** Results of the runs of a row. */

/** `earlier`: another build of the package, with `--against`. */
export type SideName = "ours" | "earlier" | "alchemy" | "opentofu";

/** Times and memory of a run of one side. */
export interface Measured {
  /** The work alone, without the start of the process and the import. */
  readonly totalMs: number;
  /** The part of it until everything is declared. */
  readonly applyMs?: number;
  readonly importMs?: number;
  /** The whole process. */
  readonly wallMs?: number;
  /** CPU time of the whole process. */
  readonly cpuMs?: number;
  /** Peak resident memory of the process. */
  readonly peakMb?: number;
  /** For a resident program: one re-application. */
  readonly roundMs?: number;
  /** For a resident program: growth of its heap from the 100th re-application to the last. */
  readonly growthMb?: number;
}

export type Outcome =
  | { readonly median: Measured; readonly runs: readonly Measured[] }
  /** The reason why a side has no figures, e.g. "over 120 s". */
  | { readonly notRun: string };

export function medianOf(outcome: Outcome | undefined): Measured | undefined {
  return outcome !== undefined && "median" in outcome ? outcome.median : undefined;
}
