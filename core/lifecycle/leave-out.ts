/** Declarations that a run is not to touch: they give what is recorded. */
import type { App } from "../app.js";
import { unknownValue } from "../resource/unknown.js";
import { findRecorded } from "./aliases.js";
import type { Selection } from "./selection.js";
import type { Declaration } from "./task.js";
import { decodeOutput } from "./values.js";

/** The recorded output, also under an earlier name, which stays; an unknown value where there is none of its kind. */
export function leaveOut(declaration: Declaration, selection: Selection): unknown {
  const { key, ref, declared } = declaration;
  const { record } = findRecorded(declaration);
  if (record) {
    selection.hold(key, record);
    declared.settle = (placement) => placement.skipped(record.uid);
  }
  if (record?.output !== undefined && record.kind === ref.kind) return decodeOutput(declaration, record);
  selection.giveUnknown(ref.fqn);
  return unknownValue(ref.fqn);
}

/** So many are named. */
const MOST = 20;

/** Once, at the end of a run: nobody is to take what was left out for done, or a pattern without effect for obeyed. */
export function tellLeftOut({ options, events, generation }: App): void {
  const { selection } = generation.bounds;
  if (!selection) return;
  const names = selection.leftOut.map(({ fqn }) => fqn);
  if (names.length > 0 && !generation.planner) {
    const why = options.target === undefined ? "excluded" : "not targeted";
    const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
    const what = names.length === 1 ? "1 resource" : `${names.length} resources`;
    events.warn(
      "LEFT_OUT",
      `Left out of this run, for it was ${why}: ${what} (${names.slice(0, MOST).join(", ")}${more})`,
    );
  }
  // Else it may just not have been reached.
  if (generation.failures.length > 0) return;
  for (const message of unmatched(selection)) events.warn("TARGET_UNMATCHED", message);
}

function unmatched(selection: Selection): readonly string[] {
  const { targets = [], excludes, met, recorded } = selection;
  const byUid = new Map(recorded.map((record) => [record.uid, record]));
  const isPartOfLeftOut = (parent: string | undefined): boolean => {
    const record = parent === undefined ? undefined : byUid.get(parent);
    return record !== undefined && (selection.isLeftOut(record.key) || isPartOfLeftOut(record.parent));
  };
  return [...targets, ...excludes].flatMap((pattern) => {
    if (met.has(pattern)) return [];
    const found = recorded.filter(({ key }) => pattern.selects(key));
    const isExclude = excludes.includes(pattern);
    if (found.length === 0) {
      return `The ${isExclude ? "exclude" : "target"} "${pattern.text}" matched nothing that is declared or recorded.`;
    }
    if (isExclude || !found.every(({ parent }) => isPartOfLeftOut(parent))) return [];
    return `The target "${pattern.text}" matched only parts of resources that are left out, whose handlers do not run: target these.`;
  });
}
