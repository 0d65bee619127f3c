/** The bucket behind a network that fails: whatever becomes of a request, each object is made once and told truly. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type S3Store, s3Store } from "../../adapters/s3.js";
import { listed } from "../../core/testing/store-case.js";
import type { Fault } from "../faults/proxy/fault.js";
import { script, seededFaults } from "../faults/proxy/plans.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { makeTestBucket, s3TestOptions, s3TestStore } from "../helpers/s3-store.js";
import { timed } from "../helpers/timed.js";
import { describeWithS3 } from "../servers/given-s3.js";

const faults = [
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "truncated" },
  { kind: "timeout" },
  { kind: "timeout", forwarded: true },
  { kind: "error" },
  { kind: "error", forwarded: true },
  { kind: "slow-down" },
  { kind: "slow-down", forwarded: true },
  { kind: "conflict" },
  { kind: "conflict", forwarded: true },
  { kind: "delayed", side: "request", by: 400 },
  { kind: "delayed", side: "reply", by: 400 },
  { kind: "duplicated" },
  { kind: "late-duplicate", after: 20 },
] as const satisfies readonly Fault[];

const isPut = ({ kind }: ProxyRequest): boolean => kind === "PUT";
const isRead = ({ kind }: ProxyRequest): boolean => kind === "GET";
const isPost = ({ kind }: ProxyRequest): boolean => kind === "POST";

let prefixes = 0;

describeWithS3("a bucket behind a network that fails", (settings) => {
  let proxy: FaultyProxy;
  let prefix: string;
  let store: S3Store;
  let direct: S3Store;
  let warned: string[];

  const through = (requestTimeout = 200): S3Store =>
    s3Store({ ...s3TestOptions(proxy.url), prefix, requestTimeout, retryTimeout: 20_000 })({
      appName: "app",
      stage: "dev",
      rootDir: "/",
      profile: undefined,
      warn: (code) => warned.push(code),
    });

  beforeAll(async () => {
    await makeTestBucket();
    proxy = await startProxy({ target: settings.endpoint, protocol: "http" });
  });
  afterAll(() => proxy?.close());
  beforeEach(async () => {
    warned = [];
    proxy.plan = undefined;
    proxy.recount();
    prefix = `faults/${process.pid}/${++prefixes}`;
    [store, direct] = [through(), s3TestStore(prefix)];
    await direct.set("app/dev/there", "old");
  });
  afterEach(async () => {
    proxy.plan = undefined;
    await store.close();
    await proxy.settled();
    await direct.clear();
    await direct.close();
  });

  it.each(faults)("creates once, and knows that it did: %j", async (fault) => {
    proxy.plan = script([fault], isPut);
    expect(await store.create("app/dev/1", "value")).toBe(true);
    expect(proxy.counts.faults[fault.kind]).toBe(1);
    expect(await direct.create("app/dev/1", "value")).toBe(false);
    await proxy.settled();
    expect(await direct.get("app/dev/1")).toBe("value");
  });

  it.each(faults)("knows that another was there before, be it with the same value: %j", async (fault) => {
    await direct.create("app/dev/created", "value");
    for (const key of ["app/dev/there", "app/dev/created"]) {
      proxy.plan = script([fault], isPut);
      expect(await store.create(key, key === "app/dev/there" ? "old" : "value")).toBe(false);
    }
  });

  it.each(faults)("writes, reads and deletes what it says: %j", async (fault) => {
    proxy.plan = script([fault], isPut);
    await store.set("app/dev/there", "new");
    expect(await direct.get("app/dev/there")).toBe("new");
    // A bucket takes a late repetition of an unconditional write for a new one.
    await proxy.settled();
    proxy.plan = script([fault], ({ kind }) => kind === "DELETE");
    expect(await store.delete("app/dev/there")).toBe(true);
    expect(await direct.has("app/dev/there")).toBe(false);
    expect(await store.delete("app/dev/there")).toBe(false);
  });

  it.each(faults)("deletes many, and all of them: %j", async (fault) => {
    await direct.setMany(["a", "b", "c"].map((key) => ({ key: `app/dev/${key}`, value: key })));
    proxy.plan = script([fault], isPost);
    expect(await store.deleteMany(["app/dev/a", "app/dev/b", "app/dev/absent"])).toBe(true);
    // On a busy machine an answer may come too late once more.
    expect(proxy.counts.byKind.POST).toBeLessThanOrEqual(4);
    expect(await listed(direct, "app/dev/")).toEqual(["app/dev/c", "app/dev/there"]);
  });

  it.each(faults)("reads what is there, and nothing else: %j", async (fault) => {
    const asks = [
      async () => expect(await store.get("app/dev/there")).toBe("old"),
      async () => expect(await store.get("app/dev/absent")).toBeUndefined(),
      async () => expect(await store.getMany(["app/dev/there", "a"])).toEqual(["old", undefined]),
      async () => expect(await store.has("app/dev/there")).toBe(true),
      async () => expect(await listed(store, "app/dev/")).toEqual(["app/dev/there"]),
    ];
    for (const ask of asks) {
      proxy.plan = script([fault], isRead);
      await ask();
    }
  });

  it("says once that it tries again", async () => {
    proxy.plan = script([{ kind: "slow-down" }, { kind: "error" }, undefined, { kind: "error" }]);
    await store.set("app/dev/a", "1");
    await store.set("app/dev/b", "1");
    expect(warned).toEqual(["STORE_RETRIED"]);
  });

  it("is not sure of an object that was deleted before it could look, and says so", async () => {
    // The first attempt takes effect unseen; what it made is deleted; the third one meets another's object, and that is gone, too.
    let puts = 0;
    proxy.plan = ({ kind }) => {
      if (kind === "PUT") return ++puts === 1 ? { kind: "reset-after" } : { kind: "says", reply: PRECONDITION_FAILED };
      return { kind: "says", reply: NO_SUCH_KEY };
    };
    await expect(store.create("app/dev/1", "value")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("it may have been created, and has been deleted since"),
    });
  });

  it.each([1, 2, 3])(
    "has one creator of each key, whatever happens to a third of all requests (seed %i)",
    async (seed) => {
      proxy.plan = seededFaults(seed, 0.33, faults);
      const clients = [through(60), through(60), through(60)];
      const keys = Array.from({ length: 12 }, (_, index) => `app/dev/${String(index).padStart(2, "0")}`);
      try {
        for (const key of keys) {
          const answers = await Promise.all(clients.map((client, index) => client.create(key, `by ${index}`)));
          expect(answers.filter(Boolean)).toHaveLength(1);
          expect(await direct.get(key)).toBe(`by ${answers.indexOf(true)}`);
        }
      } finally {
        for (const client of clients) await client.close();
      }
      proxy.plan = undefined;
      await proxy.settled();
      expect(await listed(direct, "app/dev/")).toEqual([...keys, "app/dev/there"]);
    },
  );

  describe("that stays down", () => {
    const impatient = (): S3Store =>
      s3TestStore(prefix, { endpoint: proxy.url, requestTimeout: 300, retryTimeout: 1_500 });
    const operations = (down: S3Store) => ({
      get: () => down.get("app/dev/there"),
      getMany: () => down.getMany(["app/dev/there"]),
      has: () => down.has("app/dev/there"),
      set: () => down.set("app/dev/there", ""),
      delete: () => down.delete("app/dev/there"),
      deleteMany: () => down.deleteMany(["app/dev/there"]),
      create: () => down.create("app/dev/1", ""),
      list: () => listed(down, "app/"),
      clear: () => down.clear(),
    });
    afterEach(() => proxy.up());

    it("fails each request in bounded time, and never says that something is absent", timed, async () => {
      for (const name of Object.keys(operations(store))) {
        const down = impatient();
        expect(await down.get("app/dev/there")).toBe("old");
        await proxy.down();
        const began = performance.now();
        await expect(Object.entries(operations(down)).find(([one]) => one === name)?.[1]()).rejects.toMatchObject({
          code: "STORE_FAILED",
          message: expect.stringMatching(
            /^Could not .* in s3:\/\/scope-engine-tests\/faults\/.*: after \d+ attempts in .* s: connect ECONNREFUSED/,
          ),
        });
        expect(performance.now() - began).toBeLessThan(3_000);
        await proxy.up();
        await down.close();
      }
    });

    it("holds nobody up twice, and is used again once it answers", timed, async () => {
      const down = impatient();
      await proxy.down();
      await expect(down.get("app/dev/there")).rejects.toThrow(/after \d+ attempts/);
      const began = performance.now();
      await expect(down.set("app/dev/there", "")).rejects.toMatchObject({ code: "STORE_FAILED" });
      expect(performance.now() - began).toBeLessThan(1_000);
      await proxy.up();
      expect(await down.get("app/dev/there")).toBe("old");
      proxy.plan = script([{ kind: "error" }]);
      expect(await down.get("app/dev/there")).toBe("old");
      await down.close();
    });

    it("that never answers is given up as one that refuses", async () => {
      const down = impatient();
      proxy.plan = () => ({ kind: "timeout" });
      await expect(down.get("app/dev/there")).rejects.toMatchObject({
        message: expect.stringContaining("TimeoutError: no answer within"),
      });
      await down.close();
    });
  });
});

const PRECONDITION_FAILED = answer(412, "PreconditionFailed");
const NO_SUCH_KEY = answer(404, "NoSuchKey");

function answer(status: number, code: string): string {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>as told</Message></Error>`;
  return `HTTP/1.1 ${status} Told\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
