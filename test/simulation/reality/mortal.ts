/**
 * A death in the middle of a turn: the simulation ends a process at once, but JavaScript still completes the turn. So
 * nothing of that reaches its store, its world, or its points any more.
 */

import { isGrowing, type StateStore } from "../../../core/contract/index.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import { Points } from "../../faults/points.js";
import type { WorldTexts } from "../../faults/world-texts.js";

/** Points at one of which a simulated process is killed. */
export class MortalPoints extends Points {
  /** Name of the point at which it has died. */
  last: string | undefined;
  readonly #process: SimulatedProcess;
  readonly #isLast: (point: string, number: number) => boolean;

  constructor(process: SimulatedProcess, isLast: (point: string, number: number) => boolean) {
    super();
    this.#process = process;
    this.#isLast = isLast;
  }

  override reach(name: string, leave: () => void = () => {}): void {
    if (this.#process.isGone) return;
    const number = this.names.push(name) - 1;
    if (!this.#isLast(name, number)) return;
    leave();
    this.last = name;
    this.#process.kill("SIGKILL");
  }
}

/** Requests of a dead process are not made, and never answered. */
export function mortalStore(store: StateStore, process: SimulatedProcess): StateStore {
  const alive = <T>(act: () => Promise<T>): Promise<T> => (process.isGone ? new Promise(() => {}) : act());
  return {
    ...store,
    get: (key) => alive(() => store.get(key)),
    getMany: (keys) => alive(() => store.getMany(keys)),
    set: (key, value) => alive(() => store.set(key, value)),
    deleteMany: (keys) => alive(() => store.deleteMany(keys)),
    create: (key, value, options) => alive(() => store.create(key, value, options)),
    async *list(prefix) {
      yield* await alive(async () => store.list(prefix));
    },
    ...(isGrowing(store)
      ? {
          append: (key: string, chunk: string, fence: string) =>
            process.isGone ? alive(async () => false) : store.append(key, chunk, fence),
        }
      : {}),
  };
}

/** Changes of a dead process to the world are not made. */
export function mortalTexts(texts: WorldTexts, process: SimulatedProcess): WorldTexts {
  const alive = (act: () => void): void => {
    if (!process.isGone) act();
  };
  return {
    things: () => texts.things(),
    read: (path) => texts.read(path),
    append: (path, text) => alive(() => texts.append(path, text)),
    put: (path, text) => alive(() => texts.put(path, text)),
    remove: (path) => alive(() => texts.remove(path)),
  };
}
