/** What of the values of a store has reached the disk of a machine, so that it outlives a power loss. */
import type { Machine } from "./machine.js";

interface Written {
  /** Characters that are synced; -1: not even the key. */
  length: number;
  machine: Machine;
}

export class Disk {
  readonly #written = new Map<string, Written>();

  wrote(key: string, length: number, machine: Machine): void {
    this.#written.set(key, { length, machine });
  }

  /** It has grown by something that is not synced. */
  touched(key: string, machine: Machine): void {
    const known = this.#written.get(key);
    if (known) known.machine = machine;
  }

  /** Keys that a machine wrote to last, with so many characters of each that are synced. */
  unsynced(machine: Machine): readonly (readonly [key: string, length: number])[] {
    const own = [...this.#written].filter(([, written]) => written.machine === machine);
    return own.map(([key, { length }]) => [key, length]);
  }
}
