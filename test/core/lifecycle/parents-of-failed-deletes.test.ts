import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

/** "a" declares "b", and "b" declares "c"; a destroy of them has failed at a call. */
async function destroyedUpTo(failing: string, options: TypeOptions = {}) {
  const { world, Thing, stage, failed } = newWorld(options);
  const Child = world.type({ read: true });
  for (const phase of ["create", "update"]) {
    world.on(`${phase} a`, async () => void (await Thing("b")));
    world.on(`${phase} b`, async () => void (await Child("c")));
  }
  await stage.up(() => Thing("a"));
  await failed(failing, () => {}, { phase: "destroy" });
  return { world, Thing, stage };
}

describe("a parent whose child failed to be deleted, or which failed itself after that,", () => {
  test.each<[string, string, TypeOptions, string[]]>([
    [
      "declares that again, though the program and the parent are as they were",
      "delete c",
      { read: true, verify: true },
      ["read a", "update a", "read b", "update b", "read c"],
    ],
    ["makes the child again", "delete b", { read: true }, ["update a", "read b", "update b", "create c"]],
  ])("%s", async (_what, failing, type, calls) => {
    const { world, Thing, stage } = await destroyedUpTo(failing, type);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(calls);
    for (const key of ["a", "a/b", "a/b/c"]) {
      expect(stage.record(key)).toMatchObject({ status: "ready", deleteFailed: undefined });
    }
  });

  test.each<[string, string, TypeOptions]>([
    ["neither the parent nor the child is deleted", "delete c", { update: false }],
    ["is not replaced", "delete a", { update: false, read: true }],
  ])("fails without update, and %s", async (_what, failing, type) => {
    const { world, Thing, stage } = await destroyedUpTo(failing, type);
    const { names } = world;
    const [error] = await stage.failures(() => Thing("a"));
    expect(error).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    expect(String(error)).toContain('"engine state keep app/dev/a"');
    expect(world.names).toEqual(names);
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual([]);
  });
});
