/** The requirements of the project, clause by clause, on the packed package. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTestBucket, s3TestOptions } from "../helpers/stores/s3-store.ts";
import { describeWithRedis } from "../servers/given-redis.ts";
import { describeWithS3 } from "../servers/given-s3.ts";
import { type Consumer, copyOfInstalled } from "./consumer.ts";
import { describePacked } from "./given-packed.ts";

/** Written from the README of tapable alone. */
const plugins = `
const told = [];
const warningLamp = { on: () => told.push("lamp") };
const google = { maps: { findRoute: async (fqn) => "google " + fqn } };
const bing = { findRoute: (fqn, callback) => setTimeout(() => callback(null, "bing " + fqn), 1) };

const WarningLampPlugin = {
  name: "WarningLampPlugin",
  apply({ hooks }) {
    hooks.scopeCreated.tap("WarningLampPlugin", () => warningLamp.on());
    hooks.cleanup.tap("WarningLampPlugin", () => void told.push("off"));
  },
};
const MapsPlugin = {
  name: "MapsPlugin",
  apply({ hooks }) {
    hooks.beforeApply.tapPromise("GoogleMapsPlugin", ({ fqn }) => google.maps.findRoute(fqn).then((route) => void told.push(route)));
    hooks.beforeApply.tapAsync({ name: "BingMapsPlugin", before: "GoogleMapsPlugin" }, ({ fqn }, callback) => {
      bing.findRoute(fqn, (err, route) => {
        if (err) return callback(err);
        told.push(route);
        callback();
      });
    });
  },
};
const LoggingPlugin = {
  name: "LoggingPlugin",
  apply({ hooks }) {
    hooks.afterFinalize.intercept({
      call: () => told.push("finalize"),
      tap: (tapInfo) => told.push(tapInfo.name + " is called"),
      register: (tapInfo) => {
        told.push(tapInfo.name + " is doing its job");
        return tapInfo;
      },
    });
    hooks.afterFinalize.tap({ name: "Late", stage: 100 }, () => void told.push("late"));
    hooks.afterFinalize.tap({ name: "Early", stage: -100 }, () => void told.push("early"));
  },
};
const all = [WarningLampPlugin, MapsPlugin, LoggingPlugin];
`;

const ofHooks = `
import { memoryStore, Resource } from "scope-engine";
import { createEngine } from "scope-engine/core";
${plugins}
const Thing = Resource("card:Thing", { create: () => ({}), delete() {} });
const engine = createEngine({ plugins: all });
const app = await engine("card", { stage: "s", stateStore: memoryStore() });
await app.run(() => Thing("a"));
await app.finalize();
console.log(JSON.stringify(told));
`;

const ofBuiltIns = `
import { engine, memoryStore, Resource } from "scope-engine";
const Thing = Resource("card:Thing", { create: () => ({}), delete() {} });
const told = {};
const sent = [];
const telemetry = { name: "card", send: async (events) => void sent.push(...events) };
const once = async (options, program = () => Thing("a")) => {
  const app = await engine("card", { stateStore: memoryStore(), quiet: true, argv: [], env: {}, ...options });
  await app.run(program);
  await app.finalize();
  return app;
};
told.arguments = (await once({ argv: ["--stage", "prod", "--adopt"] })).stage;
const home = { HOME: process.cwd() };
const logger = { info() {}, error() {} };
await once({ telemetry, env: home, logger });
told.sent = sent.length > 0;
sent.length = 0;
await once({ telemetry, env: home, noTrack: true });
await once({ telemetry, env: { ...home, DO_NOT_TRACK: "1" } });
told.sentThough = sent.length;
const stateStore = memoryStore();
await once({ stateStore, password: "correct horse" }, () => Thing("a", { token: engine.secret("hush-hush", "TOKEN") }));
const keys = [];
for await (const key of stateStore.list("")) keys.push(key);
const texts = await stateStore.getMany(keys);
told.inTheClear = texts.some((text) => text?.includes("hush-hush"));
console.log(JSON.stringify(told));
`;

/** Run twice, as by two people of a team: the second run finds the resources of the first. */
const ofStores = (store: string, from: string): string => `
import { engine, Resource } from "scope-engine";
${from}
const Thing = Resource("card:Thing", { create: () => ({}), delete() {} });
const app = await engine(process.env.APP, { stage: "s", stateStore: ${store} });
await Thing("a");
await app.finalize();
`;

