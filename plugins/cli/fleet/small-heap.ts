import { setFlagsFromString } from "node:v8";

/**
 * The heap may grow by 10 % before Node collects garbage, and young objects get no more room. Otherwise the process
 * grows to several times its data.
 */
const FLAGS = ["--heap-growing-percent=10", "--semi-space-growth-factor=1"];

/** Keeps the memory of a process small that conducts a fleet through a queue; its CPU time matters less. */
export function keepHeapSmall(): void {
  try {
    for (const flag of FLAGS) setFlagsFromString(flag);
  } catch {
    // Other runtimes have no such flags.
  }
}
