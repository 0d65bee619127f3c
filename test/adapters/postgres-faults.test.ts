/**
 * The store behind a network that fails: whatever happens to a statement, each change is made once and reported truly.
 */
import { expect, it } from "vitest";
import { script } from "../faults/proxy/plans.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { faults, raceForKeys } from "./faulty-store.js";
import { faultyPostgres, isWrite } from "./postgres-faulty.js";

describeWithPostgres("a store behind a network that fails", (url) => {
  const network = faultyPostgres(url);

  it.each(faults)("creates once, and knows that it did: %j", async (fault) => {
    network.proxy.plan = script([fault], isWrite);
    expect(await network.store.create("app/dev/1", "value")).toBe(true);
    expect(network.proxy.counts.faults[fault.kind]).toBeGreaterThan(0);
    expect(await network.direct.create("app/dev/1", "value")).toBe(false);
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/1")).toBe("value");
  });

  it.each(faults)("appends once, and in order: %j", async (fault) => {
    await network.store.create("app/dev/1", "a");
    network.proxy.plan = script([undefined, fault], isWrite);
    for (const chunk of ["b", "c", "d"]) {
      expect(await network.store.append("app/dev/1", chunk, "app/dev/2")).toBe(true);
    }
    expect(network.proxy.counts.faults[fault.kind]).toBeGreaterThan(0);
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/1")).toBe("abcd");
  });

  it("has one creator of each key, whatever happens to a third of all requests", () => raceForKeys(network, faults, 1));
});
