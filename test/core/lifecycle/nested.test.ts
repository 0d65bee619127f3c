import { describe, expect, test } from "vitest";
import { failuresOf, recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

describe.each([{ short: true }, { short: false }])("a resource declared in a handler ($short)", ({ short }) => {
  test("belongs to the resource: name, parent, physical name", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    const names: string[] = [];
    world.on("create b", ({ physicalName, scope, id }) => void names.push(physicalName, scope.createPhysicalName(id)));
    world.on("create a", async () => {
      const { thing } = await Thing("b", { value: 1 });
      names.push(thing);
    });
    const app = await stage.up(() => Thing("a"));
    expect(names).toEqual(["app-a-b-dev", "app-a-b-dev", "b#1"]);
    expect(recordOf(app, "a/b")?.parent).toBe(recordOf(app, "a")?.uid);
    expect(app.children.get("a")?.resources.get("b")?.fqn).toBe("app/dev/a/b");
  });

  test("is left alone while its parent is skipped", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "create b"]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is pruned when its parent's handler runs and no longer declares it", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    await stage.up(() => Thing("a"));
    world.on("update a", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "create b", "create c", "update a", "delete b"]);
  });

  test("goes before its parent", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    world.on("create b", async () => void (await Thing("c")));
    world.on("create c", async () => void (await Thing("d")));
    await stage.up(() => Thing("a"));
    world.news();
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.calls).toEqual(["delete d", "delete c", "delete b", "delete a"]);
  });
});

describe("children", () => {
  test("three deep are found, updated and pruned at their depth", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    let value = 1;
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, async () => void (await Thing("b", { value })));
      world.on(`${phase} b`, async () => void (await Thing("c", { value })));
      world.on(`${phase} c`, async () => void (value < 3 && (await Thing("d", { value }))));
    }
    await stage.up(() => Thing("a", { value }));
    expect(world.news()).toEqual(["create a", "create b", "create c", "create d"]);
    expect(
      [...world.things.values()]
        .map(({ fqn }) => fqn)
        .sort()
        .at(-1),
    ).toBe("app/dev/a/b/c/d");
    value = 2;
    await stage.up(() => Thing("a", { value }));
    expect(world.news()).toEqual(["update a", "update b", "update c", "update d"]);
    value = 3;
    await stage.up(() => Thing("a", { value }));
    expect(world.news()).toEqual(["update a", "update b", "update c", "delete d"]);
  });

  test("in a scope that the handler runs belong to the resource too", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => void (await stage.engine.run("s", async () => await Thing("b"))));
    const app = await stage.up(() => Thing("a"));
    expect(recordOf(app, "a/s/b")).toMatchObject({ parent: recordOf(app, "a")?.uid, physicalName: "app-a-s-b-dev" });
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "create b"]);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b"]);
  });

  test("of a replaced parent go with the old copy, and the new one has its own", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    world.on("create b", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { name: "x" }));
    const app = await stage.open();
    await app.run(() => Thing("a", { name: "y" }));
    expect(world.names).toEqual(["a#3", "a#6", "b#2", "b#5", "c#1", "c#4"]);
    world.news();
    await app.finalize();
    expect(world.news()).toEqual(["delete c", "delete b", "delete a"]);
    const uids = new Set([...world.things.values()].map(({ uid }) => uid));
    expect(
      recordsOf(app)
        .map(({ uid }) => uid)
        .sort(),
    ).toEqual([...uids].sort());
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("declared before the handler asks to be replaced go with the old copy, each once", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    for (const phase of ["create", "update"]) world.on(`${phase} b`, async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    world.on("update a", async (context) => {
      await Thing("b", { value: 2 });
      context.replace();
    });
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual([
      "update a",
      "update b",
      "create a",
      "create b",
      "create c",
      "delete c",
      "delete b",
      "delete a",
    ]);
    expect(
      recordsOf(app)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["a", "a/b", "a/b/c"]);
    expect(world.things.size).toBe(3);
  });

  test("not awaited when the handler asks to be replaced are waited for", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    world.on("update a", (context) => {
      Thing("b", { value: 2 });
      context.replace(true);
    });
    world.on("update b", () => void Thing("c"));
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls.slice(3, 6).sort()).toEqual(["delete a", "delete b", "delete c"]);
    expect(world.calls.slice(6)).toEqual(["create a", "create b"]);
    expect(recordsOf(app)).toHaveLength(2);
    expect(world.things.size).toBe(2);
  });

  test("no longer declared are pruned later if the run that dropped them failed", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.failures(async () => {
      await Thing("a", { value: 2 });
      throw new Error("not all");
    });
    world.news();
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["delete b"]);
    expect(recordsOf(app).map(({ key }) => key)).toEqual(["a"]);
  });

  test("no longer declared and declared again before they were pruned stay", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }), { noop: true });
    world.on("update a", async () => void (await Promise.all([Thing("b"), Thing("c", { value: 2 })])));
    await stage.up(() => Thing("a", { value: 3 }));
    await stage.up(() => Thing("a", { value: 3 }));
    expect(world.calls).toEqual(["create a", "create b", "create c", "update a", "update a", "update c"]);
  });

  test("of a handler that failed are taken up by its next attempt", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.on("create a", async () => {
      await Thing("b");
      throw new Error("half-way");
    });
    await failuresOf(stage.up(() => Thing("a")));
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    const app = await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "create b", "create a", "create c"]);
    expect(recordsOf(app)).toHaveLength(3);
  });

  test("that fail fail their parent with their own error, told once", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    world.fails("create b");
    world.on("create a", async () => void (await Thing("b")));
    const errors = await stage.failures(() => Thing("a"));
    expect(errors).toMatchObject([
      { fqn: "app/dev/a/b" },
      { fqn: "app/dev/a", message: expect.stringContaining("no create b") },
    ]);
  });
});
