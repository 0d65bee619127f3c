/** `engine state pull`: the present state as a text. */
import { fsync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { plainText } from "../../internal/plain-text.js";
import { textOf } from "../flags.js";
import { print, printJson, printText } from "../output.js";
import { unusableFile } from "../unusable-file.js";
import type { InState } from "./in-state.js";

export async function pull({ admin, given }: InState): Promise<void> {
  const text = await admin.pull();
  const out = textOf(given.out);
  // The line break at its end is part of the text. Whoever looks at it on a terminal does not push it.
  if (out === undefined) return printText(process.stdout.isTTY ? plainText(text.slice(0, -1)) : text.slice(0, -1));
  await write(out, text);
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, file: out });
  print(`The state of "${app}/${stage}" is in ${out}.`);
}

/** Secrets in it are encrypted; all the rest is nobody else's business either. */
async function write(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.chmod(0o600);
      await file.writeFile(text);
      // Not file.sync(): Yarn's Plug'n'Play has handles of its own, which know no such thing.
      await promisify(fsync)(file.fd);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}
