/** Flags that a command has read, on their way to the program that it runs: as data, and not as a text that is read again. */
import { isSameList, processWide } from "../../../core/base/index.js";
import { parseArgv } from "../argv.js";
import type { GivenFlags } from "./given-flags.js";

interface HandedOver {
  /** The arguments that the program sees. */
  readonly argv: readonly string[];
  readonly flags: GivenFlags;
}

// Of all copies of the package: the program may have another one than what started it.
const handed = processWide<{ last: HandedOver | undefined }>("flags@1", () => ({ last: undefined }));

/** What a program that is run from now on sees as its arguments, and what its apps are given by them. */
export function handOver(script: string, argv: readonly string[], flags: GivenFlags): void {
  process.argv = [process.execPath, script, ...argv];
  handed.last = { argv, flags };
}

/**
 * What the arguments say. A program may change them before it calls `engine()`: then they are not what the command has read, and are read.
 *
 * @throws EngineError `INVALID_ARGUMENT` naming the flag
 */
export function flagsIn(argv: readonly string[]): GivenFlags {
  const { last } = handed;
  return last && isSameList(last.argv, argv) ? last.flags : parseArgv(argv);
}
