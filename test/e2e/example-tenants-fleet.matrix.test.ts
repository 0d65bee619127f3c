import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { onServer, quoted } from "../../docs/examples/tenants/postgres.ts";
import tenantsFleet from "../../docs/examples/tenants/tenants.run.ts";
import { until } from "../helpers/time/until.ts";
import { describeWithPostgres } from "../servers/given-postgres.ts";
import { describeWithRabbitmq } from "../servers/given-rabbitmq.ts";
import { describeWithRedis } from "../servers/given-redis.ts";
import { Fleet, inventoryOf, tenants, useServers } from "./example-tenants.ts";

const nothing = inventoryOf([]);
const main = quoted("tenants-main-ada");

describeWithPostgres("the tenants of the example, in PostgreSQL", (postgresUrl) => {
  describeWithRabbitmq("and RabbitMQ", (rabbitmqUrl) => {
    let fleet: Fleet;
    beforeAll(() => useServers(postgresUrl, rabbitmqUrl));
    beforeEach(async () => {
      fleet = await Fleet.make();
    });
    afterEach(() => fleet.remove());

    test("as a fleet are created in waves, found after a change by hand, changed, and destroyed", async () => {
      const { defaults } = fleet;
      const created = await tenantsFleet.up({ defaults });
      expect(created).toMatchObject({ state: "done", stages: { changed: 20 }, resources: { created: 120 } });
      expect(created.waves.map(({ total, finished }) => finished - total)).toEqual([0, 0, 0]);
      expect(await fleet.inventory()).toEqual(inventoryOf(tenants));
      expect(await tenantsFleet.drift({ defaults })).toMatchObject({ stages: { changed: 0, unchanged: 20 } });
      await onServer((run) => run(`ALTER ROLE ${main} CONNECTION LIMIT 77`));
      expect(await tenantsFleet.drift({ defaults })).toMatchObject({ stages: { changed: 1 }, changed: ["ada"] });
      const repaired = await tenantsFleet.up({ defaults: { ...defaults, refresh: true } });
      expect(repaired).toMatchObject({ state: "done", stages: { changed: 1, unchanged: 19 } });
      expect(await tenantsFleet.destroy({ defaults })).toMatchObject({ state: "done", resources: { deleted: 120 } });
      expect(await fleet.inventory()).toEqual(nothing);
    });

    describeWithRedis("on a queue", (queue) => {
      test("are taken over half-made after a worker was killed, and none is made twice", async () => {
        const first = fleet.worker(queue);
        await first.printed("ready");
        const run = tenantsFleet.up({ queue, defaults: fleet.defaults });
        await until(async () => (await fleet.inventory()).databases.length > 2);
        first.process.kill("SIGKILL");
        await first.ended;
        const second = fleet.worker(queue);
        expect(await run).toMatchObject({ state: "done", stages: { changed: 20, failed: 0 } });
        second.process.kill("SIGKILL");
        await second.ended;
        expect(await fleet.inventory()).toEqual(inventoryOf(tenants));
        expect(await tenantsFleet.destroy({ defaults: fleet.defaults })).toMatchObject({ state: "done" });
        expect(await fleet.inventory()).toEqual(nothing);
      }, 180_000);
    });
  });
});
