/** What a plugin keeps in the state of a stage. */

import { type PluginState, pluginOwner } from "../contract/index.js";
import type { Change } from "./change.js";
import type { Ledger } from "./ledger.js";

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
      ledger.piggyback(change, sealer);
    },
  };
}
