/** A realistic mistake in the sources, to check that random histories find it. */
export interface Defect {
  /** The violation that it causes. */
  readonly name: string;
  readonly area: "ledger" | "lifecycle" | "placement" | "secrets" | "stores" | "users" | "moves";
  /** Path from the root of the project. */
  readonly file: string;
  /** Text that occurs in it once. */
  readonly find: string;
  readonly replace: string;
}
