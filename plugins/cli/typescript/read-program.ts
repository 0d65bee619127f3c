/** Reads a program in TypeScript before it runs. */
import type { Source } from "../watch/messages.js";
import { faultsText } from "./faults.js";
import { hook } from "./hooks.js";
import { Program } from "./program.js";

export interface ReadProgram {
  /** The program's own files, and missing files that it imports. */
  readonly sources: readonly Source[];
  /** Faults in the files, each with file and line; undefined if the program can be run. */
  readonly faults: string | undefined;
  /** Lets Node load the files. @param seen called with each file that is found only while the program runs */
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
