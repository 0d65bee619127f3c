/** A resource type as the engine runs it, after it was defined. */

import type { HandlerBase, OutputsContext } from "./definition.js";
import type { PropPath } from "./inputs.js";
import type { StandardSchema } from "./schema.js";

/** A resource type as the engine runs it, both forms made one. */
export interface Definition {
  readonly kind: string;
  /** Text of the handlers: two definitions of one kind with the same text are the same. */
  readonly source: string;
  readonly schema?: StandardSchema<unknown, unknown>;
  readonly replaceOn: readonly PropPath[];
  readonly idempotent: boolean;
  readonly verify: boolean;
  /** True if `read` knows what its own creates have made by more than a name. */
  readonly recognizesOwn: boolean;
  /** True if a member of its output that the program passes on is a reference. */
  readonly refersByMember?: boolean;
  /** True if a destroy of what is recorded waits for the end of the program. */
  readonly destroysAfterProgram?: boolean;
  /** Milliseconds; 0 for a type whose `read` finds at once what was created. */
  readonly readLag: number;
  /** @param props decoded */
  givesSecrets?(props: unknown): boolean;
  movesFrom?(kind: string): boolean;
  /**
   * One function for all phases: only when it has run is it known whether an update asks to be replaced, and whether it has
   * deleted.
   */
  readonly isShortForm: boolean;
  /** True where a local scope has handlers of its own. */
  readonly hasLocal: boolean;
  handlers(local: boolean): DefinedHandlers;
}

/** One call of a handler, before either form is given its own view of it. */
export interface HandlerCall {
  readonly id: string;
  /** What the program declares; on delete, what was recorded last. */
  readonly props: unknown;
  readonly previous: unknown;
  /** The context with `props` as its props. */
  view(props: unknown): HandlerBase;
}

/** The handlers of a type in the long form, after it was defined. */
export interface DefinedHandlers {
  create(call: HandlerCall): unknown;
  update?(call: HandlerCall): unknown;
  delete?(call: HandlerCall): unknown;
  read?(call: HandlerCall): unknown;
  plan?(call: HandlerCall): unknown;
  outputs?(context: OutputsContext<unknown, unknown>): unknown;
  replaces?(context: { readonly props: unknown; readonly output: unknown }): boolean | "delete-first";
  describeDelete?(context: { readonly props: unknown; readonly output: unknown }): string | undefined;
}
