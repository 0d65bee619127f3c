/** Every operation of the store, met by each fault of the network. */
import { expect, it } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { script } from "../faults/proxy/plans.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { faults, raceForKeys } from "./faulty-store.js";
import { faultyRedis, isRead, isWrite } from "./redis-faulty.js";

describeWithRedis("a store behind a network that fails at any operation", (url) => {
  const network = faultyRedis(url);

  it.each(faults)("knows that another was there before: %j", async (fault) => {
    network.proxy.plan = script([fault], isWrite);
    expect(await network.store.create("app/dev/there", "old")).toBe(false);
  });

  it.each(faults)("writes and deletes once: %j", async (fault) => {
    network.proxy.plan = script([fault], isWrite);
    await network.store.set("app/dev/there", "new");
    await network.direct.set("app/dev/there", "newer");
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/there")).toBe("newer");
    network.proxy.plan = script([fault], isWrite);
    expect(await network.store.deleteMany(["app/dev/there"])).toBe(true);
    await network.direct.set("app/dev/there", "again");
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/there")).toBe("again");
  });

  it.each(faults)("reads existing values, and nothing else: %j", async (fault) => {
    const asks = [
      async () => expect(await network.store.get("app/dev/there")).toBe("old"),
      async () => expect(await network.store.getMany(["app/dev/there", "a"])).toEqual(["old", undefined]),
      async () => expect(await listed(network.store, "app/dev/")).toEqual(["app/dev/there"]),
    ];
    for (const ask of asks) {
      network.proxy.plan = script([fault], isRead);
      await ask();
    }
  });

  it.each([2, 3])("has one creator of each key, whatever happens to a third of all requests (seed %i)", (seed) =>
    raceForKeys(network, faults, seed),
  );
});
