/** `engine state purge`: removes the past of an empty stage. */
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

export async function purge({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const name = `${app}/${stage}`;
  const purged = await admin.purge({
    history: given.history === true,
    approve({ history }) {
      const copies = history > 0 ? ` and what can be restored (${history})` : "";
      return approve(given, [], `Remove the past of ${name}${copies}? It cannot be brought back.`);
    },
  });
  if (given.json === true) return printJson({ app, stage, ...purged });
  print(`${name}: removed ${counted(purged.keys, "key")} of the journal, ${purged.history} of the history`);
}
