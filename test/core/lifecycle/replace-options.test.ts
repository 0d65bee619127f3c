import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";

describe("replaceOnChanges", () => {
  test.each([
    ["a prop", "value", { value: 1 }, { value: 2 }],
    ["a nested prop", "value.size", { value: { size: 1 } }, { value: { size: 2 } }],
    ["a nested prop, by pointer", "/value/size", { value: { size: 1 } }, { value: { size: 2 } }],
    ["a member of any element", "value.*.port", { value: [{ port: 1 }] }, { value: [{ port: 2 }] }],
  ])("replaces a resource for %s, in addition to what its type names", async (_what, path, before, after) => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    const options = { replaceOnChanges: [path] };
    for (const [props, calls] of [
      [before, ["create a"]],
      [after, ["create a", "delete a"]],
      [{ ...after, name: "y" }, ["create a", "delete a"]],
      [{ ...after, name: "y", uses: 1 }, ["update a"]],
    ] as const) {
      await stage.up(() => Thing("a", props, options));
      expect(world.news()).toEqual(calls);
    }
  });

  test("replaces nothing where the prop is ignored", async () => {
    const { world, Thing, stage } = newWorld();
    const options = { replaceOnChanges: ["value"], ignoreChanges: ["value"] };
    for (const value of [1, 2]) await stage.up(() => Thing("a", { value }, options));
    expect(world.calls).toEqual(["create a"]);
  });
});

describe("replaceOn of a type", () => {
  test.each([
    ["a nested prop", "value.zone", { value: { zone: 1, size: 1 } }, { value: { zone: 2, size: 1 } }],
    ["a nested prop, by pointer", "/value/a.b", { value: { "a.b": 1, size: 1 } }, { value: { "a.b": 2, size: 1 } }],
    ["a member of any element", "value.*.type", { value: [{ type: 1 }] }, { value: [{ type: 2 }] }],
  ] as const)("may name %s, whose change replaces where one beside it updates", async (_what, path, before, after) => {
    const { world, Thing, stage } = newWorld({ replaceOn: [path] });
    await stage.up(() => Thing("a", before));
    await stage.up(() => Thing("a", { ...before, uses: 1 }));
    expect(world.news()).toEqual(["create a", "update a"]);
    await stage.up(() => Thing("a", { ...after, uses: 1 }));
    expect(world.news()).toEqual(["create a", "delete a"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  });
});

describe("deleteBeforeReplace", () => {
  const first = { deleteBeforeReplace: true } as const;

  test("deletes the old copy, its children before it, and then creates the new one", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { name: "x" }, first));
    world.news();
    await stage.up(() => Thing("a", { name: "y" }, first));
    expect(world.calls).toEqual(["delete b", "delete a", "create a", "create b"]);
    expect(stage.summary).toEqual({ created: 1, replaced: 1, deleted: 2 });
  });

  test.each(["the update asks to be replaced", "the kind has changed"])("does so where %s", async (why) => {
    const { world, Thing, stage } = newWorld();
    const isAsked = why.startsWith("the update");
    const Next = isAsked ? Thing : world.type();
    await stage.up(() => Thing("a", { value: 1 }, first));
    world.on("update a", (context) => context.replace());
    world.news();
    await stage.up(() => Next("a", { value: 2 }, first));
    expect(world.calls).toEqual([...(isAsked ? ["update a"] : []), "delete a", "create a"]);
  });

  test("gives the new copy the physical name that the old one had", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    const names: string[] = [];
    world.on("create a", ({ physicalName }: HandlerBase) => void names.push(physicalName));
    for (const name of ["x", "y"]) await stage.up(() => Thing("a", { name }, first));
    expect(names).toEqual(["app-a-dev", "app-a-dev"]);
  });
});

describe("alwaysUpdate", () => {
  test.each([
    ["updates a resource that has not changed, on every up", {}, ["create a", "update a"]],
    ["updates one that is looked at from what is there", { verify: true }, ["create a", "read a", "update a"]],
    ["leaves one alone whose type has no update: it is no reason to replace it", { update: false }, ["create a"]],
  ])("%s", async (_what, type, calls) => {
    const { world, Thing, stage } = newWorld(type);
    for (let run = 0; run < 2; run++) await stage.up(() => Thing("a", { value: 1 }, { alwaysUpdate: true }));
    expect(world.calls).toEqual(calls);
    expect(stage.summary).toEqual(calls.includes("update a") ? { updated: 1 } : { skipped: 1 });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(stage.summary).toEqual({ skipped: 1 });
  });
});
