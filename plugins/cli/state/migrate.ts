/** `engine state migrate`: the state goes on in another store. */

import { storeUrl } from "../../internal/flags/flag.js";
import { print, printJson, say } from "../output.js";
import { approve, counted } from "./approval.js";
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
        `${counted(resources, "resource")}, with history and secrets; the things themselves stay as they are`,
        "no run can use the old store any more",
      ];
      return approve(given, lines, `Move the state of "${name}" to ${to}?`);
    },
    progress: (done, all) => isLarge && tell(done, all),
  });
  const { from, to, resources, wasCopied } = moved;
  if (given.json === true) return printJson({ app, stage, from, to, resources });
  print(
    wasCopied
      ? `The state of "${name}" had been copied to ${to} before, and is in use there.`
      : `The state of "${name}" is in ${to} now (${counted(resources, "resource")}); what is in ${from} is kept, and no run uses it.`,
  );
  print("Give the program the new store (stateStore), wherever it runs.");
}

/** Fewer resources take no time worth speaking of. */
const MANY = 1_000;

/** Tells how far something has come, nine times at most. */
export function tenths(tell: (line: string) => void): (done: number, all: number) => void {
  let told = 0;
  return (done, all) => {
    const tenth = Math.floor((10 * done) / all);
    if (tenth === told || tenth === 10) return;
    told = tenth;
    tell(`${10 * tenth} % copied and compared`);
  };
}
