/** Patterns of `target` and `exclude` that nothing fits: most likely slips of the pen. */

import { allNear, EngineError } from "../../base/index.js";
import { fqnIn, type ResourceRecord } from "../../contract/index.js";
import { pathsTo, type TargetPattern, type TargetPatterns } from "../../options/index.js";
import type { App } from "../app.js";

/** The most names that are suggested. */
const MOST = 3;
/** The most patterns of an option for which names are suggested: each search goes through all names. */
const LOOKS = 5;

/**
 * Before anything is deleted, once all is known that a pattern could be about. An exclude without effect is only warned of,
 * but in the phase `destroy`, where what it was to save would go.
 */
export function unmatchedErrors(app: App): readonly EngineError[] {
  const { selection } = app.run.bounds;
  if (!selection) return [];
  const { targets, excludes, met, recorded } = selection;
  if (met.size === (targets?.all.length ?? 0) + excludes.all.length) return [];
  const byUid = new Map(recorded.map((record) => [record.uid, record]));
  const isPartOfLeftOut = ({ parent }: ResourceRecord): boolean => {
    const whole = parent === undefined ? undefined : byUid.get(parent);
    return whole !== undefined && (selection.isLeftOut(whole.key) || isPartOfLeftOut(whole));
  };
  const foundBy = recordsBy([targets, excludes], recorded);
  const unmet = (patterns: TargetPatterns | undefined): readonly TargetPattern[] =>
    patterns?.all.filter((pattern) => !met.has(pattern)) ?? [];
  const errors = unmet(targets).flatMap((pattern, index) => {
    const found = foundBy.get(pattern);
    if (!found) return [unmatched(nothing(app, "target", pattern, index))];
    if (!found.every(isPartOfLeftOut)) return [];
    const which = `The target "${pattern.text}" matched only parts`;
    return [unmatched(`${which} of resources that are left out, whose handlers do not run: target these.`)];
  });
  for (const [index, pattern] of unmet(excludes)
    .filter((one) => !foundBy.has(one))
    .entries()) {
    const message = nothing(app, "exclude", pattern, index);
    if (app.options.phase === "destroy") errors.push(unmatched(message));
    else app.events.warn("TARGET_UNMATCHED", message);
  }
  return errors;
}

function unmatched(message: string): EngineError {
  return new EngineError("TARGET_UNMATCHED", message);
}

/** @param index how many such messages come before */
function nothing(app: App, what: string, { text }: TargetPattern, index: number): string {
  const isDestroy = app.options.phase === "destroy";
  const near = (index < LOOKS ? nearNames(app, text) : []).map((name) => `"${name}"`);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  return `The ${what} "${text}" matched nothing that is ${isDestroy ? "recorded" : "declared or recorded"}.${hint}`;
}

/** FQNs of resources, and of scopes, whose ends are like what the pattern says: nearest first. */
function nearNames({ root, ledger, run }: App, text: string): readonly string[] {
  const keys = [...run.declaredKeys, ...[...ledger.contents.records.values()].map(({ key }) => key)];
  const paths = [...new Set(keys.flatMap(pathsTo))];
  const isAnywhere = text.startsWith("**/");
  // App and stage are right, and would make everything look alike.
  const wanted = text.split("/").slice(isAnywhere ? 1 : 2);
  const shapes = paths.map((path) => (isAnywhere ? path.split("/").slice(-wanted.length).join("/") : path));
  const near = allNear(wanted.join("/"), [...new Set(shapes)]);
  const found = near.flatMap((shape) => paths.filter((_path, index) => shapes[index] === shape));
  return found.slice(0, MOST).map((path) => fqnIn(root, path));
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
