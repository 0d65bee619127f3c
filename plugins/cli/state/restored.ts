/** What restoring and pushing ask, and tell. */

import { fqnOf, type Restored } from "../../../core/admin/index.js";
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

const THERE = "it may be there all the same";

export async function askToRestore({ settings, given }: InState, what: Restored, goal: string): Promise<void> {
  const { changes, forgotten } = what;
  const lines = [
    `${counted(changes, "change")} of what is recorded; the things themselves stay as they are`,
    ...forgotten.map((key) => `no longer recorded: ${fqnOf(settings, key)}`),
  ];
  await approve(given, lines, `Make the state of "${fqnOf(settings, "")}" ${goal}?`);
}

export function tellRestored({ settings, given }: InState, { changes, forgotten }: Restored): void {
  const { app, stage } = settings;
  const names = forgotten.map((key) => fqnOf(settings, key));
  if (given.json === true) return printJson({ app, stage, changes, forgotten: names });
  if (changes === 0) return print(`Nothing was written: "${app}/${stage}" is recorded like that already.`);
  print(
    `${counted(changes, "change")} of what is recorded of "${app}/${stage}". Compare with what is really there: engine drift.`,
  );
  for (const name of names) print(`no longer recorded  ${name}  (${THERE})`);
}
