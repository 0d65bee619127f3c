/**
 * A store with a point before and after each call, and one for each partial effect that a death in the middle of it
 * leaves.
 */
import { type Growing, isGrowing, type StateStore } from "../../core/contract/index.js";
import { described, type StoreCall, type StoreOperation } from "../helpers/stores/store-around.js";
import type { Halves } from "./places/places.js";
import type { Points } from "./points.js";

export function storeWithPoints(store: StateStore, points: Points, halves: Halves): StateStore {
  const begin: Begin = (op, keys, value) => {
    const call: StoreCall = { op, key: keys[0] ?? "", keys, value };
    const name = described(call).replace(/ lease\/.*/, " lease");
    points.reach(`before ${name}`);
    for (const [half, leave] of Object.entries(halves(call))) points.reach(`${half} in ${name}`, leave);
    return () => points.reach(`after ${name}`);
  };
  const around: AroundCall = async (end, act) => {
    const answer = await act;
    end();
    return answer;
  };
  return {
    ...store,
    get: (key) => around(begin("get", [key]), store.get(key)),
    getMany: (keys) => around(begin("getMany", keys), store.getMany(keys)),
    set: (key, value) => around(begin("set", [key], value), store.set(key, value)),
    deleteMany: (keys) => around(begin("deleteMany", keys), store.deleteMany(keys)),
    create: (key, value, options) => around(begin("create", [key], value), store.create(key, value, options)),
    async *list(prefix) {
      const end = begin("list", [prefix]);
      yield* store.list(prefix);
      end();
    },
    ...(isGrowing(store) ? { append: appending(store, begin, around) } : {}),
  };
}

type Begin = (op: StoreOperation, keys: readonly string[], value?: string) => () => void;
type AroundCall = <T>(end: () => void, act: Promise<T>) => Promise<T>;

/** A store that answers synchronously still does. */
function appending(store: Growing, begin: Begin, around: AroundCall): Growing["append"] {
  return (key, chunk, fence, options) => {
    const end = begin("append", [key], chunk);
    const answer = store.append(key, chunk, fence, options);
    if (answer instanceof Promise) return around(end, answer);
    end();
    return answer;
  };
}
