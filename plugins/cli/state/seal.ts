/** `engine state seal`: from now on nobody without the key can change the state. */
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

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
