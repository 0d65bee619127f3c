/** A proxy in front of a real S3, seen by a real client: each fault has its described effect. */
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withResolvers } from "../../../core/base/index.js";
import { until } from "../../helpers/time/until.js";
import { describeWithS3 } from "../../servers/given-s3.js";
import { s3ClientOf } from "../../servers/s3-client.js";
import type { Fault } from "./fault.js";
import { script, seededFaults } from "./plans.js";
import { type FaultyProxy, startProxy } from "./proxy.js";

describeWithS3("a proxy before S3", (settings) => {
  const Bucket = `proxy-${process.pid}`;
  const direct = s3ClientOf(settings);
  let proxy: FaultyProxy;
  let client: S3Client;
  let count = 0;

  beforeAll(async () => {
    proxy = await startProxy({ target: settings.endpoint, protocol: "http" });
    client = s3ClientOf({ ...settings, endpoint: proxy.url });
    await direct.send(new CreateBucketCommand({ Bucket }));
  });
  afterAll(() => proxy.close());
  beforeEach(() => {
    proxy.plan = undefined;
    proxy.latency = 0;
    proxy.recount();
  });

  const create = (through: S3Client, Key: string, Body = "value", abortSignal?: AbortSignal) =>
    through.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: "*" }), { abortSignal });
  const read = async (through: S3Client, Key: string): Promise<string | undefined> =>
    (await through.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
  const isThere = (Key: string): Promise<boolean> =>
    direct.send(new HeadObjectCommand({ Bucket, Key })).then(
      () => true,
      () => false,
    );
  /** A conditional put of a new key that meets a fault: the client's result, and whether the server has the object. */
  async function meeting(fault: Fault, abortSignal?: AbortSignal) {
    const Key = `met-${++count}`;
    proxy.plan = script([fault]);
    const seen = await create(client, Key, "value", abortSignal).then(
      () => "done",
      (error: { name: string; code?: string }) => error.code ?? error.name,
    );
    await proxy.settled();
    return { Key, seen, isThere: await isThere(Key) };
  }

  it("lets everything through as it is", async () => {
    const big = "größer ".repeat(1_000_000);
    await create(client, "plain", big);
    expect(await read(client, "plain")).toBe(big);
    await expect(create(client, "plain")).rejects.toMatchObject({ name: "PreconditionFailed" });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: "absent" }))).rejects.toMatchObject({
      name: "NotFound",
    });
    expect((await client.send(new ListObjectsV2Command({ Bucket, Prefix: "plain" }))).KeyCount).toBe(1);
  });

  it.each([
    [{ kind: "error" }, "InternalError", false],
    [{ kind: "error", forwarded: true }, "InternalError", true],
    [{ kind: "slow-down" }, "SlowDown", false],
    [{ kind: "slow-down", forwarded: true }, "SlowDown", true],
    [{ kind: "conflict" }, "ConditionalRequestConflict", false],
    [{ kind: "conflict", forwarded: true }, "ConditionalRequestConflict", true],
    [{ kind: "reset-before" }, "ECONNRESET", false],
    [{ kind: "reset-after" }, "ECONNRESET", true],
    [{ kind: "truncated" }, "ECONNRESET", true],
    [{ kind: "duplicated" }, "PreconditionFailed", true],
    [{ kind: "late-duplicate", after: 5 }, "done", true],
    [{ kind: "delayed", side: "request", by: 5 }, "done", true],
    [{ kind: "delayed", side: "reply", by: 5 }, "done", true],
  ] satisfies [Fault, string, boolean][])("%j shows as %s, done: %s", async (fault, seen, done) => {
    expect(await meeting(fault)).toMatchObject({ seen, isThere: done });
    expect(proxy.counts).toMatchObject({ requests: 1, byKind: { PUT: 1 }, faults: { [fault.kind]: 1 } });
  });

  /** A client that gives up as soon as its request has reached the proxy. */
  async function givenUp(fault: Fault) {
    const impatience = new AbortController();
    const met = meeting(fault, impatience.signal);
    await until(() => proxy.counts.requests === 1);
    impatience.abort();
    return met;
  }

  it.each([false, true])("never answers a swallowed request; forwarded: %s", async (forwarded) => {
    expect(await givenUp({ kind: "timeout", forwarded })).toMatchObject({ seen: "AbortError", isThere: forwarded });
  });

  it("forwards late a request that its client has given up", async () => {
    const late = await givenUp({ kind: "delayed", side: "request", by: 150 });
    expect(late).toMatchObject({ seen: "AbortError", isThere: true });
  });

  it("sends a late duplicate, which finds later changes", async () => {
    const Key = "again";
    const changed = withResolvers<void>();
    proxy.plan = script([{ kind: "late-duplicate", after: changed.promise }]);
    await client.send(new PutObjectCommand({ Bucket, Key, Body: "old" }));
    await client.send(new PutObjectCommand({ Bucket, Key, Body: "new" }));
    expect(await read(direct, Key)).toBe("new");
    expect(proxy.isBusy).toBe(true);
    changed.resolve();
    await proxy.settled();
    expect(proxy.isBusy).toBe(false);
    expect(await read(direct, Key)).toBe("old");
  });

  it("cuts a reply in two", async () => {
    await create(direct, "half", "x".repeat(100_000));
    proxy.plan = script([{ kind: "truncated" }]);
    await expect(read(client, "half")).rejects.toThrow(/aborted|ECONNRESET/);
    expect(proxy.counts.bytesDown).toBeLessThan(100_000);
  });

  it("counts requests and bytes", async () => {
    await create(client, "counted", "x".repeat(10_000));
    await read(client, "counted");
    await read(client, "counted");
    const { requests, byKind, bytesUp, bytesDown } = proxy.counts;
    expect({ requests, byKind }).toEqual({ requests: 3, byKind: { PUT: 1, GET: 2 } });
    for (const bytes of [bytesUp - 10_000, bytesDown - 20_000]) {
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(6_000);
    }
  });

  it("is down until it is up", async () => {
    proxy.plan = script([undefined, { kind: "timeout" }]);
    await create(client, "down");
    const cut = expect(read(client, "down")).rejects.toMatchObject({ code: "ECONNRESET" });
    await until(() => proxy.counts.requests === 2);
    await proxy.down();
    await cut;
    await expect(read(client, "down")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await proxy.up();
    await create(client, "up");
    expect(await read(client, "up")).toBe("value");
  });

  it("passes the request to a plan", async () => {
    const seen: unknown[] = [];
    proxy.plan = ({ kind, target, query, conditional, size }, index) => {
      seen.push({ index, kind, target, prefix: query.get("prefix"), conditional, size });
      return undefined;
    };
    await create(client, "told/key", "four");
    await client.send(new ListObjectsV2Command({ Bucket, Prefix: "told/" }));
    expect(seen).toEqual([
      { index: 0, kind: "PUT", target: `/${Bucket}/told/key`, prefix: null, conditional: true, size: 4 },
      { index: 1, kind: "GET", target: `/${Bucket}/`, prefix: "told/", conditional: false, size: 0 },
    ]);
  });

  describe("with seeded faults", () => {
    const faults: Fault[] = [{ kind: "error" }, { kind: "slow-down" }, { kind: "reset-after" }, { kind: "conflict" }];
    const decisions = (seed: number, conditional = true): (string | undefined)[] => {
      const plan = seededFaults(seed, 0.3, faults);
      const request = { kind: "PUT", target: "", query: new URLSearchParams(), words: [], size: 0, isGreeting: false };
      return Array.from({ length: 1000 }, (_, index) => plan({ ...request, conditional }, index)?.kind);
    };

    it("decides alike for the same seed", () => {
      expect(decisions(1)).toEqual(decisions(1));
      expect(decisions(1)).not.toEqual(decisions(2));
    });

    it("keeps to the rate, and to all kinds", () => {
      const made = decisions(1).filter((kind) => kind !== undefined);
      expect(made.length).toBeGreaterThan(250);
      expect(made.length).toBeLessThan(350);
      expect(new Set(made)).toEqual(new Set(faults.map(({ kind }) => kind)));
    });

    it("has no conflicts but for conditional writes", () => {
      expect(decisions(1, false)).not.toContain("conflict");
      expect(decisions(1, false).map((kind) => kind ?? "conflict")).toEqual(
        decisions(1).map((kind) => kind ?? "conflict"),
      );
    });
  });
});
