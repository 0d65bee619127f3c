/** All measured scenarios. */

import { isLong } from "../../../helpers/checks/sampling.js";
import { histories } from "./histories.js";
import { programs } from "./programs.js";
import type { Scenario } from "./scenario.js";

/** Scenarios that take the same code paths as others: measured only in long runs. */
const SIMILAR: ReadonlySet<string> = new Set([
  "in many scopes at once",
  "a chain of promises",
  "one that all depend on",
  "waves",
  "in one scope that is entered again and again",
  "a chain with a target at its end",
  "half of them removed, in parallel",
]);

export const scenarios: readonly Scenario[] = [...programs, ...histories].filter(
  ({ name }) => isLong || !SIMILAR.has(name),
);
