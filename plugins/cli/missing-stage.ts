/** Refuses a command for a stage that has no state: most likely its name, or the app's, is mistyped. */

import { isEngineError } from "../../core/base/index.js";
import type { Scope } from "../../core/contract/index.js";
import { engineAppOf } from "../../core/engine/index.js";
import type { StageAdmin } from "../admin/operations/index.js";
import { printJson, say } from "./output.js";
import type { Given } from "./run-command.js";
import { withAdmin } from "./state/with-admin.js";

/**
 * True if the stage has a state. False if it has none and `--missing-ok` was given.
 *
 * @throws EngineError `NOT_RECORDED`
 */
export async function stageExists(admin: StageAdmin, { missingOk }: Given): Promise<boolean> {
  try {
    await admin.checkExists();
    return true;
  } catch (error) {
    if (missingOk === true && isEngineError(error, "NOT_RECORDED")) return false;
    throw error;
  }
}

/** Warns where a look at the stage may have nothing to show: it may also be before its first run. */
export async function warnIfMissing(admin: StageAdmin): Promise<void> {
  try {
    await admin.checkExists();
  } catch (error) {
    if (isEngineError(error, "NOT_RECORDED")) say(`warning: ${error.message}`);
  }
}

/** Before an app opens to be destroyed. @throws EngineError `NOT_RECORDED` unless `--missing-ok` */
export async function checkDestroyed(root: Scope, given: Given): Promise<void> {
  await withAdmin(engineAppOf(root), (admin) => stageExists(admin, given));
}

/** Says what a command with `--missing-ok` found, in place of its output. Gives its exit code. */
export function nothingThere({ app, stage }: StageAdmin, { json }: Given): number {
  if (json === true) printJson({ app, stage, missing: true });
  else say(`There is no state of "${app}/${stage}".`);
  return 0;
}
