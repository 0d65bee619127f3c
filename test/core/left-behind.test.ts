import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { Scope } from "../../core/contract/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";
import { gate } from "../helpers/time/gate.ts";
import { until } from "../helpers/time/until.ts";

function setUp() {
  const world = new World();
  const stateStore = memoryStore();
  return { world, Thing: world.type(), stage: (): Stage => new Stage({ stateStore, durability: "full" }) };
}

/** An app whose program failed after it changed something, and which is never finalized. */
async function failed({ Thing, stage }: ReturnType<typeof setUp>): Promise<Scope> {
  const app = await stage().open();
  const program = async () => {
    await Thing("a");
    throw new Error("The program failed.");
  };
  expect(await rejection(app.run(program))).toMatchObject({ message: "The program failed." });
  return app;
}

describe("an app that is never finalized", () => {
  test("does not keep its stage from the next one of its process when it has failed", async () => {
    const all = setUp();
    await failed(all);
    const next = all.stage();
    await next.up(() => Promise.all([all.Thing("a"), all.Thing("b")]));
    expect(next.heard("warning")).toMatchObject([
      { code: "NOT_FINALIZED", message: expect.stringContaining("use engine.up()") },
    ]);
    expect(next.summary).toEqual({ created: 1, unchanged: 1 });
    expect(all.world.names).toEqual(["a#1", "b#2"]);
  });

  test("does not either when it was aborted", async () => {
    const { Thing, stage, world } = setUp();
    const controller = new AbortController();
    const app = await stage().open({ signal: controller.signal });
    await app.run(() => Thing("a"));
    controller.abort();
    await stage().up(() => Thing("a"));
    expect(world.calls).toEqual(["create a"]);
  });

  test("lets one go on that waits for it, when it fails meanwhile", async () => {
    const { Thing, stage, world } = setUp();
    const app = await stage().open();
    await app.run(() => Thing("a"));
    const next = stage();
    const waiting = next.up(() => Thing("a"), { lockTimeout: 60_000 });
    await until(() => next.heard("state:waiting").length > 0);
    await rejection(app.run(() => Promise.reject(new Error("The program failed."))));
    await waiting;
    expect(world.calls).toEqual(["create a"]);
  });

  test("gets its failure when it is finalized after all, and can be used again", async () => {
    const all = setUp();
    const app = await failed(all);
    await all.stage().up(() => all.Thing("a"));
    expect(await rejection(app.finalize())).toMatchObject({
      name: "RunFailedError",
      errors: [{ message: "The program failed." }],
    });
    await app.run(() => all.Thing("a", { value: 2 }));
    await app.finalize();
    expect(all.world.calls).toEqual(["create a", "update a"]);
  });

  test("keeps its stage while a handler of it is at work, though it has failed", async () => {
    const { Thing, stage, world } = setUp();
    const { opened, open } = gate();
    const app = await stage().open();
    world.on("create a", () => opened);
    const running = app.run(() => Thing("a")).catch(() => {});
    await rejection(app.run(() => Promise.reject(new Error("The program failed."))));
    await until(() => world.calls.includes("create a"));
    expect(await rejection(stage().open())).toMatchObject({ code: "STATE_LOCKED" });
    open();
    await running;
    await rejection(app.finalize());
  });

  test("keeps its stage when nothing has failed", async () => {
    const { Thing, stage } = setUp();
    const app = await stage().open();
    await app.run(() => Thing("a"));
    expect(await rejection(stage().open())).toMatchObject({ code: "STATE_LOCKED" });
    await app.finalize();
  });

  test("of another stage is left alone", async () => {
    const all = setUp();
    const app = await failed(all);
    await all.stage().up(() => all.Thing("a"), { stage: "other" });
    expect(app.resources.get("a")).toBeDefined();
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });
});
