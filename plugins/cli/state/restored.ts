/** What restoring and pushing ask, and tell. */
import type { Restored } from "../../admin/operations/index.js";
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

const THERE = "it may be there all the same";

export async function askToRestore({ admin, given }: InState, what: Restored, goal: string): Promise<void> {
  const { changes, forgotten } = what;
  const lines = [
    `${counted(changes, "change")} of what is recorded; the things themselves stay as they are`,
    ...forgotten.map((fqn) => `no longer recorded: ${fqn}`),
  ];
  await approve(given, lines, `Make the state of "${admin.app}/${admin.stage}" ${goal}?`);
}

export function printRestored({ admin, given }: InState, { changes, forgotten }: Restored): void {
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, changes, forgotten });
  if (changes === 0) return print(`Nothing was written: "${app}/${stage}" is recorded like that already.`);
  print(
    `${counted(changes, "change")} of what is recorded of "${app}/${stage}". Compare with what is really there: engine drift.`,
  );
  for (const name of forgotten) print(`no longer recorded  ${name}  (${THERE})`);
}
