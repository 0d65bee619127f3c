import { expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

async function setUp() {
  const world = new World();
  const Thing = world.type();
  const stage = new Stage();
  await stage.up(async () => {
    for (const id of ["a", "b"]) await Thing(id, {}, { protect: true });
    await Thing("c");
  });
  return { world, stage, Thing };
}

test("a protected resource can be deleted only by a change of its program", async () => {
  const { world, stage } = await setUp();
  await stage.open({ phase: "destroy", target: ["app/dev/a"], unprotect: true });
  expect(world.names).toEqual(["b#2", "c#3"]);
});

test.each([
  ["a wildcard", ["app/dev/*"]],
  ["the name of another", ["app/dev/a", "**/b"]],
])("unprotect lifts protection by %s", async (_what, target) => {
  const { world, stage } = await setUp();
  await expect(stage.open({ phase: "destroy", target, unprotect: true })).rejects.toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ code: "PROTECTED", fqn: "app/dev/b" })]),
  });
  expect(world.names).toEqual(["a#1", "b#2", "c#3"]);
});

test.each([{ phase: "destroy" }, { phase: "up", target: ["app/dev/a"] }] as const)(
  "unprotect unprotects a whole stage, or a run that only prunes: %o",
  async (options) => {
    const { stage } = await setUp();
    await expect(stage.open({ ...options, unprotect: true })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("engine destroy --target"),
    });
  },
);
