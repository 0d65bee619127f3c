/** Declarations that a run is not to touch: they give what is recorded. */
import type { App } from "../app.js";
import { unknownValue } from "../resource/unknown.js";
import type { ResourceRecord } from "../state/record.js";
import { findRecorded } from "./aliases.js";
import type { Selection } from "./selection.js";
import type { TargetPattern } from "./target-pattern.js";
import type { TargetPatterns } from "./target-patterns.js";
import type { Declaration } from "./task.js";
import { decodeOutput } from "./values.js";

/**
 * The recorded output, also under an earlier name, which stays; an unknown value where there is none of its kind, and where its
 * delete was begun.
 */
export function leaveOut(declaration: Declaration, selection: Selection): unknown {
  const { key, ref, declared } = declaration;
  const { record } = findRecorded(declaration);
  if (record) {
    selection.hold(key, record);
    declared.settle = (placement) => placement.skipped(record.uid);
  }
  const isThere = record?.kind === ref.kind && record.status !== "deleting";
  if (!isThere || record.status !== "ready") declared.isUndone = true;
  if (isThere && record.output !== undefined) return decodeOutput(declaration, record);
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
  const { targets, excludes, met, recorded } = selection;
  if (met.size === (targets?.all.length ?? 0) + excludes.all.length) return [];
  const byUid = new Map(recorded.map((record) => [record.uid, record]));
  const isPartOfLeftOut = (parent: string | undefined): boolean => {
    const record = parent === undefined ? undefined : byUid.get(parent);
    return record !== undefined && (selection.isLeftOut(record.key) || isPartOfLeftOut(record.parent));
  };
  const foundBy = recordsBy([targets, excludes], recorded);
  const unmet = (patterns: TargetPatterns | undefined): readonly TargetPattern[] =>
    patterns?.all.filter((pattern) => !met.has(pattern)) ?? [];
  const nothing = (what: string, { text }: TargetPattern): string =>
    `The ${what} "${text}" matched nothing that is declared or recorded.`;
  return [
    ...unmet(targets).flatMap((pattern) => {
      const found = foundBy.get(pattern);
      if (!found) return nothing("target", pattern);
      if (!found.every(({ parent }) => isPartOfLeftOut(parent))) return [];
      return `The target "${pattern.text}" matched only parts of resources that are left out, whose handlers do not run: target these.`;
    }),
    ...unmet(excludes).flatMap((pattern) => (foundBy.has(pattern) ? [] : nothing("exclude", pattern))),
  ];
}

/** What each pattern selects; those that select nothing are not there. */
function recordsBy(
  all: readonly (TargetPatterns | undefined)[],
  records: readonly ResourceRecord[],
): ReadonlyMap<TargetPattern, readonly ResourceRecord[]> {
  const found = new Map<TargetPattern, ResourceRecord[]>();
  for (const record of records) {
    for (const pattern of all.flatMap((patterns) => patterns?.selecting(record.key) ?? [])) {
      const known = found.get(pattern);
      if (known) known.push(record);
      else found.set(pattern, [record]);
    }
  }
  return found;
}
