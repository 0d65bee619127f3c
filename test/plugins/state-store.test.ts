import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { KeyvFile } from "keyv-file";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { stateStore } from "../../plugins/state-store/index.js";
import { type Recorder, recorder } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const engine = createEngine({ plugins: [stateStore()] });
let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "state-store-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

async function run(options: EngineOptions, program: (app: Scope) => unknown = () => {}): Promise<Recorder> {
  const heard = recorder();
  const app = await engine("shop", { stage: "dev", rootDir, env: {}, ...options, plugins: [heard.plugin] });
  await app.run(async () => await program(app));
  await app.finalize();
  return heard;
}

describe("the default store", () => {
  it("keeps the state in .engine/{app}/{stage} below the project's root folder", async () => {
    const { Thing } = newThings();
    await run({ stage: "prod" }, () => Thing("a"));
    await access(join(rootDir, ".engine", "shop", "prod"));
  });

  it("gives back in the next run what was recorded in this one", async () => {
    const { Thing, calls } = newThings();
    await run({}, () => Thing("a"));
    await run({}, () => Thing("a"));
    expect(calls).toEqual(["create shop/dev/a"]);
  });

  it("is not opened where another one is given", async () => {
    const { Thing } = newThings();
    await run({ stateStore: memoryStore() }, () => Thing("a"));
    await expect(access(join(rootDir, ".engine"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a Keyv as the state store", () => {
  it.each<[string, () => EngineOptions["stateStore"]]>([
    ["a Keyv", () => new Keyv({ throwOnErrors: true })],
    ["a Keyv over one of our stores", () => new Keyv({ store: memoryStore(), throwOnErrors: true })],
    ["a storage adapter of Keyv", () => new KeyvFile({ filename: join(rootDir, "state.json"), writeDelay: 1 })],
    ["a Map", () => new Map()],
  ])("%s keeps the state, and warns once in a process", async (_, make) => {
    const { Thing, calls } = newThings();
    const stateStore = make();
    const warnings: string[][] = [];
    for (const program of [() => Thing("a"), () => Thing("a"), () => {}]) {
      warnings.push((await run({ stateStore }, program)).warnings());
    }
    expect(calls).toEqual(["create shop/dev/a", "delete shop/dev/a"]);
    expect(warnings).toEqual([["STORE_SINGLE_WRITER"], [], []]);
    await expect(access(join(rootDir, ".engine"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each<[string, () => EngineOptions["stateStore"], string]>([
    ["a Keyv", () => new Keyv(), "Create it with new Keyv({ …, throwOnErrors: true })"],
    ["KeyvRedis", () => new KeyvRedis("redis://127.0.0.1:1"), "new KeyvRedis(…, { throwOnErrors: true })"],
    ["a Keyv over KeyvRedis", () => new Keyv({ store: new KeyvRedis(), throwOnErrors: true }), "new KeyvRedis("],
  ])("%s that makes an error an absence is refused, with the option to set", async (_, make, hint) => {
    await expect(run({ stateStore: make() })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(hint),
    });
  });

  it("is refused by an engine without the plugin that makes a store of it", async () => {
    const app = createEngine()("shop", { stage: "dev", rootDir, env: {}, stateStore: new Map() });
    await expect(app).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: /No plugin can make a store from the given/,
    });
  });
});

describe("the warning about local state in CI", () => {
  it("comes once, and names the stores for teams", async () => {
    const heard = await run({ env: { CI: "true" } }, async (app) => {
      await app.finalize();
      await app.run(() => {});
    });
    expect(heard.warnings()).toEqual(["LOCAL_STATE_IN_CI"]);
    expect(heard.events).toContainEqual(
      expect.objectContaining({ type: "warning", message: expect.stringMatching(/"shop\/dev".*s3Store.*redisStore/s) }),
    );
  });

  it.each<[string, EngineOptions]>([
    ["outside of CI", { env: {} }],
    ["where CI is empty", { env: { CI: "" } }],
    ["with another store", { env: { CI: "true" }, stateStore: memoryStore() }],
    ["in the phase read", { env: { CI: "true" }, phase: "read" }],
    ["in the phase destroy", { env: { CI: "true" }, phase: "destroy" }],
  ])("does not come %s", async (_case, options) => {
    const heard = await run(options);
    expect(heard.warnings()).toEqual([]);
  });
});
