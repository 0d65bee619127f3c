import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("replaceOnChanges", () => {
  test.each([
    ["a prop", "value", { value: 1 }, { value: 2 }],
    ["a nested prop", "value.size", { value: { size: 1 } }, { value: { size: 2 } }],
    ["a nested prop, by pointer", "/value/size", { value: { size: 1 } }, { value: { size: 2 } }],
    ["a member of any element", "value.*.port", { value: [{ port: 1 }] }, { value: [{ port: 2 }] }],
  ])("replaces a resource for %s, in addition to what its type names", async (_what, path, before, after) => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    const options = { replaceOnChanges: [path] };
    await stage.up(() => Thing("a", before, options));
    await stage.up(() => Thing("a", after, options));
    expect(world.news()).toEqual(["create a", "create a", "delete a"]);
    await stage.up(() => Thing("a", { ...after, name: "y" }, options));
    expect(world.news()).toEqual(["create a", "delete a"]);
    await stage.up(() => Thing("a", { ...after, name: "y", uses: 1 }, options));
    expect(world.news()).toEqual(["update a"]);
  });

  test("replaces nothing where the prop is ignored", async () => {
    const { world, Thing, stage } = setUp();
    const options = { replaceOnChanges: ["value"], ignoreChanges: ["value"] };
    await stage.up(() => Thing("a", { value: 1 }, options));
    await stage.up(() => Thing("a", { value: 2 }, options));
    expect(world.calls).toEqual(["create a"]);
  });
});

describe("replaceOn of a type", () => {
  test.each([
    ["a nested prop", "value.zone", { value: { zone: 1, size: 1 } }, { value: { zone: 2, size: 1 } }],
    ["a nested prop, by pointer", "/value/a.b", { value: { "a.b": 1, size: 1 } }, { value: { "a.b": 2, size: 1 } }],
    ["a member of any element", "value.*.type", { value: [{ type: 1 }] }, { value: [{ type: 2 }] }],
  ] as const)("may name %s, whose change replaces where one beside it updates", async (_what, path, before, after) => {
    const { world, Thing, stage } = setUp({ replaceOn: [path] });
    await stage.up(() => Thing("a", before));
    await stage.up(() => Thing("a", { ...before, uses: 1 }));
    expect(world.news()).toEqual(["create a", "update a"]);
    await stage.up(() => Thing("a", { ...after, uses: 1 }));
    expect(world.news()).toEqual(["create a", "delete a"]);
  });
});

describe("deleteBeforeReplace", () => {
  const first = { deleteBeforeReplace: true } as const;

  test("deletes the old copy, its children before it, and then creates the new one", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { name: "x" }, first));
    world.news();
    await stage.up(() => Thing("a", { name: "y" }, first));
    expect(world.calls).toEqual(["delete b", "delete a", "create a", "create b"]);
    expect(stage.summary).toEqual({ created: 1, replaced: 1, deleted: 2 });
  });

  test("does so where the update asks to be replaced", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }, first));
    world.on("update a", (context) => context.replace());
    await stage.up(() => Thing("a", { value: 2 }, first));
    expect(world.calls).toEqual(["create a", "update a", "delete a", "create a"]);
  });

  test("does so where the kind has changed", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => Thing("a", {}, first));
    await stage.up(() => Other("a", {}, first));
    expect(world.calls).toEqual(["create a", "delete a", "create a"]);
  });

  test("gives the new copy the physical name that the old one had", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    const names: string[] = [];
    world.on("create a", ({ physicalName }) => void names.push(physicalName));
    await stage.up(() => Thing("a", { name: "x" }, first));
    await stage.up(() => Thing("a", { name: "y" }, first));
    expect(names).toEqual(["app-a-dev", "app-a-dev"]);
  });

  test("creates nothing where the old copy cannot be deleted, and goes on there in the next up", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }, first));
    world.fails("delete a");
    expect(await stage.failures(() => Thing("a", { name: "y" }, first))).toMatchObject([{ code: "HANDLER_FAILED" }]);
    expect(world.names).toEqual(["a#1"]);
    world.calm();
    await stage.up(() => Thing("a", { name: "y" }, first));
    expect(world.names).toEqual(["a#2"]);
  });
});

describe("alwaysUpdate", () => {
  const always = { alwaysUpdate: true } as const;

  test("updates a resource that has not changed, on every up", async () => {
    const { world, Thing, stage } = setUp();
    for (let run = 0; run < 3; run++) await stage.up(() => Thing("a", { value: 1 }, always));
    expect(world.calls).toEqual(["create a", "update a", "update a"]);
    expect(stage.summary).toEqual({ updated: 1 });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("updates one that is looked at from what is there", async () => {
    const { world, Thing, stage } = setUp({ verify: true });
    for (let run = 0; run < 2; run++) await stage.up(() => Thing("a", { value: 1 }, always));
    expect(world.calls).toEqual(["create a", "read a", "update a"]);
  });

  test("leaves one alone whose type has no update: it is no reason to replace it", async () => {
    const { world, Thing, stage } = setUp({ update: false });
    for (let run = 0; run < 2; run++) await stage.up(() => Thing("a", { value: 1 }, always));
    expect(world.calls).toEqual(["create a"]);
  });
});
