import type { StateStore } from "../../core/contract/store.js";
import { collect } from "../../core/testing/store/case.js";

/** Everything that a store can be asked, by name. */
export const storeOperations: Readonly<Record<string, (store: StateStore) => Promise<unknown>>> = {
  get: (store) => store.get("app/dev/a"),
  getMany: (store) => store.getMany(["app/dev/a", "b"]),
  has: (store) => store.has("app/dev/a"),
  set: (store) => store.set("app/dev/a", "1"),
  setMany: (store) => store.setMany([{ key: "app/dev/a", value: "1" }]),
  delete: (store) => store.delete("app/dev/a"),
  deleteMany: (store) => store.deleteMany(["app/dev/a", "b"]),
  clear: (store) => store.clear(),
  create: (store) => store.create("app/dev/a", "1"),
  "list of a stage": (store) => collect(store.list("app/dev/")),
  "list of all": (store) => collect(store.list("")),
  iterator: (store) => collect(store.iterator()),
};
