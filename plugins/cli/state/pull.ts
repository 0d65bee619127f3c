/** `engine state pull`: the present state as a text. */
import { plainText } from "../../internal/plain-text.js";
import { textOf } from "../flags.js";
import { print, printJson, printText } from "../output.js";
import { writeOut } from "../write-out.js";
import type { InState } from "./in-state.js";

export async function pull({ admin, given }: InState): Promise<void> {
  const text = await admin.pull();
  const out = textOf(given.out);
  // The line break at its end is part of the text. Whoever looks at it on a terminal does not push it.
  if (out === undefined) return printText(process.stdout.isTTY ? plainText(text.slice(0, -1)) : text.slice(0, -1));
  await writeOut(out, text);
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, file: out });
  print(`The state of "${app}/${stage}" is in ${out}.`);
}
