/** `engine state unlock`, `seal` and `recover`. */

import { counted } from "../../internal/text/counted.js";
import { nothingThere, stageExists } from "../open-stage.js";
import { print, printJson } from "../output.js";
import { approve, holderText } from "./approval.js";
import type { InState } from "./in-state.js";

export async function unlock({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const name = `"${app}/${stage}"`;
  const holder = await admin.unlock({
    force: given.force === true,
    approve: (found) => approve(given, [`locked by ${holderText(found)}`], `Unlock ${name}?`),
  });
  if (given.json === true) return printJson({ app, stage, unlocked: holder ?? null });
  print(holder ? `${name} is unlocked; it was locked by ${holderText(holder)}.` : `${name} is not locked.`);
}

/** `engine state seal`: protects the state, so that it cannot be changed without the key. */
export async function seal({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const isSealed = await admin.seal({
    approve: (resources) =>
      approve(
        given,
        [
          `${counted(resources, "resource")} recorded; nothing proves who wrote the records: check them first (engine state show, engine plan)`,
          "after this, every run needs the password or key, and versions of scope-engine without seals cannot use the stage",
        ],
        `Seal the state of "${app}/${stage}" as it is?`,
      ),
  });
  if (given.json === true) return printJson({ app, stage, sealed: isSealed });
  print(
    isSealed
      ? `The state of "${app}/${stage}" is sealed: runs refuse records that were written without its key.`
      : `The state of "${app}/${stage}" is sealed already, or is still empty. If it is empty, the first change seals it.`,
  );
}

/** Records recovery files. Returns 1 if some were left. */
export async function recover({ admin, given }: InState): Promise<number> {
  const { recorded, left } = await admin.recover();
  // A first run that could record nothing leaves a recovery file but no state.
  if (recorded.length + left.length === 0 && !(await stageExists(admin, given))) return nothingThere(admin, given);
  if (given.json === true) printJson({ app: admin.app, stage: admin.stage, recorded, left });
  // The outcome of each file is printed to standard error.
  else if (recorded.length + left.length === 0) print("There is no recovery file.");
  else print(`${counted(recorded.length, "recovery file")} recorded, ${left.length} left.`);
  return left.length > 0 ? 1 : 0;
}
