/** A scope, as a row of the tree of scopes. */

export interface TreeItem {
  /** Path; empty for all. */
  readonly id: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly count: number;
  readonly failed?: number;
  readonly active?: number;
  /** Undefined where nothing is below it. */
  readonly isOpen: boolean | undefined;
}
