/** `engine state restore`: back to a copy of the state. */

import { readFile } from "node:fs/promises";
import { text as whole } from "node:stream/consumers";
import { EngineError } from "../../../core/base/index.js";
import type { Restored } from "../../admin/operations/index.js";
import { plainText } from "../../internal/text/plain-text.js";
import { textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { print, printJson, printText, writeOut } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

export async function restore(context: InState, number: string): Promise<void> {
  if (!/^\d{1,12}$/.test(number)) {
    throw new EngineError("INVALID_ARGUMENT", `"${number}" is no number of a copy: "engine state history" lists them.`);
  }
  const seq = Number(number);
  const ask = {
    unverified: context.given.unverified === true,
    approve: (what: Parameters<typeof askToRestore>[1]) => askToRestore(context, what, `what it was at entry ${seq}`),
  };
  printRestored(context, await context.admin.restore(seq, ask));
}

const THERE = "it may be there all the same";

/** What restoring and pushing ask, and tell. */
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

/** `engine state pull`: the present state as a text. */
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

/** `engine state push`: the state that a file holds. */
export async function push(context: InState, file: string): Promise<void> {
  const { admin, given } = context;
  const text = await read(file);
  const restored = await admin.push(text, {
    source: file,
    force: given.force === true,
    unverified: given.unverified === true,
    approve: (what) => askToRestore(context, what, `what "${file}" says`),
  });
  printRestored(context, restored);
}

/** `-` is the standard input: as a stream, for what writes it may take its time. */
async function read(file: string): Promise<string> {
  try {
    return file === "-" ? await whole(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
}
