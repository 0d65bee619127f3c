/** A mistake, as somebody might make it in the sources, to see whether random histories find it. */
export interface Defect {
  /** What goes wrong. */
  readonly name: string;
  readonly area: "ledger" | "lifecycle" | "placement" | "secrets" | "stores" | "users";
  /** Path from the root of the project. */
  readonly file: string;
  /** Text that stands there once. */
  readonly find: string;
  readonly replace: string;
}
