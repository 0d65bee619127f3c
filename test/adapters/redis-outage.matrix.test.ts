import { expect, it } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { durable, patient, refusedThrice, rejectsAll, serversOfEachTest } from "./redis-outage.js";

const { opened, started } = serversOfEachTest();

describeWithRedis("a server that is killed", () => {
  it("rejects everything, as long as it is not back", async () => {
    const server = await started();
    await opened({ url: server.url }).set("app/dev/a", "1");
    const store = opened({ url: server.url, ...patient });
    await server.kill();
    await rejectsAll(store, server.url);
  });

  it("and comes back, as a cluster, fails no request", async () => {
    const server = await started({ cluster: true, ...durable });
    const store = opened({ cluster: [server.url] });
    expect(await store.create("app/dev/1", "before")).toBe(true);
    await server.kill();
    const meanwhile = store.create("app/dev/2", "meanwhile");
    await refusedThrice(server);
    await server.restart();
    expect(await meanwhile).toBe(true);
    expect(await listed(store, "")).toEqual(["app/dev/1", "app/dev/2"]);
  });
});
