/** Props that `ignoreChanges` names: changes of them, by the program or elsewhere, cause no action. */

import { isList, leadsSomewhere, pathsOf, propPath, touches, valueAt, withRecorded } from "../../codec/index.js";
import type { Encoded, PropPath, ResourceOptions, ResourceRecord } from "../../contract/index.js";
import { encodeProps, goodOutput, goodProps, isElsewhere, isSimulated } from "../../handler/index.js";
import type { Operation } from "../../run/index.js";
import { changedPaths } from "./decide.js";

/** True if an update has to read first, to get the present values of ignored props. */
export function ignoresProps({ options }: Pick<Operation, "options">): boolean {
  return options.ignoreChanges !== undefined && options.ignoreChanges.length > 0;
}

/**
 * Returns the declared props, with the recorded values of ignored ones. Returns them as declared if no create of this
 * kind has succeeded.
 */
export function withoutIgnored(operation: Operation, declared: Encoded, record: ResourceRecord): Encoded {
  const { ref, options, definition, scope } = operation;
  if (!ignoresProps(operation)) return declared;
  if (record.status === "creating" || record.kind !== ref.kind) return declared;
  if (isElsewhere(record, isSimulated(definition, scope))) return declared;
  return withRecorded(declared, goodProps(record), pathsIn(options));
}

/** Returns the paths of the output that differ, except those that mirror an ignored prop. */
export function driftedPaths({ options }: Pick<Operation, "options">, recorded: Encoded | undefined, there: Encoded) {
  const ignored = pathsIn(options);
  const counted = ignored.length > 0 && recorded !== undefined ? withRecorded(there, recorded, ignored) : there;
  return changedPaths(recorded, counted);
}

/**
 * Returns the props for an update: an ignored prop gets the value that `read` has found, if it differs from the
 * recorded one. Otherwise the type would set it back.
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
  // Encoded as props, because a secret is bound to its location.
  const asProps = await encodeProps(operation, record.uid, found, record);
  const isTaken = (path: PropPath): boolean =>
    drift.some((at) => touches(at, path)) && isAlike(valueAt(encoded, path), valueAt(asProps, path));
  const taken = pathsIn(options)
    .flatMap((path) => pathsOf(path, encoded, asProps))
    .filter(isTaken);
  return taken.length > 0 ? withRecorded(encoded, asProps, taken) : encoded;
}

/** Returns the props of a replacement, or of a new copy of one that is gone: all values are those of the program. */
export function asDeclared(
  operation: Operation<"compared">,
  before: ResourceRecord,
): Pick<Operation<"compared">, "encoded" | "changes"> {
  const { declaredProps, encoded, changes } = operation;
  if (!ignoresProps(operation) || encoded === declaredProps) return { encoded, changes };
  const more = changedPaths(goodProps(before), declaredProps).filter((path) => !changes.includes(path));
  return { encoded: declaredProps, changes: [...changes, ...more] };
}

/** Warns of paths of `ignoreChanges` that match no declared or recorded value. */
export function warnOfUnmatched(operation: Operation, declared: Encoded, record: ResourceRecord | undefined): void {
  const { app, ref, options } = operation;
  const known = [declared, record && goodProps(record), record?.output];
  for (const text of options.ignoreChanges ?? []) {
    if (known.some((one) => leadsSomewhere(one, propPath(text)))) continue;
    const what = `ignoreChanges has the path "${text}", but no declared or recorded value matches it`;
    app.run.warnings.add(app.events, {
      code: "IGNORE_UNMATCHED",
      fqn: ref.fqn,
      one: `"${ref.fqn}": ${what}. Correct the path or remove it.`,
      several: (count) => `${count} resources: ${what}. Correct the path or remove it.`,
    });
  }
}

function pathsIn({ ignoreChanges = [] }: ResourceOptions): readonly PropPath[] {
  return ignoreChanges.map(propPath);
}

/** An output may hold another value under the name of a prop, e.g. an object in place of its id. */
function isAlike(prop: Encoded | undefined, found: Encoded | undefined): boolean {
  if (prop === undefined || found === undefined) return true;
  return typeof prop === typeof found && isList(prop) === isList(found);
}
