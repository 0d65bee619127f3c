/** A program in TypeScript, read before anything of it runs. */
import type { Source } from "../watch/messages.js";
import { faultsText } from "./faults.js";
import { hook } from "./hooks.js";
import { Program } from "./program.js";

export interface ReadProgram {
  /** Its own files, and those that it looks for and that are not there. */
  readonly sources: readonly Source[];
  /** What is wrong with them, each with file and line; undefined where the program can be run. */
  readonly faults: string | undefined;
  /** From now on Node can load its files. @param seen called with each that is found only while it runs */
  load(seen: (source: Source) => void): void;
}

/** @param entry absolute path */
export function readProgram(entry: string): ReadProgram {
  const program = new Program(entry);
  program.read();
  const { sources, faults } = program;
  return {
    sources,
    faults: faults.length === 0 ? undefined : faultsText(faults),
    load: (seen) => hook(program, seen),
  };
}
