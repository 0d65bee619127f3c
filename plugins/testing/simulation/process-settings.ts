/** What a simulated process is started with. */

import type { Machine } from "./machine.js";
import type { Random } from "./random.js";
import type { SimulatedProcess } from "./simulated-process.js";
import type { VirtualTime } from "./virtual-time.js";

/** What befalls a process, as often as it is woken: at its first waking, its second, … */
export interface Blow {
  /** Number of the waking, from 1: it does not come to that, or only later. */
  readonly at: number;
  readonly what: "kill" | "SIGINT" | "SIGTERM" | { readonly pause: number };
}

export interface ProcessSettings {
  readonly name: string;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly blows: readonly Blow[];
  /** Runs a piece of the process's code, and all that follows from it at once. */
  enter(process: SimulatedProcess, code: () => void): void;
}

/** How long the machine takes for a file, at most, in milliseconds. */
export const FILE = 0.5;

/** How long deriving a key takes, in milliseconds. */
export const SCRYPT = 300;

/** The moment at which virtual time begins. */
export const BEGINNING = Date.UTC(2030, 0, 1);
