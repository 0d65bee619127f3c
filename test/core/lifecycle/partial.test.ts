import { describe, expect, test } from "vitest";
import { Scope } from "../../../core/contract/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

/** How a handler may leave something to be done when it has succeeded. */
const ways = {
  "declares it and does not wait": (declare: () => PromiseLike<unknown>) => void declare().then(null, () => {}),
  "defers it": (declare: () => PromiseLike<unknown>) => void Scope.current.defer(() => declare()),
} as const;

/** The handlers of "a" do so. */
function setUp(inHandler: (there: NewWorld) => unknown, type: TypeOptions = {}) {
  const there = newWorld(type);
  for (const phase of ["create", "update"]) there.world.on(`${phase} a`, async () => void (await inHandler(there)));
  return there;
}

describe.each(Object.entries(ways))("a resource whose handler makes a part, and %s", (_name, leave) => {
  const nest = (type?: TypeOptions) => setUp(({ Thing }) => leave(() => Thing("b")), type);

  test("is settled with its part, in the same run", async () => {
    const { world, Thing, stage } = nest();
    await stage.up(() => Thing("a"));
    expect(stage.record("a")).toMatchObject({ status: "ready", lastGood: undefined });
    expect(world.news()).toEqual(["create a", "create b"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is called again in the next run where the part has failed", async () => {
    const { world, Thing, stage, failed } = nest();
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
    expect(["a", "a/b"].map((key) => stage.record(key)?.status)).toEqual(["ready", "ready"]);
  });

  test("is settled, too, where the part is deleted before it is made anew", async () => {
    let name = "one";
    const { world, Thing, stage } = setUp(({ Thing: Part }) =>
      leave(() => Part("b", { name }, { deleteBeforeReplace: true, replaceOnChanges: ["name"] })),
    );
    await stage.up(() => Thing("a", { value: 1 }));
    name = "two";
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b", "create b"]);
    expect(stage.record("a")).toMatchObject({ status: "ready" });
    await stage.up(() => Thing("a", { value: 2 }));
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
    const { world, Thing, stage, failed } = nest({ update: false });
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("is called again with all that it is a part of itself", async () => {
    const { world, Thing, stage, failed } = nest();
    for (const phase of ["create", "update"]) world.on(`${phase} top`, async () => void (await Thing("a")));
    await failed("create b", () => Thing("top"));
    for (const calls of [["update top", "update a", "create b"], []]) {
      await stage.up(() => Thing("top"));
      expect(world.news()).toEqual(calls);
    }
  });
});

describe("a resource that is not whole", () => {
  const caught = () => setUp(({ Thing }) => Thing("b").catch(() => {}));

  test("because its handler goes on when a part has failed is called again in the next run", async () => {
    const { world, Thing, stage, failed } = caught();
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
  });

  test("has a plan that says so", async () => {
    const { Thing, stage, failed } = caught();
    await failed("create b", () => Thing("a"));
    const plan = await stage.plan(() => Thing("a"));
    const reason = /^not whole since .*: its create was interrupted, or a part of it is missing or was not finished$/;
    expect(plan.actions).toMatchObject([{ action: "update", reason: expect.stringMatching(reason) }]);
  });

  test("because a function that its handler defers has failed by itself is called again", async () => {
    let calls = 0;
    const late = (): void => {
      if (++calls === 1) throw new Error("busy");
    };
    const { world, Thing, stage } = setUp(() => void Scope.current.defer(late));
    await stage.failures(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "update a"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });
});
