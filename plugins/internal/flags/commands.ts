/** Names of the commands that take flags, as the table of flags uses them: words separated by spaces. */

/** Commands that run the program of a project. */
export const RUNS = ["up", "dev", "watch", "plan", "destroy", "read"] as const;

/** Runs that may change resources. */
export const CHANGING = ["up", "dev", "watch", "destroy"] as const;

/** Runs that support `--ui`. */
export const BESIDE = ["up", "plan", "destroy"] as const;

/** Commands that work on the recorded state. */
export const STATE = [
  "state init",
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

/** Commands that run the program up to its first app and work on the stage of this app. */
export const STAGE = [...STATE, "drift", "graph", "export", "ui", "secrets rotate"] as const;

/** Commands that work on the providers of a project. They do not run the program. */
export const PROVIDERS = ["add", "providers list", "providers update", "providers verify"] as const;

/** Commands that take over existing resources and write a program. */
export const IMPORTS = ["import", "adopt"] as const;

/** Runs of a fleet. */
export const FLEET_RUNS = [
  "fleet up",
  "fleet plan",
  "fleet drift",
  "fleet destroy",
  "fleet resume",
  "fleet retry",
] as const;

/** Commands that work on a fleet. */
export const FLEET = [...FLEET_RUNS, "fleet status", "fleet pause", "fleet cancel", "worker"] as const;

/** Commands whose stages apply or plan the program. */
export const FLEET_APPLY = ["fleet up", "fleet plan", "fleet resume", "fleet retry", "worker"] as const;

/** Name of a command. `watch` and `dev` start `watched-run` for each run. */
export type CommandName =
  | (typeof RUNS)[number]
  | (typeof STAGE)[number]
  | (typeof PROVIDERS)[number]
  | (typeof FLEET)[number]
  | "fleet migrate"
  | (typeof IMPORTS)[number]
  | "init"
  | "watched-run";

export function without(names: readonly CommandName[], ...left: readonly CommandName[]): readonly CommandName[] {
  return names.filter((name) => !left.includes(name));
}
