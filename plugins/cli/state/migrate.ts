/** `engine state migrate`: moves the state to another store. */

import { storeUrl } from "../../internal/flags/flag.js";
import { counted } from "../../internal/text/counted.js";
import { print, printJson, say } from "../output.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

export async function migrate({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const name = `${app}/${stage}`;
  const tell = tenths(say);
  let isLarge = false;
  const moved = await admin.migrate(storeUrl(String(given.to), "--to"), {
    approve({ from, to, resources }) {
      isLarge = resources >= MANY;
      const lines = [
        `from ${from}`,
        `to ${to}`,
        `${counted(resources, "resource")}, with history and secrets; the real resources stay as they are`,
        "after this, no run can use the old store",
      ];
      return approve(given, lines, `Move the state of "${name}" to ${to}?`);
    },
    progress: (done, all) => isLarge && tell(done, all),
  });
  const { from, to, resources, wasCopied } = moved;
  if (given.json === true) return printJson({ app, stage, from, to, resources });
  print(
    wasCopied
      ? `An earlier migration copied the state of "${name}" to ${to}. It is in use there now.`
      : `The state of "${name}" is in ${to} now (${counted(resources, "resource")}). The copy in ${from} is kept, but no run uses it.`,
  );
  print("Set the program's option stateStore to the new store wherever the program runs.");
}

/** Progress is shown from this number of resources on. */
const MANY = 1_000;

/** Reports progress in steps of 10 %, nine times at most. */
export function tenths(tell: (line: string) => void): (done: number, all: number) => void {
  let told = 0;
  return (done, all) => {
    const tenth = Math.floor((10 * done) / all);
    if (tenth === told || tenth === 10) return;
    told = tenth;
    tell(`${10 * tenth} % copied and compared`);
  };
}
