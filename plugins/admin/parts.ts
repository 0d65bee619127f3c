/** The parts of a `StageAdmin` that plugins supply. */

import { inClear } from "../secrets/in-clear.js";
import { rekey, rotate } from "../secrets/rotate.js";
import type { AdminParts } from "./operations/index.js";

export const adminParts: AdminParts = {
  rotate,
  rekey,
  reveal: inClear,
  // Only a verify needs it.
  inspect: async (contents) => (await import("../terraform/sensitive/in-the-clear.js")).valuesInClear(contents),
};
