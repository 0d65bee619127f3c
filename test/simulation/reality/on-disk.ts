/** A store of a simulated process whose writes reach the disk, or are acknowledged, after a while. */

import { type Growing, isGrowing, type StateStore } from "../../../core/contract/index.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import type { Schedule } from "./schedule.js";

export function onDisk(store: StateStore, process: SimulatedProcess, { disk }: Schedule): StateStore {
  const wait = (delay: number): Promise<void> =>
    new Promise((resolve) => process.wake(process.monotonicNow() + delay, resolve));
  return {
    ...store,
    set: (key, value) => inPlace(() => store.set(key, value)),
    create: (key, value, options) => inPlace(() => store.create(key, value, options)),
    ...(isGrowing(store) ? { append: appended(store) } : {}),
  };

  async function inPlace<T>(write: () => Promise<T>): Promise<T> {
    const [before, after] = [disk(), disk()];
    if (before > 0) await wait(before);
    const answer = await write();
    if (after > 0) await wait(after);
    return answer;
  }

  /** An appended line is in the file at once; it may take a while until it is on the disk. */
  function appended(growing: Growing): Growing["append"] {
    return (key, chunk, fence, options) => {
      const after = disk();
      const answer = growing.append(key, chunk, fence, options);
      return after > 0 ? wait(after).then(() => answer) : answer;
    };
  }
}
