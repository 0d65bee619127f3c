import { deepEqual, equal } from "node:assert/strict";
import { numbers, type StoreCase } from "./case.js";

export const closeCases: readonly StoreCase[] = [
  {
    title: "may be closed twice, and unused",
    async run({ another }) {
      const client = await another();
      equal(await client.close?.(), undefined);
      equal(await client.close?.(), undefined);
    },
  },
  {
    title: "leaves other clients open",
    async run({ store, another }) {
      const other = await another();
      // Where one object serves as both, there is no other.
      if (other === store) return;
      await other.set("app/dev/key", "1");
      await other.close?.();
      equal(await store.create("app/dev/key", "2"), false);
      await store.set("app/dev/key", "2");
      equal(await store.get("app/dev/key"), "2");
    },
  },
  {
    title: "ends what is under way when it closes: done, or rejected, and never acknowledged and lost",
    async run({ store, another }) {
      const other = await another();
      if (other === store) return;
      const keys = numbers(20).map((number) => `app/dev/${number}`);
      const writing = keys.map((key, at) => (at % 2 === 0 ? other.create(key, key) : other.set(key, key)));
      const outcomes = Promise.allSettled(writing);
      await other.close?.();
      const acknowledged = (await outcomes).map(({ status }) => status === "fulfilled");
      const kept = await store.getMany(keys);
      deepEqual(
        keys.filter((_, at) => acknowledged[at] && kept[at] === undefined),
        [],
      );
    },
  },
];
