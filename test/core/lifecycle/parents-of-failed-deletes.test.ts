import { describe, expect, test } from "vitest";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

/** "a" declares "b", and "b" declares "c". */
async function family(options: TypeOptions = {}) {
  const world = new World();
  const Thing = world.type(options);
  const Child = world.type({ read: true });
  const stage = new Stage();
  const declare = (): void => {
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, async () => void (await Thing("b")));
      world.on(`${phase} b`, async () => void (await Child("c")));
    }
  };
  declare();
  await stage.up(() => Thing("a"));
  return { world, Thing, stage, declare };
}

async function destroyWithout(there: Awaited<ReturnType<typeof family>>, failing: string): Promise<void> {
  const { world, stage, declare } = there;
  world.fails(failing);
  await stage.failures(() => {}, { phase: "destroy" });
  world.calm();
  declare();
  world.news();
}

describe("a parent whose child failed to be deleted", () => {
  test("declares that again, though the program and the parent are as they were", async () => {
    const there = await family({ read: true, verify: true });
    const { world, Thing, stage } = there;
    await destroyWithout(there, "delete c");
    const app = await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["read a", "update a", "read b", "update b", "read c"]);
    expect(["a", "a/b", "a/b/c"].map((key) => recordOf(app, key)?.status)).toEqual(["ready", "ready", "ready"]);
    expect(recordOf(app, "a/b/c")?.deleteFailed).toBeUndefined();
  });

  test("fails without update, and neither the parent nor the child is deleted", async () => {
    const there = await family({ update: false });
    const { world, Thing, stage } = there;
    await destroyWithout(there, "delete c");
    const names = world.names;
    const [error] = await stage.failures(() => Thing("a"));
    expect(error).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    expect(String(error)).toContain('"engine state keep app/dev/a"');
    expect([world.news(), world.names]).toEqual([[], names]);
  });
});

describe("a parent whose delete failed after its child was deleted", () => {
  test("makes the child again", async () => {
    const there = await family({ read: true });
    const { world, Thing, stage } = there;
    await destroyWithout(there, "delete b");
    const app = await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "read b", "update b", "create c"]);
    expect(["a", "a/b", "a/b/c"].map((key) => recordOf(app, key)?.status)).toEqual(["ready", "ready", "ready"]);
  });

  test("fails without update, and is not replaced", async () => {
    const there = await family({ update: false, read: true });
    const { world, Thing, stage } = there;
    await destroyWithout(there, "delete a");
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "UNRESOLVED" }]);
    expect(world.names).toEqual(["a#3"]);
  });
});
