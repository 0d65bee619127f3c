import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withResolvers } from "../../../core/base/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, recordsOf, type Stage } from "../../helpers/apps/stage.js";

describe.each([{ short: true }, { short: false }])("a resource declared in a handler ($short)", ({ short }) => {
  test("belongs to the resource: name, parent, physical name", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const names: string[] = [];
    world.on("create b", ({ physicalName, scope, id }) => void names.push(physicalName, scope.createPhysicalName(id)));
    world.on("create a", async () => {
      const { thing } = await Thing("b", { value: 1 });
      names.push(thing);
    });
    const app = await stage.up(() => Thing("a"));
    expect(names).toEqual(["app-a-b-dev", "app-a-b-dev", "b#1"]);
    expect(stage.record("a/b")?.parent).toBe(stage.record("a")?.uid);
    expect(app.children.get("a")?.resources.get("b")?.fqn).toBe("app/dev/a/b");
  });

  test("is left alone while its parent is skipped, and pruned when the parent's handler no longer declares it", async () => {
    const { world, Thing, stage } = newWorld({ short });
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "create b", "create c"]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    world.on("update a", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b"]);
  });
});

describe("children", () => {
  test("in a scope of their handler alone keep the options of that scope", async () => {
    const { world, Thing, stage } = newWorld();
    const inScope = (fn: () => unknown) =>
      stage.engine.run("s", { destroyOrphans: false }, async () => void (await fn()));
    world.on("create a", () => inScope(() => Promise.all([Thing("b"), Thing("c")])));
    world.on("update a", () => inScope(() => Thing("b")));
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "create b", "create c", "update a"]);
  });

  test("three deep are found, updated and pruned at their depth", async () => {
    const { world, Thing, stage } = newWorld();
    let value = 1;
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, async () => void (await Thing("b", { value })));
      world.on(`${phase} b`, async () => void (await Thing("c", { value })));
      world.on(`${phase} c`, async () => void (value < 3 && (await Thing("d", { value }))));
    }
    for (const [now, calls] of [
      [1, ["create a", "create b", "create c", "create d"]],
      [2, ["update a", "update b", "update c", "update d"]],
      [3, ["update a", "update b", "update c", "delete d"]],
    ] as const) {
      value = now;
      await stage.up(() => Thing("a", { value }));
      expect(world.news()).toEqual(calls);
      if (now === 1) expect(world.things.get("d#1")?.fqn).toBe("app/dev/a/b/c/d");
    }
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.news()).toEqual(["delete c", "delete b", "delete a"]);
  });

  test("in a scope that the handler runs belong to the resource too", async () => {
    const { world, Thing, stage, run } = newWorld();
    world.on("create a", async () => void (await run("s", async () => await Thing("b"))));
    await stage.up(() => Thing("a"));
    const parent = stage.record("a")?.uid;
    expect(stage.record("a/s/b")).toMatchObject({ parent, physicalName: "app-a-s-b-dev" });
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "create b"]);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b"]);
  });

  test("of a replaced parent go with the old copy, and the new one has its own", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("b")));
    world.on("create b", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { name: "x" }));
    const app = await stage.open();
    await app.run(() => Thing("a", { name: "y" }));
    expect(world.names).toEqual(["a#3", "a#6", "b#2", "b#5", "c#1", "c#4"]);
    world.news();
    await app.finalize();
    expect(world.news()).toEqual(["delete c", "delete b", "delete a"]);
    const uids = [...world.things.values()].map(({ uid }) => uid);
    expect(recordsOf(app).map(({ uid }) => uid)).toEqual(expect.arrayContaining(uids));
    expect(recordsOf(app)).toHaveLength(uids.length);
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("declared before the handler asks to be replaced go with the old copy, each once", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", async () => void (await Thing("b")));
    for (const phase of ["create", "update"]) world.on(`${phase} b`, async () => void (await Thing("c")));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    world.on("update a", async (context) => {
      await Thing("b", { value: 2 });
      context.replace();
    });
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls.slice(0, 5)).toEqual(["update a", "update b", "create a", "create b", "create c"]);
    expect(world.calls.slice(5)).toEqual(["delete c", "delete b", "delete a"]);
    expect(stage.keys).toEqual(["a", "a/b", "a/b/c"]);
    expect(world.things.size).toBe(3);
  });

  test("not awaited when the handler asks to be replaced are waited for", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    world.on("update a", (context) => {
      Thing("b", { value: 2 });
      context.replace(true);
    });
    world.on("update b", () => void Thing("c"));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls.slice(3, 6).sort()).toEqual(["delete a", "delete b", "delete c"]);
    expect(world.calls.slice(6)).toEqual(["create a", "create b"]);
    expect(stage.keys).toHaveLength(2);
    expect(world.things.size).toBe(2);
  });

  test("no longer declared are pruned later if the run that dropped them failed", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.failures(async () => {
      await Thing("a", { value: 2 });
      throw new Error("not all");
    });
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect([world.calls, stage.keys]).toEqual([["delete b"], ["a"]]);
  });

  test("that fail fail their parent with their own error, told once", async () => {
    const { world, Thing, failed } = newWorld();
    world.on("create a", async () => void (await Thing("b")));
    const message = expect.stringContaining("no create b");
    expect(await failed("create b", () => Thing("a"))).toMatchObject([
      { fqn: "app/dev/a/b" },
      { fqn: "app/dev/a", message },
    ]);
  });
});

