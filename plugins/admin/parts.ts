/** The parts of a `StageAdmin` that plugins supply. */

import { rekey, rotate } from "../secrets/rotate.js";
import { inClear } from "../secrets/secret.js";
import type { AdminParts } from "./operations/index.js";

export const adminParts: AdminParts = {
  rotate,
  rekey,
  reveal: inClear,
  // Loaded on demand: only a verify needs it.
  inspect: async (contents) => (await import("../terraform/sensitive/in-the-clear.js")).valuesInClear(contents),
};
