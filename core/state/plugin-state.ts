/** What a plugin keeps in the state of a stage. */
import type { Change } from "./change.js";
import type { Ledger } from "./ledger.js";
import { pluginOwner } from "./owner.js";
import type { Encoded } from "./record.js";
import type { Sealer } from "./sealer.js";

/**
 * Values of one plugin, recorded with the state. They are lost with it, and gone when the stage is destroyed, but for those of the
 * plugin that keeps the key of a sealed state.
 */
export interface PluginState {
  /** Random name of the ledger, the same from its first entry on. */
  readonly lineage: string;
  readonly keys: readonly string[];
  get(key: string): Encoded | undefined;
  /**
   * Recorded together with the next change of the run, or when it takes its turn; without either, never. `undefined` takes the value
   * away.
   *
   * @param sealer where the value is the key of the state: it seals the line that records it, and all that come after
   */
  set(key: string, value: Encoded | undefined, sealer?: Sealer): void;
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
    set(key, value, sealer) {
      const change: Change = value === undefined ? { op: "data", owner, key } : { op: "data", owner, key, value };
      ledger.accompany(change, sealer);
    },
  };
}
