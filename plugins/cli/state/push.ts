/** `engine state push`: the state that a file holds. */
import { readFile } from "node:fs/promises";
import { text as whole } from "node:stream/consumers";
import { push as write } from "../../../core/admin/index.js";
import { unusableFile } from "../unusable-file.js";
import type { InState } from "./in-state.js";
import { askToRestore, tellRestored } from "./restored.js";

export async function push(context: InState, file: string): Promise<void> {
  const { settings, given } = context;
  const text = await read(file);
  const restored = await write(settings, {
    source: file,
    text,
    force: given.force === true,
    unverified: given.unverified === true,
    approve: (what) => askToRestore(context, what, `what "${file}" says`),
  });
  tellRestored(context, restored);
}

/** `-` is the standard input: as a stream, for what writes it may take its time. */
async function read(file: string): Promise<string> {
  try {
    return file === "-" ? await whole(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
}
