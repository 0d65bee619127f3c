/** Every operation of the store, met by each fault of the network. */
import { expect, it } from "vitest";
import { script } from "../faults/proxy/plans.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { answersTruly, faults } from "./faulty-store.js";
import { faultyRedis, isRead, isWrite } from "./redis-faulty.js";

describeWithRedis("a store behind a network that fails at any operation", (url) => {
  const network = faultyRedis(url);

  answersTruly(network, { faults, isRead, isWrite });

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
});
