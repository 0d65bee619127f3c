/**
 * The store behind a network that fails: whatever happens to a request, each change is made once and reported truly.
 */
import { expect, it } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { script } from "../faults/proxy/plans.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { faults, raceForKeys } from "./faulty-store.js";
import { faultyRedis, isWrite } from "./redis-faulty.js";

describeWithRedis("a store behind a network that fails", (url) => {
  const network = faultyRedis(url);

  it.each(faults)("creates once, and knows that it did: %j", async (fault) => {
    network.proxy.plan = script([fault], isWrite);
    expect(await network.store.create("app/dev/1", "value")).toBe(true);
    expect(network.proxy.counts.faults[fault.kind]).toBeGreaterThan(0);
    expect(await network.direct.create("app/dev/1", "value")).toBe(false);
    expect(await network.direct.deleteMany(["app/dev/1"])).toBe(true);
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/1")).toBeUndefined();
    expect(await listed(network.direct, "")).toEqual(["app/dev/there"]);
  });

  it("has one creator of each key, whatever happens to a third of all requests", () => raceForKeys(network, faults, 1));
});
