import type { StateStore } from "../../core/contract/store.js";
import { collect } from "../../core/testing/store/case.js";

/** Everything that a store can be asked, by name. */
export const storeOperations: Readonly<Record<string, (store: StateStore) => Promise<unknown>>> = {
  get: (store) => store.get("app/dev/a"),
  getMany: (store) => store.getMany(["app/dev/a", "b"]),
  set: (store) => store.set("app/dev/a", "1"),
  deleteMany: (store) => store.deleteMany(["app/dev/a", "b"]),
  create: (store) => store.create("app/dev/a", "1"),
  "list of a stage": (store) => collect(store.list("app/dev/")),
  "list of all": (store) => collect(store.list("")),
};
