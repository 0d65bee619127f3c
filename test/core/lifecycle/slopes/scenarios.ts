/** All that is measured. */
import { histories } from "./histories.js";
import { programs } from "./programs.js";
import type { Scenario } from "./scenario.js";

export const scenarios: readonly Scenario[] = [...programs, ...histories];
