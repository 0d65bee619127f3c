import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { observed } from "../../helpers/stores/observed-store.js";

const reading = { phase: "read" } as const;

function setUp() {
  const { store, requests } = observed(memoryStore());
  return { ...newWorld({}, { stateStore: store }), requests };
}

describe("the phase read", () => {
  test("gives recorded outputs, calls no handler and writes nothing", async () => {
    const { world, Thing, stage, requests } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("a", { value: 1 })));
    world.news();
    requests.clear();
    const app = await stage.open(reading);
    const output = await app.run(() => stage.engine.run("s", () => Thing("a", { value: 2 })));
    await app.finalize();
    expect(output).toEqual({ thing: "a#1", value: 1 });
    expect(world.calls).toEqual([]);
    expect(requests.writes).toBe(0);
    expect(stage.summary).toEqual({ read: 1 });
    expect(stage.told).toEqual(["read a"]);
  });

  test("prunes nothing that is not declared", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    await stage.up(() => {}, reading);
    expect(world.names).toEqual(["a#1"]);
  });

  test("fails on what is not recorded, naming it", async () => {
    const { Thing, stage } = setUp();
    const errors = await stage.failures(() => Thing("a"), reading);
    expect(errors).toMatchObject([
      { code: "NOT_RECORDED", fqn: "app/dev/a", message: expect.stringContaining('"engine up"') },
    ]);
    expect(stage.told).toEqual(["failed a"]);
    expect(stage.summary).toEqual({ failed: 1 });
  });

  test("fails on a create that never came to an end", async () => {
    const { Thing, stage, failed } = setUp();
    await failed("create a", () => Thing("a"));
    expect(await stage.failures(() => Thing("a"), reading)).toMatchObject([
      { code: "NOT_RECORDED", message: expect.stringContaining('"app/dev/a" has no recorded output') },
    ]);
  });

  test("gives the last good output of an update that failed", async () => {
    const { Thing, stage, failed } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    await failed("update a", () => Thing("a", { value: 2 }));
    await stage.up(async () => expect(await Thing("a", { value: 2 })).toEqual({ thing: "a#1", value: 1 }), reading);
  });

  test("fails on a resource that is recorded under another kind", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => Thing("a"));
    const errors = await stage.failures(() => Other("a"), reading);
    expect(errors).toMatchObject([
      { code: "KIND_MISMATCH", fqn: "app/dev/a", message: expect.stringContaining(Thing.kind) },
    ]);
  });

  test("runs deferred functions, which may declare", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 7 }));
    const app = await stage.open(reading);
    const result = app.defer(async () => (await Thing("a")).value);
    await app.finalize();
    expect(await result).toBe(7);
  });

  test("refuses to set or delete data, of scopes", async () => {
    const { stage } = setUp();
    const app = await stage.open(reading);
    await expect(app.set("key", 1)).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(app.delete("key")).rejects.toMatchObject({ code: "READ_ONLY" });
    await app.finalize().catch(() => {});
  });

  test("runs beside a run that holds the stage", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const writer = await stage.open();
    await writer.run(() => Thing("b"));
    const reader = new Stage({ stateStore: stage.store });
    const app = await reader.open(reading);
    expect(await app.run(() => Thing("a"))).toMatchObject({ thing: "a#1" });
    await app.finalize();
    await writer.run(() => Thing("a"));
    await writer.finalize();
  });
});
