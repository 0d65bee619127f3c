/** The list of the stages of a large team: statements grow with the stages, and with nothing else. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { postgresStoreAt } from "../../adapters/postgres/index.js";
import { stagesOf } from "../../plugins/admin/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { startProxy } from "../faults/proxy/proxy.js";
import { World } from "../helpers/apps/world.js";
import { snapshot } from "../helpers/stores/store-contents.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";

const STAGES = 2_000;

describeWithPostgres("2,000 stages in PostgreSQL", (url) => {
  it("are listed with one statement, and three more for each, whatever is in them", { timeout: 300_000 }, async () => {
    const memory = memoryStore();
    const Thing = new World().type();
    const engine = createEngine();
    for (let stage = 0; stage < STAGES; stage++) {
      await engine.up("shop", { stage: `s_${stage}%`, stateStore: memory, argv: [], env: {} }, () => {
        for (let index = 0; index < (stage === 0 ? 1_000 : 1 + (stage % 3)); index++) Thing(`t${index}`);
      });
    }
    const proxy = await startProxy({ target: url, protocol: "postgres" });
    const table = `stages-${randomUUID()}`;
    const store = postgresStoreAt({ connectionString: proxy.url, table });
    try {
      await store.get("shop/dev/absent");
      const contents = [...(await snapshot(memory))];
      await inSql(
        url,
        `INSERT INTO "${table}" SELECT key, 0, gen_random_uuid(), convert_to(value, 'UTF8')
         FROM unnest($1::text[], $2::text[]) AS copied (key, value)`,
        [contents.map(([key]) => key), contents.map(([, value]) => value)],
      );
      proxy.recount();
      const found = await stagesOf(store, { env: {} });
      expect(found).toHaveLength(STAGES);
      expect(found.find(({ stage }) => stage === "s_0%")).toMatchObject({ app: "shop", resources: 1_000 });
      expect(proxy.counts.byKind.SELECT).toBeLessThanOrEqual(1 + 3 * STAGES);
      expect(proxy.counts.byKind.WITH).toBeUndefined();
      expect(proxy.counts.connections).toBeLessThanOrEqual(4);
    } finally {
      await store.close();
      await proxy.close();
      await inSql(url, `DROP TABLE IF EXISTS "${table}"`);
    }
  });
});
