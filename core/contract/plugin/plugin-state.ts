import type { Encoded } from "../record.js";
import type { Sealer } from "./state-key.js";

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
