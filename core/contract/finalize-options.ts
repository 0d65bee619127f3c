/** Options of {@link Scope.finalize}. */
export interface FinalizeOptions {
  /** Prune a scope that is not the root, too. Default: false. */
  readonly force?: boolean;
  /** Delete nothing, and keep the records. Default: false. */
  readonly noop?: boolean;
}
