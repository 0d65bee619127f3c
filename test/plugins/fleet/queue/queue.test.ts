import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { Resource } from "../../../../core/resource/index.js";
import { type FleetOptions, fleet } from "../../../../plugins/fleet/index.js";
import { Gate } from "../../../../plugins/fleet/queue/gate.js";
import { jobId, jobText, parseJob, parseResult } from "../../../../plugins/fleet/queue/job.js";
import { queueName } from "../../../../plugins/fleet/queue/server.js";
import { FleetRecord } from "../../../../plugins/fleet/record.js";
import { newKeyText } from "../../../../plugins/secrets/opener.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { until } from "../../../helpers/time/until.js";
import { describeWithRedis } from "../../../servers/given-redis.js";

const job = { run: "r", command: "up", stage: "ada", input: "{}" } as const;

describe("a job", () => {
  test("is read as it was written, and has an id that a number or a colon cannot be", () => {
    expect(parseJob(jobText(job))).toEqual(job);
    expect(jobId("r.0", "ada")).toMatch(/^s[0-9a-f]{32}$/);
    expect(jobId("r.1", "ada")).not.toBe(jobId("r.0", "ada"));
  });

  test.each([
    ["that is no text", 7],
    ["that is no JSON", "{"],
    ["of another version", JSON.stringify({ ...job, v: 2 })],
    ["with a path as stage", JSON.stringify({ ...job, v: 1, stage: "../x" })],
    ["with a NUL in its stage", JSON.stringify({ ...job, v: 1, stage: "a\0b" })],
    ["for the record of the fleet", JSON.stringify({ ...job, v: 1, stage: "@fleet" })],
    ["with an unknown command", JSON.stringify({ ...job, v: 1, command: "rm" })],
    ["with ten megabytes of input", JSON.stringify({ ...job, v: 1, input: "x".repeat(10_000_000) })],
    ["with an object as input", JSON.stringify({ ...job, v: 1, input: {} })],
    ["with a prototype", '{"__proto__":{"v":1},"run":"r","command":"up","stage":"ada","input":"{}"}'],
  ])("%s is refused", (_, text) => {
    expect(parseJob(text)).toBeUndefined();
  });

  test.each([[undefined], ["text"], [{}], [{ outcome: "odd" }], [[]]])("with the result %j has failed", (result) => {
    expect(parseResult(result)).toEqual({ outcome: "failed", duration: 0, code: "QUEUE_FAILED" });
  });

  test("takes from a result only what a worker of ours may say", () => {
    const result = { outcome: "failed", duration: "x", code: "ODD", resource: 1, refs: ["b", "../c"], message: "text" };
    expect(parseResult(result)).toEqual({ outcome: "failed", duration: 0, code: "RUN_FAILED", refs: ["b"] });
  });
});

