/** `engine state push`: the state that a file holds. */
import { readFile } from "node:fs/promises";
import { text as whole } from "node:stream/consumers";
import { unusableFile } from "../unusable-file.js";
import type { InState } from "./in-state.js";
import { askToRestore, printRestored } from "./restored.js";

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
