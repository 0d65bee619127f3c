/** What a resource type says of a change beforehand, where a service has to be asked. */
import type { ResourceRef } from "../base/index.js";
import type { HandlerBase, OutputsContext } from "./definition.js";
import type { PropPath, StandardSchema } from "./inputs.js";

/** What a `plan` handler sees. */
export interface PlanContext<Output, Props> extends HandlerBase {
  readonly phase: "plan";
  /** What is not known yet is such that `isUnknown()` of `scope-engine/core` says so; it may be anywhere inside of them. */
  readonly props: Props;
  /** Props of the last success; undefined where nothing is recorded, or what is recorded has to go first. */
  readonly previous: Props | undefined;
  /** What is recorded, or was found to be there; undefined as above. */
  readonly output: Output | undefined;
  /** What this one depends on that would be created, updated or replaced. */
  readonly changing: readonly ResourceRef[];
}

/** What a change would come to, as a type foresees it. */
export interface Forecast<Output> {
  /** Of what would be an update: `"replace"` where the handler will ask for that, `"unchanged"` where nothing will be changed. Default: `"update"`. */
  readonly action?: "update" | "replace" | "unchanged";
  /** Of a replace: the handler will ask to delete first. Default: false. */
  readonly deleteFirst?: boolean;
  /** The props that force the replacement, as JSON Pointers, e.g. `/network/zone`. */
  readonly forcedBy?: readonly string[];
  /** Members of the output that are known beforehand, of an update those that it keeps, too; where nothing will be changed, all of them, if they are not those that are recorded. */
  readonly outputs?: Partial<Output>;
}

// The error of a delete that took only a part of the resource away.

const BRAND = Symbol.for("scope-engine/partly-deleted");

/** The causes that are followed at most. */
const DEEPEST = 20;

/**
 * Thrown by a `delete` handler that deleted only a part of the resource. The engine records `output` as the output of the part that
 * is left. The next declaration updates the resource, and the next delete gets this output.
 *
 * @example
 * ```ts
 * async delete({ output }) {
 *   const left = await deleteObjects(output.objects);
 *   if (left.length > 0) throw new PartlyDeleted("Some objects are locked.", { ...output, objects: left });
 * }
 * ```
 */
export class PartlyDeleted<Output = unknown> extends Error {
  /** @internal */
  get [BRAND](): true {
    return true;
  }

  override readonly name: string = "PartlyDeleted";
  readonly output: Output;

  constructor(message: string, output: Output, options?: ErrorOptions) {
    super(message, options);
    this.output = output;
  }
}

/** The output that a failed delete left; undefined if the error says nothing about it. */
export function outputLeft(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < DEEPEST; at = at.cause, depth++) {
    if (BRAND in at) return Reflect.get(at, "output");
  }
  return undefined;
}

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
