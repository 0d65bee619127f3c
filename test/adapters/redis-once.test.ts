import { createClient } from "@keyv/redis";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RedisServerClient, redisStoreAt } from "../../adapters/redis/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { freePort } from "../servers/free-port.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";

type Arguments = Parameters<RedisServerClient["sendCommand"]>[0];

let prefixes = 0;

/** A client that records its requests, and loses as many replies as the test says. */
class LossyClient implements RedisServerClient {
  readonly sent: Arguments[] = [];
  repliesToLose = 0;
  readonly #inner: ReturnType<typeof createClient>;

  constructor(inner: ReturnType<typeof createClient>) {
    this.#inner = inner;
  }

  get isOpen(): boolean {
    return this.#inner.isOpen;
  }

  connect(): Promise<unknown> {
    return this.#inner.connect();
  }

  async sendCommand(args: Arguments): Promise<unknown> {
    const isWrite = String(args[0]).startsWith("EVAL");
    if (isWrite) this.sent.push(args);
    const reply = await this.#inner.sendCommand([...args]);
    if (isWrite && this.repliesToLose-- > 0) throw new Error("Socket closed unexpectedly");
    return reply;
  }
}

describeWithRedis("a write whose reply is lost", (url) => {
  let raw: ReturnType<typeof createClient>;
  let client: LossyClient;
  let prefix: string;
  beforeEach(async () => {
    raw = createClient({ url });
    client = new LossyClient(raw);
    prefix = `test-once-${process.pid}-${++prefixes}:`;
    await raw.connect();
  });
  afterEach(async () => {
    await emptyStore(redisStoreAt({ client: raw, prefix }));
    raw.destroy();
  });
  const store = () => redisStoreAt({ client, prefix });
  const another = () => redisStoreAt({ client: raw, prefix });
  const copies = () => client.sent.map((args) => raw.sendCommand([...args]));

  it("is asked for again, and the creator learns that it was the creator", async () => {
    await store().set("app/dev/0", "");
    client.repliesToLose = 3;
    expect(await store().create("app/dev/1", "value")).toBe(true);
    expect(client.repliesToLose).toBe(-1);
    expect(await another().create("app/dev/1", "value")).toBe(false);
    expect(await store().create("app/dev/1", "value")).toBe(false);
  });

  it("is asked for again by the one who lost, and stays lost", async () => {
    await another().create("app/dev/1", "value");
    client.repliesToLose = 1;
    expect(await store().create("app/dev/1", "value")).toBe(false);
  });

  it("has one winner of 50, though each reply is lost at first", async () => {
    client.repliesToLose = 50;
    const answers = await Promise.all(Array.from({ length: 50 }, () => store().create("app/dev/1", "value")));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  it("does not restore a value that was deleted since, when a copy of the request arrives late", async () => {
    await store().create("app/dev/1", "value");
    await store().set("app/dev/2", "value");
    await another().deleteMany(["app/dev/1", "app/dev/2"]);
    expect(await Promise.all(copies())).toContain("1");
    expect(await another().getMany(["app/dev/1", "app/dev/2"])).toEqual([undefined, undefined]);
    expect(await listed(another(), "")).toEqual([]);
  });

  it("does not undo a write that was made since, when a copy of the request arrives late", async () => {
    await store().set("app/dev/1", "old");
    await store().deleteMany(["app/dev/1"]);
    await another().create("app/dev/1", "new");
    await Promise.all(copies());
    expect(await another().get("app/dev/1")).toBe("new");
    expect(await listed(another(), "")).toEqual(["app/dev/1"]);
  });

  it("says whether this client deleted a key", async () => {
    await another().set("app/dev/1", "value");
    client.repliesToLose = 1;
    expect(await store().deleteMany(["app/dev/1"])).toBe(true);
    expect(await store().deleteMany(["app/dev/1"])).toBe(false);
  });

  it("is remembered for minutes, and not for ever", async () => {
    await store().create("app/dev/1", "value");
    const [call = ""] = await raw.keys(`${prefix}{app/dev}:call:*`);
    expect(await raw.pTTL(call)).toBeGreaterThan(120_000);
    expect(await raw.pTTL(`${prefix}{app/dev}:index`)).toBe(-1);
    expect(await raw.pTTL(`${prefix}{app/dev}/1`)).toBe(-1);
  });

  it("is known by its script, which the server may forget", async () => {
    await store().create("app/dev/1", "value");
    await raw.sendCommand(["SCRIPT", "FLUSH"]);
    client.sent.length = 0;
    expect(await store().create("app/dev/2", "value")).toBe(true);
    expect(await store().create("app/dev/2", "value")).toBe(false);
    expect(client.sent.map(([command]) => command)).toEqual(["EVALSHA", "EVAL", "EVALSHA"]);
  });

  it("registers a stage before its first key, and costs one request from then on", async () => {
    await store().create("app/dev/1", "value");
    expect(client.sent).toHaveLength(2);
    await store().create("app/dev/2", "value");
    expect(client.sent).toHaveLength(3);
    await emptyStore(store());
    await raw.del(`${prefix}{-}:stages`);
    await store().create("app/dev/1", "value");
    expect(await listed(another(), "")).toEqual(["app/dev/1"]);
  });
});

describeWithRedis("a replica", () => {
  it("is refused, for it may not know the newest yet", async () => {
    const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(await freePort())] });
    const store = redisStoreAt({ url: replica.url });
    try {
      const refusal = { code: "STORE_FAILED", message: expect.stringMatching(/replica.*Use the primary/) };
      await expect(store.get("app/dev/1")).rejects.toMatchObject(refusal);
      await expect(store.create("app/dev/1", "value")).rejects.toMatchObject(refusal);
    } finally {
      await store.close();
      await replica.stop();
    }
  });
});
