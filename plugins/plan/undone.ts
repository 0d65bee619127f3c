/** Actions of a saved plan that a run has not begun, and why. */
import { everywhere } from "../../core/base/index.js";
import { fqnIn, type PlannedAction } from "../../core/contract/index.js";
import type { ScopeGeneration, ScopeHost } from "../../core/scope/index.js";

/** The part of an app that tells why. */
export interface EndedRun extends ScopeHost {
  readonly generation: ScopeGeneration & {
    hasFailed(isBelow: (path: string) => boolean): boolean;
    optionsOf(key: string): object | undefined;
  };
}

export interface Undone {
  readonly fqn: string;
  readonly action: PlannedAction["action"];
  readonly why: string;
}

export function whyUndone(app: EndedRun, planned: PlannedAction): Undone {
  const { fqn, action } = planned;
  return { fqn, action, why: reasonOf(app, planned) };
}

function reasonOf({ generation, ledger, root }: EndedRun, { fqn, action, deletes }: PlannedAction): string {
  if (generation.hasFailed(everywhere)) return "the run failed before";
  const isDeclared = generation.optionsOf(fqn.slice(fqnIn(root, "").length)) !== undefined;
  if (action !== "delete") return isDeclared ? "nothing had to be changed any more" : "the program did not declare it";
  if (!ledger.contents.records.has(deletes?.uid ?? "")) return "it was gone already";
  return isDeclared ? "the program declares it" : "it was kept";
}
