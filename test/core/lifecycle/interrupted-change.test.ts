import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";

const VALUE = { value: 1 };

describe("an update that failed", () => {
  test("keeps the last good props and output for its next attempt", async () => {
    const { world, stage, Thing, failed } = newWorld();
    await stage.up(() => Thing("a", VALUE));
    const message = 'update of "app/dev/a" failed: no update a';
    expect(await failed("update a", () => Thing("a", { value: 2 }))).toMatchObject([{ message }]);
    expect(stage.record("a")).toMatchObject({
      status: "updating",
      props: { value: 2 },
      lastGood: { props: VALUE },
      output: { thing: "a#1", value: 1 },
    });
    world.on("update a", ({ changes, recovering }) => void expect([changes, recovering]).toEqual([["/value"], true]));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: 2 }, lastGood: undefined });
  });

  test("is tried again though the program is back at the last good props", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a", VALUE));
    await failed("update a", () => Thing("a", { value: 2 }));
    await stage.up(() => Thing("a", VALUE));
    expect(world.calls).toEqual(["update a"]);
    expect(world.things.get("a#1")?.value).toBe(1);
  });

  test("twice, and is no longer declared, is deleted with the last good props", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a", VALUE));
    for (const value of [2, 3]) await failed("update a", () => Thing("a", { value }));
    const seen: unknown[] = [];
    world.on("delete a", ({ props, output }) => void seen.push(props, output));
    await stage.up();
    expect(seen).toEqual([VALUE, { thing: "a#1", value: 1 }]);
  });
});

test("an output that cannot be encoded fails the resource with its name, and leaves it pending", async () => {
  const { world, Thing, stage } = newWorld();
  world.on("create a", () => ({ thing: "a", value: () => 1 }));
  expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "UNSERIALIZABLE", fqn: "app/dev/a" }]);
  expect(stage.record("a")).toMatchObject({ status: "creating", error: expect.stringContaining("app/dev/a") });
  expect(stage.told).toEqual(["started a", "failed a"]);
});
