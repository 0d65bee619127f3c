import { describe, expect, test } from "vitest";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type({ verify: true, ...options }), stage: new Stage() };
}

/** Somebody else changes what is there. */
function drift(world: World, thing: string, value: unknown): void {
  const before = world.things.get(thing);
  if (before) world.things.set(thing, { ...before, value });
}

describe("a type that is looked at on every up", () => {
  test("is skipped where all is as recorded", async () => {
    const { world, Thing, stage } = setUp();
    for (let run = 0; run < 2; run++) await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["create a", "read a"]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is updated where somebody changed it, and told what is there", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    drift(world, "a#1", 7);
    const seen: unknown[] = [];
    world.on("update a", ({ output, changes }) => void seen.push(output, changes));
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["create a", "read a", "update a"]);
    expect(seen).toEqual([{ thing: "a#1", value: 7 }, []]);
    expect(world.things.get("a#1")?.value).toBe(1);
    await stage.up(() => Thing("a", { value: 1 }));
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is created again, under its uid, where it is gone", async () => {
    const { world, Thing, stage } = setUp();
    const first = recordOf(await stage.up(() => Thing("a", { value: 1 })), "a");
    world.things.clear();
    const again = recordOf(await stage.up(() => Thing("a", { value: 1 })), "a");
    expect(world.calls).toEqual(["create a", "read a", "create a"]);
    expect(again).toMatchObject({ uid: first?.uid, status: "ready", output: { thing: "a#2" } });
  });

  test("is updated from what is there where its props changed as well", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    drift(world, "a#1", 7);
    const seen: unknown[] = [];
    world.on("update a", ({ output, changes }) => void seen.push(output, changes));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "read a", "update a"]);
    expect(seen).toEqual([{ thing: "a#1", value: 7 }, ["/value"]]);
  });

  test("is created again where it is gone and its props changed as well", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.things.clear();
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "read a", "create a"]);
    expect(stage.summary).toEqual({ created: 1 });
    expect(recordOf(app, "a")).toMatchObject({ props: { value: 2 }, output: { thing: "a#2", value: 2 } });
  });

  test("is created again where it went away in the middle of an update", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", () => {
      world.things.clear();
      throw new Error("it went away");
    });
    await stage.failures(() => Thing("a", { value: 2 }));
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "read a", "update a", "read a", "create a"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 2 } });
    expect(recordOf(app, "a")?.lastGood).toBeUndefined();
  });

  test("is replaced where it differs and its type has no update", async () => {
    const { world, Thing, stage } = setUp({ update: false });
    await stage.up(() => Thing("a", { value: 1 }));
    drift(world, "a#1", 7);
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["create a", "read a", "create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("fails with its name where the look fails, and nothing is changed", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("read a", "no network");
    expect(await stage.failures(() => Thing("a", { value: 2 }))).toMatchObject([
      { code: "HANDLER_FAILED", fqn: "app/dev/a", message: expect.stringContaining("no network") },
    ]);
    expect(world.calls).toEqual(["create a", "read a"]);
  });
});
