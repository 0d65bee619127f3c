/** Declarations that a run is not to touch: they give what is recorded. */

import { unknownValue } from "../../base/index.js";
import { isAdoption } from "../../contract/index.js";
import { decodeOutput } from "../../handler/index.js";
import { findRecorded } from "../../records/index.js";
import type { App, Declaration } from "../../run/index.js";
import type { Selection } from "../../select/index.js";

/**
 * The recorded output, also under an earlier name, which stays; an unknown value where there is none of its kind, and where its
 * delete was begun.
 */
export function exclude(declaration: Declaration, selection: Selection): unknown {
  const { key, ref, declared } = declaration;
  const { record } = findRecorded(declaration);
  if (record) {
    selection.hold(key, record);
    declared.settle = (placement) => placement.leftOut(record.uid);
  }
  const isThere = record?.kind === ref.kind && record.status !== "deleting" && !isAdoption(record);
  if (!isThere || record.status !== "ready") declared.isUndone = true;
  if (isThere && record.output !== undefined) return decodeOutput(declaration, record);
  selection.giveUnknown(ref.fqn);
  return unknownValue(ref.fqn);
}

/** The most names in the warning; a plan lists all. */
const MOST = 3;

/** Warns, once at the end of a run, of the declarations that were left out. */
export function emitExcluded({ options, events, generation }: App): void {
  const names = generation.bounds.selection?.leftOut.map(({ fqn }) => fqn) ?? [];
  if (names.length === 0 || !generation.performer.acts) return;
  const why = options.target === undefined ? "excluded" : "not targeted";
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
  const what = names.length === 1 ? "1 resource" : `${names.length} resources`;
  const message = `Left out of this run, for it was ${why}: ${what} (${names.slice(0, MOST).join(", ")}${more})`;
  events.warn("LEFT_OUT", message);
}
