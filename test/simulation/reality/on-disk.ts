/** A store of a simulated process whose creates reach the disk only after a while, as those of files that are to outlive a power loss. */

import type { StateStore } from "../../../core/state/store.js";
import type { SimulatedProcess } from "../../../core/testing/simulation/simulated-process.js";
import type { Schedule } from "./schedule.js";

export function onDisk(store: StateStore, process: SimulatedProcess, { disk }: Schedule): StateStore {
  return {
    ...store,
    create(key, value, options) {
      const delay = disk();
      const create = (): Promise<boolean> => store.create(key, value, options);
      if (delay === 0) return create();
      return new Promise((resolve, reject) => {
        process.wake(process.monotonicNow() + delay, () => create().then(resolve, reject));
      });
    },
  };
}
