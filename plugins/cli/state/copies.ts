/** `engine state restore`, `pull` and `push`: read and replace the whole state. */

import { readFile } from "node:fs/promises";
import { text as whole } from "node:stream/consumers";
import { EngineError } from "../../../core/base/index.js";
import type { Restored } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { plainText } from "../../internal/text/plain-text.js";
import { textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { print, printJson, printText, writeOut } from "../output.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

export async function restore(context: InState, number: string): Promise<void> {
  if (!/^\d{1,12}$/.test(number)) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${number}" is not the number of a copy. "engine state history" lists them.`,
    );
  }
  const seq = Number(number);
  const ask = {
    unverified: context.given.unverified === true,
    approve: (what: Parameters<typeof askToRestore>[1]) => askToRestore(context, what, `entry ${seq} of the history`),
  };
  printRestored(context, await context.admin.restore(seq, ask));
}

const THERE = "the real resource may still exist";

/** Asks before the state is restored or pushed. */
export async function askToRestore({ admin, given }: InState, what: Restored, goal: string): Promise<void> {
  const { changes, forgotten } = what;
  const lines = [
    `${counted(changes, "change")} to the state; the real resources stay as they are`,
    ...forgotten.map((fqn) => `no longer recorded: ${fqn}`),
  ];
  await approve(given, lines, `Replace the state of "${admin.app}/${admin.stage}" with ${goal}?`);
}

export function printRestored({ admin, given }: InState, { changes, forgotten }: Restored): void {
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, changes, forgotten });
  if (changes === 0) return print(`Nothing was written: the state of "${app}/${stage}" is the same already.`);
  print(
    `${counted(changes, "change")} to the state of "${app}/${stage}". Compare it with the real resources: engine drift.`,
  );
  for (const name of forgotten) print(`no longer recorded  ${name}  (${THERE})`);
}

/** `engine state pull`: prints or saves the current state as a text. */
export async function pull({ admin, given }: InState): Promise<void> {
  const text = await admin.pull();
  const out = textOf(given.out);
  // The final line break is part of the text; printText() adds it. On a terminal the text is only read, so it is
  // escaped.
  if (out === undefined) return printText(process.stdout.isTTY ? plainText(text.slice(0, -1)) : text.slice(0, -1));
  await writeOut(out, text);
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, file: out });
  print(`The state of "${app}/${stage}" is in ${out}.`);
}

/** `engine state push`: replaces the state with the contents of a file. */
export async function push(context: InState, file: string): Promise<void> {
  const { admin, given } = context;
  const text = await read(file);
  const restored = await admin.push(text, {
    source: file,
    force: given.force === true,
    unverified: given.unverified === true,
    approve: (what) => askToRestore(context, what, `the contents of "${file}"`),
  });
  printRestored(context, restored);
}

/** Reads a file. `-` is the standard input, read as a stream, because its writer may be slow. */
async function read(file: string): Promise<string> {
  try {
    return file === "-" ? await whole(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
}
