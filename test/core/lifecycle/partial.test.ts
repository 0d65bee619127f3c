import { describe, expect, test } from "vitest";
import { Scope } from "../../../core/contract/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

/** How a handler may leave something to be done when it has succeeded. */
const ways = {
  "declares it and does not wait": (declare: () => PromiseLike<unknown>) => void declare().then(null, () => {}),
  "defers it": (declare: () => PromiseLike<unknown>) => void Scope.current.defer(() => declare()),
} as const;

describe.each(Object.entries(ways))("a resource whose handler makes a part, and %s", (_name, leave) => {
  function nest(options: TypeOptions = {}) {
    const parts = setUp(options);
    const { world, Thing } = parts;
    const part = (): void => leave(() => Thing("b"));
    for (const phase of ["create", "update"]) world.on(`${phase} a`, part);
    return parts;
  }

  test("is settled with its part, in the same run", async () => {
    const { world, Thing, stage } = nest();
    const app = await stage.up(() => Thing("a"));
    expect(recordOf(app, "a")).toMatchObject({ status: "ready" });
    expect(recordOf(app, "a")?.lastGood).toBeUndefined();
    expect(world.news()).toEqual(["create a", "create b"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is called again in the next run where the part has failed", async () => {
    const { world, Thing, stage } = nest();
    world.fails("create b");
    await stage.failures(() => Thing("a"));
    world.calm("create b");
    world.news();
    const app = await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
    expect(["a", "a/b"].map((key) => recordOf(app, key)?.status)).toEqual(["ready", "ready"]);
  });

  test("is settled, too, where the part is deleted before it is made anew", async () => {
    const { world, stage } = setUp();
    const [Whole, Part] = [world.type(), world.type({ replaceOn: ["name"] })];
    let name = "one";
    const part = (): void => leave(() => Part("b", { name }, { deleteBeforeReplace: true }));
    for (const phase of ["create", "update"]) world.on(`${phase} a`, part);
    await stage.up(() => Whole("a", { value: 1 }));
    name = "two";
    world.news();
    const app = await stage.up(() => Whole("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b", "create b"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready" });
    await stage.up(() => Whole("a", { value: 2 }));
    expect(world.news()).toEqual([]);
  });

  test("keeps the part that it has where the run ends before that is declared again", async () => {
    const { world, Thing, stage } = nest();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", () => void Scope.current.defer(() => Thing("b")));
    const app = await stage.open();
    await app.run(() => Thing("a", { value: 2 }));
    // As where the program ends by itself: no deferred function runs.
    await app[Symbol.asyncDispose]();
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a"]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("is as done as it can be where its type cannot update it", async () => {
    const { world, Thing, stage } = nest({ update: false });
    world.fails("create b");
    await stage.failures(() => Thing("a"));
    world.news();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("is called again with all that it is a part of itself", async () => {
    const { world, Thing, stage } = nest();
    for (const phase of ["create", "update"]) world.on(`${phase} top`, async () => void (await Thing("a")));
    world.fails("create b");
    await stage.failures(() => Thing("top"));
    world.calm("create b");
    world.news();
    await stage.up(() => Thing("top"));
    expect(world.news()).toEqual(["update top", "update a", "create b"]);
    await stage.up(() => Thing("top"));
    expect(world.news()).toEqual([]);
  });
});

describe("a resource whose handler goes on when a part has failed", () => {
  test("is called again in the next run", async () => {
    const { world, Thing, stage } = setUp();
    for (const phase of ["create", "update"])
      world.on(`${phase} a`, async () => void (await Thing("b").catch(() => {})));
    world.fails("create b");
    await stage.failures(() => Thing("a"));
    world.calm("create b");
    world.news();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
  });
});

describe("the plan of a resource that is not whole", () => {
  test("says so", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b").catch(() => {})));
    world.fails("create b");
    await stage.failures(() => Thing("a"));
    const plan = await stage.engine.plan("app", { stage: "dev", argv: [], env: {}, stateStore: stage.store }, () =>
      Thing("a"),
    );
    expect(plan.actions).toMatchObject([
      {
        action: "update",
        reason: expect.stringMatching(
          /^not whole since .*: its create was interrupted, or a part of it is missing or was not finished$/,
        ),
      },
    ]);
  });
});

describe("a resource that is made whole by a function that its handler defers", () => {
  test("is called again where that function has failed by itself", async () => {
    const { world, Thing, stage } = setUp();
    let calls = 0;
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, () => {
        const late = (): void => {
          if (++calls === 1) throw new Error("busy");
        };
        void Scope.current.defer(late);
      });
    }
    await stage.failures(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "update a"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });
});
