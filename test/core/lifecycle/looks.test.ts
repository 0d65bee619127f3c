/** Looking at a finalized app: `app.run()` begins a generation, which declares nothing. */

import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp() {
  const world = new World();
  const Thing = world.type();
  const stage = new Stage();
  const finalized = () =>
    stage.up(async () => {
      await Thing("db");
      await Thing("bucket");
    });
  return { world, Thing, stage, finalized };
}

describe("a finalized app that is only looked at", () => {
  test("is deleted by no later finalize(), which says so", async () => {
    const { world, stage, finalized } = setUp();
    const app = await finalized();
    expect(await app.run((scope) => scope.has("db"))).toBe(true);
    stage.events = [];
    await app.finalize();
    expect(world.names).toEqual(["bucket#2", "db#1"]);
    expect(stage.heard("warning")).toMatchObject([
      {
        code: "NOTHING_DECLARED",
        message: expect.stringMatching(/"app\/dev".*2 resources.*finalize\(\{ empty: true \}\)/),
      },
    ]);
  });

  test("keeps everything also where it set data, entered a scope or ran a deferred function", async () => {
    const { world, stage, finalized } = setUp();
    const app = await finalized();
    await app.run(async (scope) => {
      await scope.set("looked", true);
      await stage.engine.run("child", () => {});
      void scope.defer(() => {});
    });
    await app.finalize();
    expect(world.names).toEqual(["bucket#2", "db#1"]);
  });

  test("keeps everything where a child scope is pruned by force", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.up(() => stage.engine.run("child", () => Thing("a")));
    await app.run(() => stage.engine.run("child", (child) => child.finalize({ force: true })));
    await app.finalize();
    expect(world.names).toEqual(["a#1"]);
    await app.run(() => stage.engine.run("child", (child) => child.finalize({ force: true, empty: true })));
    expect(world.names).toEqual([]);
    await app.finalize();
  });

  test("keeps old copies that wait to be deleted", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    const app = await stage.up(() => Thing("a", { name: "one" }));
    await app.run(() => Thing("a", { name: "two" }));
    await app.finalize({ noop: true });
    await app.run((scope) => scope.has("a"));
    await app.finalize();
    expect(world.names).toEqual(["a#1", "a#2"]);
    await app.run(() => Thing("a", { name: "two" }));
    await app.finalize();
    expect(world.names).toEqual(["a#2"]);
  });

  test("is emptied by finalize({ empty: true })", async () => {
    const { world, stage, finalized } = setUp();
    const app = await finalized();
    await app.run(() => {});
    stage.events = [];
    await app.finalize({ empty: true });
    expect(world.names).toEqual([]);
    expect(stage.heard("warning")).toEqual([]);
  });

  test("says nothing at the end of `await using`, and has succeeded", async () => {
    const { world, stage, finalized } = setUp();
    {
      await using app = await finalized();
      stage.events = [];
      await app.run((scope) => scope.set("looked", true));
    }
    expect(stage.heard("warning")).toEqual([]);
    expect(stage.heard("run:finished")).toMatchObject([{ ok: true, summary: { deleted: 0 } }]);
    expect(world.names).toEqual(["bucket#2", "db#1"]);
  });

  test("warns of deferred functions that did not run", async () => {
    const { stage, finalized } = setUp();
    {
      await using app = await finalized();
      stage.events = [];
      await app.run((scope) => void scope.defer(() => {}).catch(() => {}));
    }
    expect(stage.heard("warning")).toMatchObject([{ code: "NOT_FINALIZED" }]);
  });

  test("warns at the end of a function that has not come to declare anything yet", async () => {
    const { stage, finalized } = setUp();
    {
      await using app = await finalized();
      stage.events = [];
      void app.run(() => new Promise(() => {}));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stage.heard("warning")).toMatchObject([{ code: "NOT_FINALIZED" }]);
  });

  test("makes no second plan", async () => {
    const { world, Thing, stage, finalized } = setUp();
    await finalized();
    const app = await stage.up(() => Thing("db"), { plan: true });
    await app.run((scope) => scope.has("db"));
    await app.finalize();
    await app.run((scope) => scope.has("db"));
    await app[Symbol.asyncDispose]();
    expect(stage.heard("plan:made").map(({ actions }) => actions.map(({ action, id }) => `${action} ${id}`))).toEqual([
      ["delete bucket"],
    ]);
    expect(world.names).toEqual(["bucket#2", "db#1"]);
  });
});

describe("what is no look", () => {
  test("a first generation without declarations prunes", async () => {
    const { world, stage, finalized } = setUp();
    await finalized();
    await stage.up(() => {});
    expect(world.names).toEqual([]);
  });

  test("engine.up() without declarations prunes: a list of tenants may be empty", async () => {
    const { world, stage, finalized } = setUp();
    await finalized();
    await stage.upInOne(() => {});
    expect(world.names).toEqual([]);
  });

  test("a later generation prunes what it did not declare again", async () => {
    const { world, Thing, finalized } = setUp();
    const app = await finalized();
    await app.run((scope) => scope.has("db"));
    await app.run(() => Thing("db"));
    await app.finalize();
    expect(world.names).toEqual(["db#1"]);
  });

  test("a later generation prunes also where all that it declared was destroyed", async () => {
    const { world, Thing, stage, finalized } = setUp();
    const app = await finalized();
    await app.run(async () => {
      const db = Thing("db");
      await db;
      await stage.engine.destroy(db);
    });
    await app.finalize();
    expect(world.names).toEqual([]);
  });

  test("a later generation that declared something and is not finalized warns", async () => {
    const { Thing, stage, finalized } = setUp();
    {
      await using app = await finalized();
      stage.events = [];
      await app.run(() => Thing("db"));
    }
    expect(stage.heard("warning")).toMatchObject([{ code: "NOT_FINALIZED" }]);
  });
});
