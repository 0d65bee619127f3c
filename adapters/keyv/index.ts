/** Store for state in a Keyv, and stores as storage adapters of Keyv. */
import type { KeyvLike, StateStore, StoreContext } from "../../core/contract/index.js";
import { checkKeyvOptions, type KeyvStore, type KeyvStoreOptions, openKeyv } from "./open.js";
import { madeBy } from "./source.js";

export type { KeyvLike } from "../../core/contract/index.js";
export { asKeyvAdapter, type KeyvStorageAdapter } from "../kit/keyv-adapter.js";
export type { KeyvStore, KeyvStoreOptions } from "./open.js";

/**
 * Returns the `stateStore` option for state in a Keyv, in a storage adapter of Keyv, or in a `Map`.
 *
 * Only one process at a time may run: Keyv cannot exclude a second one. The first run of a process gets the warning
 * `STORE_SINGLE_WRITER`. Within one process, runs exclude each other. `stateStore: source` does the same as
 * `stateStore: keyvStore(source)`.
 *
 * @param source a function is called for each run, and its result is disconnected at the end of the run; any other
 * source stays connected, and its owner disconnects it
 * @throws EngineError `INVALID_OPTION` for a Keyv or adapter that hides errors, or whose values expire
 * @example
 * ```ts
 * await engine("my-app", { stateStore: keyvStore(() => new KeyvSqlite("sqlite://state.sqlite")) });
 * ```
 */
export function keyvStore(
  source: KeyvLike | (() => KeyvLike),
  options: KeyvStoreOptions = {},
): (context: StoreContext) => KeyvStore {
  checkKeyvOptions("keyvStore", options);
  return ({ appName, stage, warn }) => {
    const isOwn = typeof source === "function";
    const store = openKeyv(isOwn ? madeBy(source) : source, options, { isOwn, warn });
    if (!warned.has(source)) warn("STORE_SINGLE_WRITER", warning(store, `${appName}/${stage}`));
    warned.add(source);
    return store;
  };
}

/**
 * Returns the store in a Keyv, an adapter, or a `Map`. Its `close` disconnects nothing.
 *
 * @throws EngineError `INVALID_OPTION` for a Keyv or adapter that hides errors, or whose values expire
 */
export function keyvStoreAt(source: KeyvLike, options: KeyvStoreOptions = {}): KeyvStore {
  checkKeyvOptions("keyvStoreAt", options);
  return openKeyv(source, options, { isOwn: false });
}

/** The sources for which this process has warned. */
const warned = new WeakSet<object>();

function warning({ location }: StateStore, stage: string): string {
  return (
    `The state of "${stage}" is in Keyv (${location}), which cannot stop a second process from changing it at the same time. ` +
    "Start only one run at a time, or keep the state in files, Redis or S3."
  );
}
