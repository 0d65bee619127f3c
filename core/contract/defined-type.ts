/**
 * The forecast that a resource type gives of a change when it has to ask a service, and definitions as the engine runs
 * them.
 */
import type { ResourceRef } from "../base/index.js";
import type { HandlerBase, OutputsContext } from "./definition.js";
import type { PropPath, StandardSchema } from "./inputs.js";

/** Context of a `plan` handler. */
export interface PlanContext<Output, Props> extends HandlerBase {
  readonly phase: "plan";
  /**
   * Declared props. They may contain values that are not known yet, at any depth: `isUnknown()` of `scope-engine/core`
   * detects them.
   */
  readonly props: Props;
  /** Props of the last success. Undefined if nothing is recorded, or if the recorded copy has to be deleted first. */
  readonly previous: Props | undefined;
  /** Output that is recorded or was found by `read`. Undefined in the same cases as `previous`. */
  readonly output: Output | undefined;
  /** Dependencies of this resource that would be created, updated or replaced. */
  readonly changing: readonly ResourceRef[];
}

/** Forecast of a change by its resource type. */
export interface Forecast<Output> {
  /**
   * Outcome of an update: `"replace"` if the handler will ask to be replaced, `"unchanged"` if it will change nothing.
   * Default: `"update"`.
   */
  readonly action?: "update" | "replace" | "unchanged";
  /** For a replace: the handler will ask to delete the old copy first. Default: false. */
  readonly deleteFirst?: boolean;
  /** Props that force the replacement, as JSON Pointers, e.g. `/network/zone`. */
  readonly forcedBy?: readonly string[];
  /**
   * Members of the output that are known in advance, including those that an update keeps. If nothing will be changed:
   * the whole output, if it differs from the recorded one.
   */
  readonly outputs?: Partial<Output>;
}

const BRAND = Symbol.for("scope-engine/partly-deleted");

/** Maximum number of causes to follow. */
const DEEPEST = 20;

/**
 * Thrown by a `delete` handler that deleted only a part of the resource. The engine records `output` as the output of
 * the part that is left. The next declaration updates the resource, and the next delete gets this output.
 *
 * @example
 * ```ts
 * const Bucket = Resource("demo:Bucket", {
 *   create: () => ({ objects: ["a", "b"] }),
 *   async delete({ output }) {
 *     const left: string[] = await deleteObjects(output.objects);
 *     if (left.length > 0) throw new PartlyDeleted("Some objects are locked.", { ...output, objects: left });
 *   },
 * });
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

/** Returns the output that a failed delete left, or undefined if the error does not carry one. */
export function outputLeft(error: unknown): unknown {
  for (let at = error, depth = 0; at instanceof Error && depth < DEEPEST; at = at.cause, depth++) {
    if (BRAND in at) return Reflect.get(at, "output");
  }
  return undefined;
}

/** A resource type as the engine runs it; both forms become this one. */
export interface Definition {
  readonly kind: string;
  /** Source text of the handlers. Two definitions of one kind with the same text are equal. */
  readonly source: string;
  readonly schema?: StandardSchema<unknown, unknown>;
  readonly replaceOn: readonly PropPath[];
  readonly idempotent: boolean;
  readonly verify: boolean;
  /** True if `read` recognises the resources that its own creates made by more than a name. */
  readonly recognizesOwn: boolean;
  /** True if passing on a member of the output is a reference. */
  readonly refersByMember?: boolean;
  /** True if destroying a recorded resource waits for the end of the program. */
  readonly destroysAfterProgram?: boolean;
  /** Milliseconds; 0 for a type whose `read` finds a new resource at once. */
  readonly readLag: number;
  /** @param props decoded */
  givesSecrets?(props: unknown): boolean;
  movesFrom?(kind: string): boolean;
  /**
   * True for one function for all phases. Only after it has run is it known whether an update asks to be replaced, and
   * whether it has deleted the resource.
   */
  readonly isShortForm: boolean;
  /** True if the type has its own handlers for local scopes. */
  readonly hasLocal: boolean;
  handlers(local: boolean): DefinedHandlers;
}

/** One call of a handler, before it is adapted to one of the two forms. */
export interface HandlerCall {
  readonly id: string;
  /** Declared props; in a delete, the props that were recorded last. */
  readonly props: unknown;
  readonly previous: unknown;
  /** Returns the context with `props` as its props. */
  view(props: unknown): HandlerBase;
}

/** Handlers of a type in the long form, after its definition. */
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
