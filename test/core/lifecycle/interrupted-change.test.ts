import { describe, expect, test } from "vitest";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("an update that failed", () => {
  test("keeps the last good props and output for its next attempt", async () => {
    const { world, stage, Thing } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a", "no");
    const app = await stage.open();
    await expect(app.run(() => Thing("a", { value: 2 }))).rejects.toThrow('update of "app/dev/a" failed: no');
    expect(recordOf(app, "a")).toMatchObject({
      status: "updating",
      props: { value: 2 },
      lastGood: { props: { value: 1 } },
      output: { thing: "a#1", value: 1 },
    });
    await expect(app.finalize()).rejects.toThrow();
    world.on("update a", ({ changes, recovering }) => void expect([changes, recovering]).toEqual([["/value"], true]));
    const next = await stage.up(() => Thing("a", { value: 2 }));
    expect(recordOf(next, "a")).toMatchObject({ status: "ready", props: { value: 2 } });
    expect(recordOf(next, "a")?.lastGood).toBeUndefined();
  });

  test("is tried again though the program is back at the last good props", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a");
    await stage.failures(() => Thing("a", { value: 2 }));
    world.calm();
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["create a", "update a", "update a"]);
    expect(world.things.get("a#1")?.value).toBe(1);
  });

  test("and is no longer declared is deleted with the last good props", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a");
    await stage.failures(() => Thing("a", { value: 2 }));
    const seen: unknown[] = [];
    world.on("delete a", ({ props, output }) => void seen.push(props, output));
    await stage.up();
    expect(seen).toEqual([{ value: 1 }, { thing: "a#1", value: 1 }]);
  });
});

describe("an output that cannot be encoded", () => {
  test("fails the resource with its name, and leaves it pending", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", () => ({ thing: "a", value: () => 1 }));
    const app = await stage.open();
    await expect(app.run(() => Thing("a"))).rejects.toMatchObject({ code: "UNSERIALIZABLE", fqn: "app/dev/a" });
    expect(recordOf(app, "a")).toMatchObject({ status: "creating", error: expect.stringContaining("app/dev/a") });
    await expect(app.finalize()).rejects.toThrow();
    expect(stage.told).toEqual(["started a", "failed a"]);
  });
});
