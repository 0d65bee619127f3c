/** `engine state unlock`: ends the session of whoever is at work. */
import { print, printJson } from "../output.js";
import { approve } from "./approval.js";
import { holderText } from "./holder-text.js";
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
