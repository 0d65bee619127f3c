/** The parts of a `StageAdmin` that plugins supply. */
import type { AdminParts } from "../../core/admin/index.js";
import { inClear } from "../secrets/in-clear.js";
import { rekey, rotate } from "../secrets/rotate.js";

export const adminParts: AdminParts = {
  rotate,
  rekey,
  reveal: inClear,
  // Only a verify needs it.
  inspect: async (contents) => (await import("../terraform/sensitive/in-the-clear.js")).valuesInClear(contents),
};