/** Keyv stores in each store of the package, and the engine stores in Keyv. */
const ofKeyv = `
import { Keyv } from "keyv";
import { engine, memoryStore, Resource } from "scope-engine";
import { fsStoreAt } from "scope-engine/adapters/fs";
import { redisStoreAt } from "scope-engine/adapters/redis";
import { s3StoreAt } from "scope-engine/adapters/s3";
const told = {};
for (const store of [fsStoreAt("cache"), memoryStore()]) {
  const cache = new Keyv({ store, namespace: "prices", throwOnErrors: true });
  await cache.set("apple", { euros: 1 });
  await cache.set("gone", 1, 1);
  await new Promise((done) => setTimeout(done, 20));
  told[store.name] = [await cache.get("apple"), await cache.get("gone")];
}
for (const store of [redisStoreAt({ url: "redis://127.0.0.1:1" }), s3StoreAt({ bucket: "b", region: "eu-central-1" })]) {
  told[store.name] = new Keyv({ store }).store === store;
}
const Thing = Resource("card:Thing", { create: () => ({}), delete() {} });
const stateStore = new Keyv({ throwOnErrors: true });
const summaries = [];
for (const _ of [1, 2]) {
  const logger = { info() {}, error() {} };
  const { summary } = await engine.up("card", { stateStore, quiet: true, logger }, () => Thing("a"));
  summaries.push(summary.created);
}
told.created = summaries;
told.refused = await engine("card", { stateStore: new Keyv(), quiet: true }).catch(({ message }) => message.includes("throwOnErrors: true"));
console.log(JSON.stringify(told));
`;

describePacked(
  "the card: a minimal core exposes tapable hooks; built-in plugins; stores; telemetry",
  ({ packages }) => {
    let consumer: Consumer;
    beforeAll(async () => {
      consumer = await copyOfInstalled(packages, []);
    });
    afterAll(() => consumer?.remove());

    const lastLine = async (program: string): Promise<unknown> => {
      await consumer.write("card.mjs", program);
      const { exitCode, stdout, stderr } = await consumer.node("card.mjs");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    };

    test("a minimal core exposes tapable hooks around scope creation, resource apply, finalize and cleanup", async () => {
      expect(await lastLine(ofHooks)).toEqual([
        "Late is doing its job",
        "Early is doing its job",
        "lamp",
        "bing card/s/a",
        "google card/s/a",
        "finalize",
        "Early is called",
        "early",
        "Late is called",
        "late",
        "off",
      ]);
    });

    test("built-in plugins supply CLI arg parsing, secrets and telemetry, which honours noTrack and DO_NOT_TRACK", async () => {
      expect(await lastLine(ofBuiltIns)).toEqual({ arguments: "prod", sent: true, sentThough: 0, inTheClear: false });
    });

    test("via keyv-style adapters", async () => {
      expect(await lastLine(ofKeyv)).toEqual({
        fs: [{ euros: 1 }, null],
        memory: [{ euros: 1 }, null],
        redis: true,
        s3: true,
        created: [1, 0],
        refused: true,
      });
    });

    const twice = async (program: string, env: Readonly<Record<string, string>>): Promise<void> => {
      await consumer.write("store.mjs", program);
      const run = () => consumer.nodeWith({ ...env, APP: app }, "store.mjs");
      const app = `card-${randomUUID()}`;
      expect((await run()).stdout).toContain("1 created");
      expect((await run()).stdout).toContain("1 unchanged");
    };

    test("state stores for the file system", async () => {
      await twice(ofStores("fsStore()", 'import { fsStore } from "scope-engine/adapters/fs";'), {});
    });

    describeWithRedis("Redis", (url) => {
      test("team-shared remote state", async () => {
        await twice(ofStores("redisStore()", 'import { redisStore } from "scope-engine/adapters/redis";'), {
          REDIS_URL: url,
        });
      });
    });

    describeWithS3("S3", ({ endpoint, region, accessKeyId, secretAccessKey }) => {
      test("engine(app, { stateStore: s3Store() })", async () => {
        await makeTestBucket();
        await twice(ofStores("s3Store()", 'import { s3Store } from "scope-engine/adapters/s3";'), {
          ENGINE_S3_BUCKET: s3TestOptions().bucket,
          AWS_REGION: region,
          AWS_ENDPOINT_URL_S3: endpoint,
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
          AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
        });
      });
    });
  },
);
