import { describe, expect, it } from "vitest";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { newThings, type Things } from "../helpers/apps/things.ts";
import { recordingStore } from "../helpers/stores/recording-store.ts";

// One checkpoint is enough, so that trimming and dropping histories happen within a few runs.
const engine = createEngine({ checkpoints: 1, histories: 1 });

/** Every operation that touches state, on one stage. */
async function everything(options: EngineOptions, things: Things): Promise<void> {
  const { Thing } = things;
  const run = async (phase: EngineOptions["phase"], program: (app: Scope) => Promise<unknown>, noop = false) => {
    const app = await engine("shop", { ...options, phase });
    await app.run(() => program(app));
    await app.finalize({ noop });
  };
  for (let round = 0; round < 3; round++) {
    await run("up", async (app) => {
      await Thing("a", { text: String(round) });
      await engine.run("child", async (child) => {
        await Thing("b", { text: String(round) });
        await child.set("key", round);
        await child.finalize({ force: true });
      });
      await app.set("key", round);
      await engine.destroy(await Thing("passing"));
    });
  }
  await run("read", async (app) => [await Thing("a"), await app.get("key"), await app.has("b"), await app.has("a")]);
  await run("up", () => Thing("a"), true);
  await run("up", () => Thing("a"));
  await run("destroy", () => Thing("a"));
  await run("up", () => Thing("a"));
}

describe("stage isolation", () => {
  it.each([
    ["whose values grow", true],
    ["whose values never change", false],
  ])(
    "no operation on one stage reads, lists, writes or deletes a key of another, on a store %s",
    async (_kind, append) => {
      const { store, calls } = recordingStore({ append });
      await everything({ stateStore: store, stage: "prod" }, newThings());
      calls.length = 0;
      await everything({ stateStore: store, stage: "dev" }, newThings());
      const strangers = calls.filter((call) => !/^\w+ shop\/dev\//.test(call));
      expect(strangers).toEqual([]);
      const kinds = new Set(calls.map((call) => call.split(" ")[0]));
      expect([...kinds]).toEqual(expect.arrayContaining(["list", "create", "deleteMany"]));
      expect(kinds.has("append")).toBe(append);
    },
  );

  it.each([
    ["dev", "dev2"],
    ["dev", "dev/"],
    ["a", "A"],
    ["..", "dev"],
  ])("stages %j and %j never meet", async (one, two) => {
    const { store, calls } = recordingStore();
    const open = (stage: string) => engine("shop", { stateStore: store, stage });
    const results = await Promise.allSettled([open(one), open(two)]);
    for (const result of results) if (result.status === "fulfilled") await result.value.finalize();
    const prefixes = calls.map((call) => call.split(" ")[1]?.split("/").slice(0, 2).join("/"));
    expect(new Set(prefixes).size).toBe(results.filter(({ status }) => status === "fulfilled").length);
  });

  it("deploying stage dev does not delete what stage prod declared", async () => {
    const { store } = recordingStore();
    const { Thing, there } = newThings();
    const prod = await engine("shop", { stateStore: store, stage: "prod" });
    await Thing("site");
    await prod.finalize();
    const dev = await engine("shop", { stateStore: store, stage: "dev" });
    await Thing("other");
    await dev.finalize();
    const again = await engine("shop", { stateStore: store, stage: "dev", phase: "destroy" });
    await again.finalize();
    expect([...there.keys()]).toEqual(["shop/prod/site"]);
  });

  it("an app whose name begins with another's is another app", async () => {
    const { store } = recordingStore();
    const { Thing, there } = newThings();
    const long = await engine("shop-eu", { stateStore: store, stage: "dev" });
    await Thing("site");
    await long.finalize();
    const short = await engine("shop", { stateStore: store, stage: "dev" });
    await short.finalize();
    expect([...there.keys()]).toEqual(["shop-eu/dev/site"]);
  });
});
