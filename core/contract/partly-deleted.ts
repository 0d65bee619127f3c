/** The error of a delete that took only a part of the resource away. */

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
