/** `engine state recover`: records what earlier runs could not. */
import { recoverNow } from "../../../core/admin/index.js";
import { print, printJson } from "../output.js";
import { counted } from "./approval.js";
import type { InState } from "./in-state.js";

/** 1 where something was left. */
export async function recover({ app, store, settings, given }: InState): Promise<number> {
  const { recorded, left } = await recoverNow(app, store);
  if (given.json === true) printJson({ app: settings.app, stage: settings.stage, recorded, left });
  // What became of each file is said on standard error.
  else if (recorded.length + left.length === 0) print("There is no recovery file.");
  else print(`${counted(recorded.length, "recovery file")} recorded, ${left.length} left.`);
  return left.length > 0 ? 1 : 0;
}
