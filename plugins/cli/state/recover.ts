/** `engine state recover`: records what earlier runs could not. */
import { nothingThere, stageExists } from "../missing-stage.js";
import { print, printJson } from "../output.js";
import { counted } from "./approval.js";
import type { InState } from "./in-state.js";

/** 1 where something was left. */
export async function recover({ admin, given }: InState): Promise<number> {
  const { recorded, left } = await admin.recover();
  // A first run that could record nothing leaves a file, and no state.
  if (recorded.length + left.length === 0 && !(await stageExists(admin, given))) return nothingThere(admin, given);
  if (given.json === true) printJson({ app: admin.app, stage: admin.stage, recorded, left });
  // What became of each file is said on standard error.
  else if (recorded.length + left.length === 0) print("There is no recovery file.");
  else print(`${counted(recorded.length, "recovery file")} recorded, ${left.length} left.`);
  return left.length > 0 ? 1 : 0;
}
