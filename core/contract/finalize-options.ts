/** Options of {@link Scope.finalize}. */
export interface FinalizeOptions {
  /** Prune a scope that is not the root, too. Default: false. */
  readonly force?: boolean;
  /** Delete nothing, and keep the records. Default: false. */
  readonly noop?: boolean;
  /**
   * Prune also where a generation that `app.run()` began has declared nothing: the program wants an empty stage. Such a
   * generation otherwise only looks, and deletes nothing. Default: false.
   */
  readonly empty?: boolean;
}
