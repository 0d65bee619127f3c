/** `engine state unlock`: ends the session of whoever is at work. */

import { nothingThere, stageExists } from "../open-stage.js";
import { print, printJson } from "../output.js";
import { approve, counted, holderText } from "./approval.js";
import type { InState } from "./in-state.js";

export async function unlock({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const name = `"${app}/${stage}"`;
  const holder = await admin.unlock({
    force: given.force === true,
    approve: (found) => approve(given, [`locked by ${holderText(found)}`], `Take ${name} away from it?`),
  });
  if (given.json === true) return printJson({ app, stage, unlocked: holder ?? null });
  print(holder ? `${name} is unlocked; it was locked by ${holderText(holder)}.` : `${name} is not locked.`);
}

/** `engine state seal`: from now on nobody without the key can change the state. */
export async function seal({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const isSealed = await admin.seal({
    approve: (resources) =>
      approve(
        given,
        [
          `${counted(resources, "resource")} recorded there; nothing proves who wrote that: look at it first (engine state show, engine plan)`,
          "from then on every run needs the password or key, and versions that know no seals cannot use the stage",
        ],
        `Seal the state of "${app}/${stage}" as it is?`,
      ),
  });
  if (given.json === true) return printJson({ app, stage, sealed: isSealed });
  print(
    isSealed
      ? `The state of "${app}/${stage}" is sealed: what somebody else writes there is refused.`
      : `The state of "${app}/${stage}" is sealed already, or nothing is recorded there yet: then it is sealed with the first change.`,
  );
}

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
