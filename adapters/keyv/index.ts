/** State in whatever Keyv can store in; and stores as what Keyv stores in. */
import type { KeyvLike, StateStore, StoreContext } from "../../core/contract/index.js";
import { checkKeyvOptions, type KeyvStore, type KeyvStoreOptions, openKeyv } from "./open.js";
import { madeBy } from "./source.js";

export type { KeyvLike } from "../../core/contract/index.js";
export { asKeyvAdapter, type KeyvStorageAdapter } from "../kit/keyv-adapter.js";
export type { KeyvStore, KeyvStoreOptions } from "./open.js";

/**
 * The `stateStore` option for state in a Keyv, in a storage adapter of Keyv, or in a `Map`.
 *
 * One run at a time: Keyv has nothing that would keep two processes apart. The first run of a process is warned of it
 * by `STORE_SINGLE_WRITER`. Within one process runs are kept apart. `stateStore: source` does the same as
 * `stateStore: keyvStore(source)`.
 *
 * @param source a function is called for each run, and what it makes is disconnected with the run; anything else stays
 * connected, and is its maker's to disconnect
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
 * The store in a Keyv, an adapter, or a `Map`; its `close` disconnects nothing.
 *
 * @throws EngineError `INVALID_OPTION` for a Keyv or adapter that hides errors, or whose values expire
 */
export function keyvStoreAt(source: KeyvLike, options: KeyvStoreOptions = {}): KeyvStore {
  checkKeyvOptions("keyvStoreAt", options);
  return openKeyv(source, options, { isOwn: false });
}

/** The sources that this process has warned of. */
const warned = new WeakSet<object>();

function warning({ location }: StateStore, stage: string): string {
  return (
    `The state of "${stage}" is in Keyv (${location}), which cannot keep two processes apart: ` +
    "let only one run at a time change it, or keep it in files, Redis or S3."
  );
}
