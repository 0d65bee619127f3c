/** A proxy in front of a real Redis, seen by a real client: each fault hits the right command. */
import { randomUUID } from "node:crypto";
import { createClient } from "@keyv/redis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { until } from "../../helpers/time/until.js";
import { describeWithRedis } from "../../servers/given-redis.js";
import type { Fault } from "./fault.js";
import { script } from "./plans.js";
import { type FaultyProxy, startProxy } from "./proxy.js";

function connected(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  return client.connect();
}

describeWithRedis("a proxy before Redis", (url) => {
  let proxy: FaultyProxy;
  let direct: Awaited<ReturnType<typeof connected>>;
  let client: Awaited<ReturnType<typeof connected>>;
  let key: string;

  beforeAll(async () => {
    proxy = await startProxy({ target: url, protocol: "redis" });
    direct = await connected(url);
  });
  afterAll(async () => {
    direct.destroy();
    await proxy.close();
  });
  beforeEach(async () => {
    proxy.plan = undefined;
    proxy.latency = 0;
    key = `proxy/${randomUUID()}`;
    client = await connected(proxy.url);
    proxy.recount();
  });
  afterEach(() => {
    if (client.isOpen) client.destroy();
  });

  const outcome = (done: Promise<unknown>): Promise<unknown> =>
    done.catch((error: Error) => error.message || error.name);

  it("lets everything through as it is", async () => {
    const big = "größer ".repeat(1_000_000);
    expect(await client.set(key, big)).toBe("OK");
    expect(await client.get(key)).toBe(big);
    expect(await client.set(key, "other", { condition: "NX" })).toBeNull();
    expect(await client.eval("return {1, {KEYS[1], false}, 'x'}", { keys: ["k"] })).toEqual([1, ["k", null], "x"]);
    await expect(client.eval("return redis.error_reply('NO such')")).rejects.toThrow("NO such");
    expect(await client.multi().set(key, "a").get(key).exec()).toEqual(["OK", "a"]);
  });

  it.each([
    [{ kind: "error" }, "ERR internal error", false],
    [{ kind: "error", forwarded: true }, "ERR internal error", true],
    [{ kind: "slow-down" }, expect.stringContaining("BUSY"), false],
    [{ kind: "conflict" }, expect.stringContaining("TRYAGAIN"), false],
    [{ kind: "says", reply: "-READONLY You can't write.\r\n" }, "READONLY You can't write.", false],
    [{ kind: "reset-before" }, expect.stringMatching(/closed|ECONNRESET/), false],
    [{ kind: "reset-after" }, expect.stringMatching(/closed|ECONNRESET/), true],
    [{ kind: "truncated" }, expect.stringMatching(/closed|ECONNRESET/), true],
    // The second one finds the key there.
    [{ kind: "duplicated" }, null, true],
    [{ kind: "late-duplicate", after: 5 }, "OK", true],
    [{ kind: "delayed", side: "request", by: 5 }, "OK", true],
    [{ kind: "delayed", side: "reply", by: 5 }, "OK", true],
  ] satisfies [Fault, unknown, boolean][])("%j shows as %s, done: %s", async (fault, seen, done) => {
    proxy.plan = script([fault]);
    expect(await outcome(client.set(key, "value", { condition: "NX" }))).toEqual(seen);
    await proxy.settled();
    expect(await direct.exists(key)).toBe(done ? 1 : 0);
    expect(proxy.counts).toMatchObject({ requests: 1, byKind: { SET: 1 }, faults: { [fault.kind]: 1 } });
  });

  it.each([false, true])("never answers a swallowed request; forwarded: %s", async (forwarded) => {
    proxy.plan = script([{ kind: "timeout", forwarded }]);
    const waiting = outcome(client.set(key, "value"));
    await until(() => proxy.counts.requests === 1);
    await proxy.settled();
    expect(await direct.exists(key)).toBe(forwarded ? 1 : 0);
    expect(await Promise.race([waiting, Promise.resolve("nothing yet")])).toBe("nothing yet");
    client.destroy();
    expect(await waiting).not.toBe("OK");
  });

  it("cuts the one command of a pipeline: those before are done and answered, those after never sent", async () => {
    proxy.plan = script([undefined, { kind: "reset-after" }]);
    const [first, second, third] = ["1", "2", "3"].map((part) => outcome(client.set(`${key}/${part}`, part)));
    expect(await first).toBe("OK");
    expect(await second).not.toBe("OK");
    expect(await third).not.toBe("OK");
    await proxy.settled();
    expect(await direct.mGet(["1", "2", "3"].map((part) => `${key}/${part}`))).toEqual(["1", "2", null]);
  });

  it("keeps replies in their order, whichever is late", async () => {
    proxy.plan = script([
      { kind: "delayed", side: "reply", by: 30 },
      { kind: "error" },
      { kind: "delayed", side: "request", by: 20 },
    ]);
    const ended: number[] = [];
    const commands = [1, 2, 3, 4].map(async (number) => {
      const reply = await outcome(client.echo(`${number}`));
      ended.push(number);
      return reply;
    });
    expect(await Promise.all(commands)).toEqual(["1", "ERR internal error", "3", "4"]);
    expect(ended).toEqual([1, 2, 3, 4]);
  });

  it("makes each round trip longer, and those of a pipeline at the same time", async () => {
    const waits: { readonly milliseconds: number; readonly end: (value: unknown) => void }[] = [];
    const pause = (milliseconds: number) => new Promise((end) => waits.push({ milliseconds, end }));
    const slow = await startProxy({ target: url, protocol: "redis", pause });
    const far = await connected(slow.url);
    slow.latency = 100;
    const asked = Promise.all(Array.from({ length: 20 }, () => far.get(key)));
    // In both directions: all of them are under way before the first one arrives.
    for (const way of ["there", "back"]) {
      await until(() => waits.length === 20);
      expect(new Set(waits.map(({ milliseconds }) => milliseconds)), way).toEqual(new Set([50]));
      for (const { end } of waits.splice(0)) end(undefined);
    }
    expect(await asked).toEqual(Array(20).fill(null));
    far.destroy();
    await slow.close();
  });

  it("plans for no greeting", async () => {
    const seen: unknown[] = [];
    proxy.plan = ({ kind, words }, index) => {
      seen.push([index, kind, ...words.slice(1)]);
      return undefined;
    };
    const another = await connected(proxy.url);
    await another.set(key, "value");
    another.destroy();
    expect(seen).toEqual([[0, "SET", key, "value"]]);
    expect(proxy.counts.byKind).toMatchObject({ SET: 1 });
  });

  it("is down until it is up", async () => {
    await proxy.down();
    await expect(connected(proxy.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(await outcome(client.set(key, "value"))).not.toBe("OK");
    await proxy.up();
    const another = await connected(proxy.url);
    expect(await another.set(key, "value")).toBe("OK");
    another.destroy();
  });

  it("passes on unasked messages of the server, after the replies that it gave before", async () => {
    const listener = await connected(proxy.url);
    // A push arrives while the reply is on its way.
    proxy.latency = 200;
    const heard = new Promise((resolve) => {
      void listener.subscribe("channel", resolve);
    });
    await until(async () => (await direct.publish("channel", "news")) === 1);
    expect(await heard).toBe("news");
    listener.destroy();
  });
});
