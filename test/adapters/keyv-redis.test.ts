/** A store over Keyv's own adapter for Redis, on a real server; the matrix holds it to the contract of stores. */
import { tmpdir } from "node:os";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { afterAll, expect, it } from "vitest";
import { keyvStore, keyvStoreAt } from "../../adapters/keyv/index.js";
import { Resource } from "../../core/resource/index.js";
import { runsOn } from "../helpers/apps/runs.js";
import { boxes } from "../helpers/apps/test-apps.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";
import { newNamespace } from "./keyv-redis-suite.js";

describeWithRedis("keyvStore KeyvRedis", (url) => {
  const adapter = new KeyvRedis(url, { throwOnErrors: true });
  afterAll(() => adapter.disconnect());

  it("serves runs, each with a connection of its own that ends with it", async () => {
    const { kind, definition, news } = boxes();
    const Box = Resource(kind, definition);
    const namespace = newNamespace();
    const made: KeyvRedis<string>[] = [];
    const make = () => {
      const one = new KeyvRedis<string>(url, { throwOnErrors: true });
      made.push(one);
      return one;
    };
    try {
      const { run, destroy } = runsOn(keyvStore(make, { namespace }), tmpdir());
      await run(() => Box("a", { size: 1 }));
      expect((await run(() => Box("a", { size: 1 }))).actions).toEqual(["unchanged a"]);
      await destroy();
      expect([news(), made.map(({ client }) => client.isOpen)]).toEqual([
        ["create", "delete"],
        [false, false, false],
      ]);
    } finally {
      await new Keyv({ store: adapter, namespace }).clear();
    }
  });
});

describeWithRedis("a server that is gone", () => {
  it("fails every call, and makes nothing look absent", async () => {
    const server = await startRedis();
    const adapter = new KeyvRedis(
      { url: server.url, disableOfflineQueue: true, socket: { reconnectStrategy: false } },
      { throwOnErrors: true },
    );
    adapter.on("error", () => {});
    const store = keyvStoreAt(adapter);
    await store.create("app/dev/key", "value");
    await server.stop();
    for (const call of [
      () => store.get("app/dev/key"),
      () => store.get("app/dev/absent"),
      () => store.create("app/dev/key", "value"),
      () => store.list("app/dev/")[Symbol.asyncIterator]().next(),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("KeyvRedis"),
      });
    }
    await adapter.disconnect(true);
  });
});
