/** A program with two resources on one stage. */
import { type Ended, runProgram } from "../helpers/processes/child-program.ts";
import { cwd } from "./own-folder.ts";

export const run = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runProgram("stage", { cwd, args, env });

/** The state after a destroy. */
export const nothing = { recorded: [], pending: [], isOpen: false };

/** Durations differ each time. */
export const timeless = (text: string): string => text.replace(/\d+(\.\d)? (ms|s)\b/g, "…");
