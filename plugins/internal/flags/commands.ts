/** The commands that take flags, by their names down from the program, as the table of flags speaks of them. */

/** They run the program of a project. */
export const RUNS = ["up", "dev", "watch", "plan", "destroy", "read"] as const;

/** Of the runs, those that may change something. */
export const CHANGING = ["up", "dev", "watch", "destroy"] as const;

/** Of the runs, those that a page can be served beside. */
export const BESIDE = ["up", "plan", "destroy"] as const;

/** They work on what is recorded. */
export const STATE = [
  "state list",
  "state show",
  "state tree",
  "state history",
  "state stages",
  "state verify",
  "state unlock",
  "state move",
  "state forget",
  "state keep",
  "state pull",
  "state push",
  "state restore",
  "state purge",
  "state seal",
  "state migrate",
  "state recover",
  "state processes",
] as const;

/** They run the program as far as its first app, and work on the stage of that. */
export const STAGE = [...STATE, "drift", "graph", "ui", "secrets rotate"] as const;

/** They work on the providers of a project, and run nothing of it. */
export const PROVIDERS = ["add", "providers list", "providers update", "providers verify"] as const;

/** `watched-run` is what `watch` and `dev` start for each run. */
export type CommandName =
  | (typeof RUNS)[number]
  | (typeof STAGE)[number]
  | (typeof PROVIDERS)[number]
  | "init"
  | "watched-run";

export function without(names: readonly CommandName[], ...left: readonly CommandName[]): readonly CommandName[] {
  return names.filter((name) => !left.includes(name));
}
