/** Wraps a store so that each of its requests goes through a function. */
import {
  type Growing,
  isGrowing,
  type StateStore,
  type StoreOperation,
  type StoreRequestContext,
} from "../contract/index.js";

/** {@link StoreRequestContext} without the run. */
type StoreRequest = Omit<StoreRequestContext, "run">;

/** @param around makes the request by calling `make`, and returns its result */
export function aroundStore(
  store: StateStore,
  around: <T>(request: StoreRequest, make: () => Promise<T>) => Promise<T>,
): StateStore {
  const request = <T>(operation: StoreOperation, key: string | undefined, make: () => T | Promise<T>) =>
    around({ store: store.name, operation, key }, async () => make());
  const { name, location, local, ignoresLateWrites } = store;
  const plain: StateStore = {
    name,
    ...(location === undefined ? {} : { location }),
    ...(local === undefined ? {} : { local }),
    ...(ignoresLateWrites && { ignoresLateWrites }),
    get: (key) => request("get", key, () => store.get(key)),
    getMany: (keys) => request("getMany", undefined, () => store.getMany(keys)),
    set: (key, value) => request("set", key, () => store.set(key, value)),
    deleteMany: (keys) => request("deleteMany", undefined, () => store.deleteMany(keys)),
    create: (key, value, options) => request("create", key, () => store.create(key, value, options)),
    async *list(prefix) {
      yield* await request("list", prefix, () => all(store.list(prefix)));
    },
    // Not a request: it only listens.
    ...(store.whenDeleted && { whenDeleted: store.whenDeleted.bind(store) }),
    close: async () => store.close?.(),
  };
  if (!isGrowing(store)) return plain;
  const growing: Growing = {
    append: (key, chunk, fence, options) => request("append", key, () => store.append(key, chunk, fence, options)),
  };
  return { ...plain, ...growing };
}

async function all(keys: AsyncIterable<string>): Promise<readonly string[]> {
  const listed: string[] = [];
  for await (const key of keys) listed.push(key);
  return listed;
}
