import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope } from "../../../core/contract/index.js";
import { appOf } from "../../../core/run/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { offered } from "../../helpers/apps/offered.ts";
import { failuresOf, Stage } from "../../helpers/apps/stage.ts";
import { newThings } from "../../helpers/apps/things.ts";
import { faultyStore } from "../../helpers/stores/store-around.ts";

const { engine, open } = testApps();

describe("app.outputs(value)", () => {
  it.each<[string, unknown]>([
    ["a string", "text"],
    ["null", null],
    ["nothing but an empty object", {}],
    ["an undefined member", { none: undefined, list: [undefined] }],
    ["a date", { at: new Date("2024-05-06T07:08:09.123Z") }],
    ["maps and sets", new Map([["a", new Set([1, "x"])]])],
    ["bytes, a bigint and a URL", [new Uint8Array([0, 255]), 2n ** 70n, new URL("https://example.com/a?b")]],
    ["keys that look like the codec's tags", { $date: "x", $: 1, "@outputs": 2 }],
  ])("offers %s as it was given", async (_name, value) => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.outputs(value);
    await app.finalize();
    expect(await offered(stateStore)).toEqual(value);
  });

  it("offers the value as it was at the call", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    const value = { count: 1 };
    const offering = app.outputs(value);
    value.count = 2;
    await offering;
    await app.finalize();
    expect(await offered(stateStore)).toEqual({ count: 1 });
  });

  it("replaces the whole value by another call, in the same run and in the next", async () => {
    const stateStore = memoryStore();
    for (const run of [1, 2]) {
      const app = await open({ stateStore });
      await app.outputs({ first: run });
      await app.outputs({ second: run });
      await app.finalize();
      expect(await offered(stateStore)).toEqual({ second: run });
    }
  });

  it("of an unchanged value writes nothing, and neither does undefined where there is none", async () => {
    const heard = recorder();
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.outputs({ a: 1, b: new Date(0) });
    await app.finalize();
    for (const stage of ["dev", "other"]) {
      const next = await open({ stateStore, stage, plugins: [heard.plugin] });
      await next.outputs(stage === "dev" ? { b: new Date(0), a: 1 } : undefined);
      await next.finalize();
    }
    expect(heard.events.filter(({ type }) => type.startsWith("state:"))).toEqual([]);
  });

  it("takes it away with undefined, which a promise may have resolved to", async () => {
    const stateStore = memoryStore();
    for (const nothing of [undefined, Promise.resolve(undefined)]) {
      const app = await open({ stateStore });
      await app.set("key", 1);
      await app.outputs("there");
      await app.outputs(nothing);
      await app.finalize();
      expect(await rejection(offered(stateStore))).toMatchObject({ code: "OUTPUTS_MISSING" });
    }
  });

  it("works before engine() has resolved, and need not be awaited", async () => {
    const stateStore = memoryStore();
    const opening = open({ stateStore });
    void Scope.current.outputs("early");
    await (await opening).finalize();
    expect(await offered(stateStore)).toBe("early");
  });

  it("is refused on another scope, and on an app that is finalized", async () => {
    const app = await open();
    await engine.run("child", async (child) => {
      expect(await rejection(child.outputs(1))).toMatchObject({
        code: "INVALID_CALL",
        message: expect.stringContaining("Call outputs() on the scope that engine() returned"),
      });
      await child.root.outputs(1);
    });
    await app.finalize();
    expect(await rejection(app.outputs(2))).toMatchObject({ code: "NO_SCOPE" });
  });

  it("is not data of the app: neither mixes with the other", async () => {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.set("outputs", "data");
    await app.outputs("offered");
    expect(await app.get("outputs")).toBe("data");
    await app.delete("outputs");
    await app.finalize();
    expect(await offered(stateStore)).toBe("offered");
  });
});

describe("what a stage offers", () => {
  async function offering(value: unknown = "old") {
    const stateStore = memoryStore();
    const app = await open({ stateStore });
    await app.outputs(value);
    await app.finalize();
    return stateStore;
  }

  it("stays where a run says nothing of it, and where the program throws before it does", async () => {
    const stateStore = await offering();
    await (await open({ stateStore })).finalize();
    const app = await open({ stateStore });
    const failing = async (): Promise<void> => {
      await Promise.reject(new Error("too early"));
      await app.outputs("new");
    };
    await app.run(failing).catch(() => {});
    await failuresOf(app.finalize());
    expect(await offered(stateStore)).toBe("old");
  });

  it("is there before finalize, where the run has written it, and stays when the program throws after it", async () => {
    const stateStore = await offering();
    const app = await open({ stateStore, durability: "full" });
    await app.outputs("new");
    expect(await offered(stateStore)).toBe("new");
    await app.run(() => Promise.reject(new Error("too late"))).catch(() => {});
    await failuresOf(app.finalize());
    expect(await offered(stateStore)).toBe("new");
  });

  it.each(["read", "destroy"] as const)(
    "is not changed by a call in the phase %s, which has no effect",
    async (phase) => {
      const stateStore = await offering();
      const app = await open({ stateStore, phase });
      const looking = [{ bad: () => 1 }, { failing: Promise.reject(new Error("nobody looks")) }, new Promise(() => {})];
      for (const value of looking) await app.outputs(value);
      await app.finalize();
      if (phase === "read") expect(await offered(stateStore)).toBe("old");
      else expect(await rejection(offered(stateStore))).toMatchObject({ code: "OUTPUTS_MISSING" });
    },
  );

  it("goes when the stage is destroyed, and stays when that fails", async () => {
    const things = newThings();
    const { Thing } = things;
    const stage = new Stage();
    await stage.up(async (app) => {
      await Thing("a");
      await app.outputs("offered");
    });
    things.inside = () => Promise.reject(new Error("bolted to the floor"));
    await failuresOf(stage.open({ phase: "destroy" }));
    expect(await offered(stage.store, "app")).toBe("offered");
    things.inside = () => {};
    const app = await stage.open({ phase: "destroy" });
    expect(appOf(app).ledger.contents.isEmpty).toBe(true);
    await app.finalize();
  });

  it("is recorded by the next run where the store failed", async () => {
    const rootDir = await mkdtemp(join(tmpdir(), "outputs-"));
    onTestFinished(() => rm(rootDir, { recursive: true }));
    let isDown = false;
    const memory = memoryStore();
    const stateStore = faultyStore(memory, ({ op }) =>
      isDown && op !== "get" && op !== "list" ? "refused" : undefined,
    );
    const stage = new Stage({ stateStore, rootDir });
    const { Thing } = newThings();
    await failuresOf(
      stage.up(async (app) => {
        await Thing("a");
        isDown = true;
        await app.outputs({ text: "offered" });
      }),
    );
    isDown = false;
    expect(await readdir(rootDir)).toHaveLength(1);
    await stage.up(() => Thing("a"));
    expect(await offered(memory, "app")).toEqual({ text: "offered" });
  });
});