test("work that has to run alone waits for other work, and lets no other begin", async () => {
  const gate = new Gate();
  const events: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, alone: boolean) =>
    gate.run(alone, async () => {
      events.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [run("a", false), run("b", false), run("alone", true), run("c", false)];
  await until(() => events.length === 2);
  ends[0]?.();
  ends[1]?.();
  await until(() => events.length === 3);
  ends[2]?.();
  await until(() => events.length === 4);
  ends[3]?.();
  await Promise.all(all);
  expect(events).toEqual(["a", "b", "alone", "c"]);
});

test.each([
  ["mysql://db", "INVALID_OPTION"],
  ["nonsense", "INVALID_OPTION"],
])("the queue %s is refused", async (queue, code) => {
  const made = fleet("tenants", { stages: [], program: () => {}, options: { stateStore: memoryStore(), env: {} } });
  await expect(made.up({ queue })).rejects.toMatchObject({ code });
  await expect(made.work({ queue })).rejects.toMatchObject({ code });
});

describeWithRedis("on Redis", (url) => {
  const ends: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const Item = Resource("queue-test:Item", {
    create: ({ props }: { props: { plan: string } }) => ({ plan: props.plan }),
    delete: () => {},
  });

  async function working(name: string, options: FleetOptions<{ token?: unknown }>) {
    const made = fleet(name, options);
    const stop = new AbortController();
    const worker = await made.work({ queue: url, signal: stop.signal, onWarning: () => {} });
    ends.push(async () => {
      stop.abort();
      await worker.done;
    });
    return { made, worker };
  }

  async function queueOf(name: string, options: FleetOptions<{ token?: unknown }>["options"]) {
    const record = await FleetRecord.read(name, { ...options });
    await record.close();
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue(queueName(name, "0", record.lineage ?? ""), { connection, prefix: "{scope-engine}" });
    ends.push(async () => {
      await queue.close();
      connection.disconnect();
    });
    return { queue, connection };
  }

  test("a worker runs stages whose inputs hold secrets, which no key of the server shows", async () => {
    const name = `fleet-${randomUUID()}`;
    const seen: unknown[] = [];
    const options = { stateStore: memoryStore(), key: newKeyText(), env: {} };
    const { made } = await working(name, {
      stages: [1, 2].map((id) => ({ stage: `t${id}`, input: { token: new Secret(`c4nary-${id}`) } })),
      program: async (app, { token }) => {
        seen.push((token as Secret).unencrypted);
        if (app.stage === "t2") throw new Error(`cannot use ${String((token as Secret).unencrypted)}`);
        await Item("item", { plan: "small" });
      },
      options,
    });
    const report = await made.up({ queue: url });
    expect(seen.sort()).toEqual(["c4nary-1", "c4nary-2"]);
    expect(report).toMatchObject({ state: "failed", stages: { changed: 1, failed: 1 } });
    expect(JSON.stringify(report)).not.toContain("c4nary");
    const { messageIn, stageIn } = await import("../../../../plugins/fleet/status.js");
    const record = await FleetRecord.read(name, options);
    await record.close();
    const failed = stageIn(name, record, "t2");
    const { message: _, ...untold } = failed ?? expect.fail("t2 is not recorded");
    expect(await messageIn(name, "t2", untold, options)).toContain("cannot use ***");
    const { connection } = await queueOf(name, options);
    for (const key of await connection.keys("{scope-engine}*"))
      expect(`${key} ${await connection.dumpBuffer(key)}`).not.toContain("c4nary");
  });

  test("a job that no conductor wrote is refused and counted, and the worker goes on", async () => {
    const name = `fleet-${randomUUID()}`;
    const options = { stateStore: memoryStore(), env: {} };
    const { made, worker } = await working(name, {
      stages: [{ stage: "ada", input: {} }],
      program: () => Item("item", { plan: "small" }),
      options,
    });
    const { queue } = await queueOf(name, options);
    const bad = await queue.add("stage", jobText({ ...job, stage: "../x" }), { jobId: "bad" });
    await until(() => worker.status().refused === 1);
    await until(async () => (await bad.getState()) === "completed");
    expect((await queue.getJob("bad"))?.returnvalue).toEqual({
      outcome: "failed",
      duration: 0,
      code: "INVALID_ARGUMENT",
    });
    expect(await made.up({ queue: url })).toMatchObject({ state: "done", stages: { changed: 1 } });
  });

  test("a stage that has ended its worker three times when it ran alone fails with WORKER_LOST", async () => {
    const name = `fleet-${randomUUID()}`;
    const options = { stateStore: memoryStore(), env: {} };
    const begun: string[] = [];
    const definition: FleetOptions<object> = { stages: [], program: (app) => void begun.push(app.stage), options };
    await (await FleetRecord.open(name, options, "up")).close();
    const { queue, connection } = await queueOf(name, options);
    const lost = await queue.add("stage", jobText({ ...job, input: "{}" }), { jobId: "lost" });
    await lost.updateProgress(3);
    await connection.hset(`{scope-engine}:${queue.name}:lost`, { stc: "5" });
    await working(name, definition);
    await until(async () => (await lost.getState()) === "completed");
    expect((await queue.getJob("lost"))?.returnvalue).toMatchObject({ outcome: "failed", code: "WORKER_LOST" });
    expect(begun).toEqual([]);
  });
});
