/** Props that `ignoreChanges` names: a program's other value changes nothing, and neither does one that was set elsewhere. */

import { isList, leadsSomewhere, pathsOf, propPath, touches, valueAt, withRecorded } from "../../codec/index.js";
import type { Encoded, PropPath, ResourceOptions, ResourceRecord } from "../../contract/index.js";
import { encodeProps, goodOutput, goodProps, isElsewhere, isSimulated } from "../../handler/index.js";
import type { Operation } from "../../run/index.js";
import { changedPaths } from "./decide.js";

/** True where an update has to look first, for the values that ignored props have by now. */
export function ignoresProps({ options }: Pick<Operation, "options">): boolean {
  return options.ignoreChanges !== undefined && options.ignoreChanges.length > 0;
}

/** The declared props, with ignored ones as they are recorded. As declared where no create of this kind has succeeded. */
export function withoutIgnored(operation: Operation, declared: Encoded, record: ResourceRecord): Encoded {
  const { ref, options, definition, scope } = operation;
  if (!ignoresProps(operation)) return declared;
  if (record.status === "creating" || record.kind !== ref.kind) return declared;
  if (isElsewhere(record, isSimulated(definition, scope))) return declared;
  return withRecorded(declared, goodProps(record), pathsIn(options));
}

/** Paths of the output that differ, but for what mirrors an ignored prop. */
export function driftedPaths({ options }: Pick<Operation, "options">, recorded: Encoded | undefined, there: Encoded) {
  const ignored = pathsIn(options);
  const counted = ignored.length > 0 && recorded !== undefined ? withRecorded(there, recorded, ignored) : there;
  return changedPaths(recorded, counted);
}

/**
 * The props that an update is given: an ignored prop has the value that `read` has found, where that is another one than was recorded.
 * The type would set it back otherwise.
 *
 * @param there the same as `found`, encoded as an output
 */
export async function withFound(
  operation: Operation<"compared">,
  record: ResourceRecord,
  found: unknown,
  there: Encoded,
): Promise<Encoded> {
  const { encoded, options } = operation;
  if (!ignoresProps(operation)) return encoded;
  const drift = changedPaths(goodOutput(record), there);
  if (drift.length === 0) return encoded;
  // As props, for a secret is bound to its place.
  const asProps = await encodeProps(operation, record.uid, found, record);
  const isTaken = (path: PropPath): boolean =>
    drift.some((at) => touches(at, path)) && isAlike(valueAt(encoded, path), valueAt(asProps, path));
  const taken = pathsIn(options)
    .flatMap((path) => pathsOf(path, encoded, asProps))
    .filter(isTaken);
  return taken.length > 0 ? withRecorded(encoded, asProps, taken) : encoded;
}

/** The props of a replacement, and of a copy in place of one that is gone: all values are those of the program. */
export function asDeclared(
  operation: Operation<"compared">,
  before: ResourceRecord,
): Pick<Operation<"compared">, "encoded" | "changes"> {
  const { declaredProps, encoded, changes } = operation;
  if (!ignoresProps(operation) || encoded === declaredProps) return { encoded, changes };
  const more = changedPaths(goodProps(before), declaredProps).filter((path) => !changes.includes(path));
  return { encoded: declaredProps, changes: [...changes, ...more] };
}

/** Warns of paths of `ignoreChanges` that lead to nothing that is declared or recorded. */
export function warnOfUnmatched(operation: Operation, declared: Encoded, record: ResourceRecord | undefined): void {
  const { app, ref, options } = operation;
  const known = [declared, record && goodProps(record), record?.output];
  for (const text of options.ignoreChanges ?? []) {
    if (known.some((one) => leadsSomewhere(one, propPath(text)))) continue;
    const what = `ignoreChanges names "${text}", which matches no prop`;
    app.run.warnings.add(app.events, {
      code: "IGNORE_UNMATCHED",
      fqn: ref.fqn,
      one: `"${ref.fqn}": ${what}, declared or recorded. Correct the path or remove it.`,
      several: (count) => `${count} resources: ${what}, declared or recorded. Correct the path or remove it.`,
    });
  }
}

function pathsIn({ ignoreChanges = [] }: ResourceOptions): readonly PropPath[] {
  return ignoreChanges.map(propPath);
}

/** An output may have something else under the name of a prop, e.g. an object in place of its id. */
function isAlike(prop: Encoded | undefined, found: Encoded | undefined): boolean {
  if (prop === undefined || found === undefined) return true;
  return typeof prop === typeof found && isList(prop) === isList(found);
}
