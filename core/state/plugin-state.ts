/** What a plugin keeps in the state of a stage. */
import type { Change } from "./change.js";
import type { Ledger } from "./ledger.js";
import { pluginOwner } from "./owner.js";
import type { Encoded } from "./record.js";

/** Values of one plugin, recorded with the state. They are lost with it, and gone when the stage is destroyed. */
export interface PluginState {
  /** Random name of the ledger, the same from its first entry on. */
  readonly lineage: string;
  readonly keys: readonly string[];
  get(key: string): Encoded | undefined;
  /** Recorded together with the next change of the run; without one, never. `undefined` takes the value away. */
  set(key: string, value: Encoded | undefined): void;
}

export function pluginState(ledger: Ledger, plugin: string): PluginState {
  const owner = pluginOwner(plugin);
  return {
    get lineage() {
      return ledger.readLineage();
    },
    get keys() {
      return [...(ledger.contents.data.get(owner)?.keys() ?? [])];
    },
    get: (key) => ledger.readData(owner, key),
    set(key, value) {
      const change: Change = value === undefined ? { op: "data", owner, key } : { op: "data", owner, key, value };
      ledger.accompany(change);
    },
  };
}
