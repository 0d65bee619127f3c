/** A row of the tree of scopes. */

export interface TreeItem {
  /** Path; empty for all. */
  readonly id: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly count: number;
  readonly failed?: number;
  readonly active?: number;
  /** Undefined if it has no scopes inside. */
  readonly isOpen: boolean | undefined;
}
