/** Values and names in the form that the page shows. Pure. */
import { shellWord } from "../../internal/text/shell-word.js";
import type { ValueAt } from "../api/index.js";
import type { StageName } from "./stage-source.js";
import { bounded, LIMITS } from "./stage-views.js";

type Changes = ValueAt["changes"];

/** Returns as many changes as a page can show. */
export function few(changes: Changes): Changes {
  return changes.slice(0, 200).map((change) => ({
    ...change,
    ...membersWithin(change, ["old", "new"]),
    path: String(bounded(change.path)),
  }));
}

export function membersWithin<T extends object>(of: T, names: readonly (keyof T)[], largest = LIMITS.size): Partial<T> {
  const present = names.filter((name) => of[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, bounded(of[name], largest)])) as Partial<T>;
}

/** Returns arguments for a shell. */
export function placeOf({ app, stage }: StageName): string {
  return `--app ${shellWord(app)} --stage ${shellWord(stage)}`;
}
