import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions } from "../../core/contract/options.js";
import type { Scope } from "../../core/contract/scope.js";
import { createEngine } from "../../core/engine/engine.js";
import { defaultStateStore } from "../../plugins/state-store/index.js";
import { type Recorder, recorder } from "../helpers/apps.ts";
import { newThings } from "../helpers/things.ts";

const engine = createEngine({ plugins: [defaultStateStore()] });
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