/** A call that would wait for its own handler is refused at once. */
test.each<[string, (stage: Stage, app: Scope) => Promise<unknown>]>([
  ["finalize()", (_, app) => app.finalize()],
  ["engine.destroy()", (stage, app) => stage.engine.destroy(app)],
])("%s of the app in a handler", async (call, ask) => {
  const { world, Thing, stage } = newWorld();
  const failures = await stage.failures((app) => {
    world.on("create a", async () => void (await ask(stage, app)));
    return Thing("a");
  });
  const message = expect.stringContaining(`${call} was called by the handler of "app/dev/a"`);
  expect(failures).toMatchObject([{ code: "INVALID_CALL", fqn: "app/dev/a", message }]);
});

test("finalize() of a scope in a handler of a resource in it, but not of the resource's own scope", async () => {
  const { world, Thing, stage } = newWorld();
  let refused: unknown;
  world.on("create a", async () => {
    await Thing("child");
    await stage.engine.run("own", (own) => own.finalize());
    refused = await scope?.finalize().catch((error: unknown) => error);
  });
  let scope: Scope | undefined;
  await stage.up(() =>
    stage.engine.run("s", async (mine) => {
      scope = mine;
      await Thing("a");
    }),
  );
  expect(refused).toMatchObject({ code: "INVALID_CALL" });
  expect(world.names).toHaveLength(2);
});

test("itself, by its kind and id; another kind may have its id", async () => {
  const { world, Thing, stage } = newWorld();
  const Other = world.type();
  world.on("create a", async () => void (await Thing("a")));
  expect(await failuresOf(stage.up(() => Thing("a")))).toMatchObject([
    { code: "INVALID_CALL", fqn: "app/dev/a", message: expect.stringContaining("a child of the same kind") },
  ]);
  world.calm();
  world.on("create b", async ({ fqn }) => void (fqn === "app/dev/b" && (await Other("b"))));
  await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
  expect(world.names).toHaveLength(3);
});

test("a failed declaration blocks a delete, because one of its promises resolves later", async () => {
  const { world, Thing, stage } = newWorld();
  const up = stage.up(async () => {
    const x = await Thing("x");
    const late = withResolvers<unknown>();
    const props = { value: Promise.reject(new Error("no value")), tags: late.promise };
    await Promise.allSettled([Thing("t", props as never)]);
    late.resolve(x);
    await nextTurn();
    await stage.engine.destroy(x);
  });
  await expect(up).rejects.toThrow("no value");
  expect(world.calls).toEqual(["create x", "delete x"]);
});

test("a parallel destroy with taps that wait for each other does not end", async () => {
  const asked = withResolvers<void>();
  let count = 0;
  const together = definePlugin({
    name: "together",
    apply: ({ hooks }) =>
      hooks.beforeDelete.tapPromise("together", async () => {
        if (++count === 12) asked.resolve();
        await asked.promise;
      }),
  });
  const { world, Thing, stage } = newWorld();
  const options = { concurrency: 1, destroyStrategy: "parallel", plugins: [together] } as const;
  await stage.up(() => Promise.all(Array.from({ length: 12 }, (_, index) => Thing(`r${index}`))));
  await stage.up(() => {}, { ...options, phase: "destroy" });
  expect(world.calls.filter((call) => call.startsWith("delete"))).toHaveLength(12);
});
