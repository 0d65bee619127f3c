/** Every operation of the store, met by each fault of the network. */
import { afterEach, describe, expect, it } from "vitest";
import { type PostgresStore, postgresStoreAt } from "../../adapters/postgres/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { script } from "../faults/proxy/plans.js";
import { tableOf } from "../helpers/stores/remote-stores.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { answersTruly, faults } from "./faulty-store.js";
import { faultyPostgres, isRead, isWrite } from "./postgres-faulty.js";

describeWithPostgres("a store behind a network that fails at any operation", (url) => {
  const network = faultyPostgres(url);

  answersTruly(network, { faults, isRead, isWrite });

  it.each(faults)("writes, reads and deletes as requested: %j", async (fault) => {
    network.proxy.plan = script([fault], isWrite);
    await network.store.set("app/dev/there", "new");
    expect(await network.direct.get("app/dev/there")).toBe("new");
    // The server takes a late copy of an unconditional write for a new one.
    await network.proxy.settled();
    network.proxy.plan = script([fault], isWrite);
    const isDeleted = await network.store.deleteMany(["app/dev/there"]);
    // A second copy of the statement on the same connection finds nothing, and no connection makes one.
    expect(isDeleted).toBe(fault.kind !== "duplicated");
    await network.proxy.settled();
    expect(await network.direct.get("app/dev/there")).toBeUndefined();
    expect(await network.store.deleteMany(["app/dev/there"])).toBe(false);
  });

  it.each(faults)(
    "refuses an append whose fence was made in between, and a late copy adds nothing: %j",
    async (fault) => {
      await network.store.create("app/dev/1", "a");
      expect(await network.store.append("app/dev/1", "b", "app/dev/2")).toBe(true);
      await network.direct.create("app/dev/2", "fence");
      network.proxy.plan = script([fault], isWrite);
      expect(await network.store.append("app/dev/1", "c", "app/dev/2")).toBe(false);
      await network.proxy.settled();
      expect(await network.direct.get("app/dev/1")).toBe("ab");
    },
  );

  describe("that stays down", () => {
    const impatient = (): PostgresStore =>
      postgresStoreAt({
        connectionString: network.proxy.url,
        table: tableOf(network.prefix),
        requestTimeout: 300,
        retryTimeout: 1_500,
      });
    afterEach(() => network.proxy.up());

    it("fails each request, and never says that something is absent", async () => {
      const down = impatient();
      expect(await down.get("app/dev/there")).toBe("old");
      await network.proxy.down();
      const operations = {
        get: () => down.get("app/dev/there"),
        getMany: () => down.getMany(["app/dev/there"]),
        set: () => down.set("app/dev/there", ""),
        deleteMany: () => down.deleteMany(["app/dev/there"]),
        create: () => down.create("app/dev/1", ""),
        append: () => down.append("app/dev/there", "1", "app/dev/2"),
        list: () => listed(down, "app/"),
      };
      for (const [name, operation] of Object.entries(operations)) {
        await expect(operation(), name).rejects.toMatchObject({
          code: "STORE_FAILED",
          message: expect.stringMatching(/^Could not .* in PostgreSQL, postgres:\/\/127.*ECONNREFUSED/),
        });
      }
      await down.close();
    });

    it("delays only one request, and is used again once it answers", async () => {
      const down = impatient();
      expect(await down.get("app/dev/there")).toBe("old");
      await network.proxy.down();
      const attempts = { message: expect.stringContaining("attempts in") };
      await expect(down.get("app/dev/there")).rejects.toMatchObject(attempts);
      await expect(down.get("app/dev/there")).rejects.not.toMatchObject(attempts);
      await network.proxy.up();
      expect(await down.get("app/dev/there")).toBe("old");
      await down.close();
    });

    it("that never answers is given up as one that refuses", async () => {
      const down = impatient();
      network.proxy.plan = () => ({ kind: "timeout" });
      await expect(down.get("app/dev/there")).rejects.toThrow("no answer within");
      await down.close();
    });
  });
});
