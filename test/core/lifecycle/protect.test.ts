import { describe, expect, test } from "vitest";
import { failuresOf, recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type Props, type TypeOptions, World } from "../../helpers/apps/world.js";

const protect = { protect: true } as const;
const destroying = { phase: "destroy" } as const;
const refusal = (fqn: string, what: string) => ({
  code: "PROTECTED",
  fqn,
  message: expect.stringMatching(new RegExp(`"${fqn}" is protected.*not ${what}.*\\{ protect: false \\}`)),
});

function setUp() {
  const world = new World();
  return { world, Thing: world.type({ replaceOn: ["name"] }), stage: new Stage() };
}

describe("a protected resource is not deleted", () => {
  test("by engine.destroy(), and nothing else of the scope is", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    await app.run(async () => {
      await Thing("a", {}, protect);
      await Thing("b");
      await expect(stage.engine.destroy(app)).rejects.toMatchObject(refusal("app/dev/a", "deleted"));
    });
    await app.finalize();
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("by a prune, and neither is anything else that the program dropped", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => [Thing("a", {}, protect), Thing("b")]);
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
    expect(world.names).toEqual(["a#1", "b#2"]);
    expect(world.calls).not.toContain("delete b");
  });

  test("by the phase destroy, and neither is anything else of the stage", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async (app) => {
      await app.set("key", "value");
      Thing("a", {}, protect);
      Thing("b", {}, protect);
      Thing("c");
    });
    expect(await failuresOf(stage.open(destroying))).toMatchObject([
      refusal("app/dev/a", "deleted"),
      refusal("app/dev/b", "deleted"),
    ]);
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false }]);
    expect(world.names).toEqual(["a#1", "b#2", "c#3"]);
    const app = await stage.up(() => [Thing("a"), Thing("b"), Thing("c")]);
    expect(await app.run(() => app.get("key"))).toBe("value");
    await app.finalize();
  });

  test("with its parent, whatever that says of itself", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b", {}, protect)));
    await stage.up(() => Thing("a"));
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a/b", "deleted")]);
    expect(await stage.failures(() => Thing("a", { name: "y" }))).toMatchObject([refusal("app/dev/a/b", "deleted")]);
    expect(world.names).toEqual(["a#2", "b#1"]);
  });
});

describe("a protected resource is not replaced", () => {
  const [before, after]: [Props, Props] = [{ name: "x" }, { name: "y" }];

  test.each([
    { by: "a prop of its type", options: {}, handler: false },
    { by: "a prop of its options", options: { replaceOnChanges: ["value"] }, handler: false },
    { by: "its update", options: {}, handler: true },
  ])("by $by, and all is as before", async ({ options, handler }) => {
    const { world, stage } = setUp();
    const Thing = world.type({ replaceOn: handler || "replaceOnChanges" in options ? [] : ["name"] });
    const declare = (props: Props) => Thing("a", { ...props, value: props.name }, { ...protect, ...options });
    const first = recordOf(await stage.up(() => declare(before)), "a");
    if (handler) world.on("update a", (context) => context.replace());
    const app = await stage.open();
    await expect(app.run(() => declare(after))).rejects.toMatchObject(refusal("app/dev/a", "replaced"));
    await expect(app.finalize()).rejects.toThrow();
    expect(recordsOf(app)).toEqual([first]);
    expect(world.names).toEqual(["a#1"]);
    world.calm();
    world.news();
    await stage.up(() => declare(before));
    expect(world.calls).toEqual([]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("by another kind", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => Thing("a", {}, protect));
    expect(await stage.failures(() => Other("a", {}, protect))).toMatchObject([refusal("app/dev/a", "replaced")]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("but is by a declaration that protects it no more", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", before, protect));
    await stage.up(() => Thing("a", after));
    expect(world.names).toEqual(["a#2"]);
  });
});

describe("protection", () => {
  test("holds for a resource that the program has dropped, until an up declares it without", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, protect));
    for (let run = 0; run < 2; run++) await failuresOf(stage.up());
    expect(world.names).toEqual(["a#1"]);
    await stage.up(() => Thing("a"));
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("is set, and lifted, by runs that change nothing else, each with one write", async () => {
    const { world, Thing, stage } = setUp();
    const isProtected = async (options: object): Promise<unknown> => {
      const app = await stage.up(() => Thing("a", {}, options));
      return recordOf(app, "a")?.protect;
    };
    await isProtected({});
    world.news();
    for (const [options, expected] of [
      [protect, true],
      [{}, undefined],
    ] as const) {
      expect(await isProtected(options)).toBe(expected);
      expect(stage.heard("state:committed").reduce((sum, { changes }) => sum + changes, 0)).toBe(1);
      expect(await isProtected(options)).toBe(expected);
      expect(stage.heard("state:committed")).toEqual([]);
    }
    expect(world.calls).toEqual([]);
  });

  test.each<[what: string, type: TypeOptions, props: Props]>([
    ["an update that has to look first, and cannot", { read: true, verify: true }, { value: 1 }],
    ["a replacement that it refuses", { replaceOn: ["name"] }, { name: "other" }],
    ["a declaration that a failed delete leaves unresolved", { update: false }, {}],
  ])("is recorded by %s, so a run that drops the resource does not delete it", async (what, type, props) => {
    const world = new World();
    const Thing = world.type(type);
    const stage = new Stage();
    await stage.up(() => Thing("a"));
    if (what.includes("delete")) {
      world.fails("delete a", "403");
      await stage.failures(() => {}, destroying);
    }
    world.fails("read a", "403");
    await stage.failures(() => Thing("a", props, protect));
    world.calm();
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is not lifted by a declaration that fails", async () => {
    const world = new World();
    const Thing = world.type({ read: true, verify: true });
    const stage = new Stage();
    await stage.up(() => Thing("a", {}, protect));
    world.fails("read a", "403");
    await stage.failures(() => Thing("a", { value: 1 }));
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
  });

  test("is not recorded by a declaration that a plugin has vetoed", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const app = await stage.open();
    app.hooks.beforeApply.tap("no", ({ veto }) => veto("no"));
    await app.run(() => Thing("a", { value: 1 }, protect)).catch(() => {});
    expect(recordOf(app, "a")?.protect).toBeUndefined();
    await app.finalize().catch(() => {});
  });

  test("does not keep a copy that was replaced before: its successor has it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("delete a");
    await stage.failures(() => Thing("a", { name: "y" }));
    world.calm();
    await stage.up(() => Thing("a", { name: "y" }, protect));
    expect(world.names).toEqual(["a#2"]);
  });

  test("does not keep it from being updated, and is kept by that", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }, protect));
    const app = await stage.up(() => Thing("a", { value: 2 }, protect));
    expect(recordOf(app, "a")?.protect).toBe(true);
    expect(stage.summary).toEqual({ updated: 1 });
  });
});
