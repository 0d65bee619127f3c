import { setFlagsFromString } from "node:v8";

/** Young objects get no more room than at the start of the process. */
const YOUNG = "--semi-space-growth-factor=1";
/** The heap may grow by 10 % before Node collects garbage. Otherwise it grows to several times its data. */
const OLD = "--heap-growing-percent=10";
/** The first Node whose room for young objects grows to 100 MB. */
const LARGE_YOUNG = 24;

/** Keeps the memory of a process small that conducts a fleet through a queue; its CPU time matters less. */
export function keepHeapSmall(): void {
  setFlags([OLD, YOUNG]);
}

/** Keeps the memory of a long command small where that costs no CPU time. */
export function keepYoungSmall(): void {
  if (Number.parseInt(process.versions.node, 10) >= LARGE_YOUNG) setFlags([YOUNG]);
}

function setFlags(flags: readonly string[]): void {
  try {
    for (const flag of flags) setFlagsFromString(flag);
  } catch {
    // Other runtimes have no such flags.
  }
}
