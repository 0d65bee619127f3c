/** Runs of the engine on Redis: their requests, and mutual exclusion. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { redisStore, redisStoreAt } from "../../adapters/redis/index.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { runsOnServer } from "./runs-on-server.js";

describeWithRedis("a run on Redis", (url) => {
  let prefix: string;

  beforeEach(() => {
    prefix = `test-engine-${randomUUID()}:`;
  });
  afterEach(async () => {
    const store = redisStoreAt({ url, prefix });
    await emptyStore(store);
    await store.close();
  });

  const { run, proxy } = runsOnServer({
    protocol: "redis",
    target: url,
    stateStore: (at, requestTimeout) => redisStore({ url: at, prefix, requestTimeout }),
  });

  it("asks once how the server keeps its data, on one connection, and lists an unchanged stage once", async () => {
    await run(3);
    proxy().recount();
    await run(3);
    expect(proxy().counts).toMatchObject({ connections: 1, byKind: { INFO: 1, ZRANGEBYLEX: 1, GET: 2 } });
  });
});
