import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";

/** The same values for a reader outside the simulation. */
export async function openCopy(values: ReadonlyMap<string, string>): Promise<StateStore> {
  const copy = memoryStore();
  for (const [key, value] of values) await copy.set(key, value);
  return copy;
}
