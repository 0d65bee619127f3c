/** The whole contents of a store, to inspect and to change: no engine reads them at once. */
import type { StateStore } from "../../../core/contract/index.js";
import { collect } from "../../../plugins/testing/store/case.js";

/** All keys and values. */
export async function snapshot(store: StateStore): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const key of await collect(store.list(""))) {
    const value = await store.get(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}

export async function putAll(
  store: StateStore,
  values: Iterable<readonly [key: string, value: string]>,
): Promise<void> {
  for (const [key, value] of values) await store.set(key, value);
}

export async function emptyStore(store: StateStore): Promise<void> {
  await store.deleteMany(await collect(store.list("")));
}
