import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.js";
import type { Props, TypeOptions } from "../../helpers/apps/world.js";

const protect = { protect: true } as const;
const refusal = (fqn: string, what: string) => ({
  code: "PROTECTED",
  fqn,
  message: expect.stringMatching(new RegExp(`"${fqn}" is protected.*not ${what}.*\\{ protect: false \\}`)),
});
const setUp = () => newWorld({ replaceOn: ["name"] });

describe("a protected resource is not deleted", () => {
  test("by engine.destroy(), and nothing else of the scope is", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async (app) => {
      await Thing("a", {}, protect);
      await Thing("b");
      await expect(destroy(app)).rejects.toMatchObject(refusal("app/dev/a", "deleted"));
    });
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("by a prune, and neither is anything else that the program dropped, until an up declares it without", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => [Thing("a", {}, protect), Thing("b")]);
    for (let run = 0; run < 2; run++) {
      expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
    }
    expect(world.names).toEqual(["a#1", "b#2"]);
    await stage.up(() => Thing("a"));
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("by the phase destroy, and neither is anything else of the stage", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async (app) => {
      await app.set("key", "value");
      Thing("a", {}, protect);
      Thing("b", {}, protect);
      Thing("c");
    });
    const refusals = [refusal("app/dev/a", "deleted"), refusal("app/dev/b", "deleted")];
    expect(await failuresOf(stage.destroy())).toMatchObject(refusals);
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
    const first = recordsOf(await stage.up(() => declare(before)));
    if (handler) world.on("update a", (context) => context.replace());
    expect(await stage.failures(() => declare(after))).toMatchObject([refusal("app/dev/a", "replaced")]);
    expect(recordsOf(stage.app)).toEqual(first);
    expect(world.names).toEqual(["a#1"]);
    world.calm();
    world.news();
    await stage.up(() => declare(before));
    expect(world.calls).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 1 });
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
  test("is set, and lifted, by runs that change nothing else, each with one write", async () => {
    const { world, Thing, stage } = setUp();
    const isProtected = async (options: object): Promise<unknown> => {
      await stage.up(() => Thing("a", {}, options));
      return stage.record("a")?.protect;
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
    const { world, Thing, stage, failed } = newWorld(type);
    await stage.up(() => Thing("a"));
    if (what.includes("delete")) await failed("delete a", () => {}, { phase: "destroy" });
    await failed("read a", () => Thing("a", props, protect));
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is not lifted by a declaration that fails", async () => {
    const { Thing, stage, failed } = newWorld({ read: true, verify: true });
    await stage.up(() => Thing("a", {}, protect));
    await failed("read a", () => Thing("a", { value: 1 }));
    expect(await stage.failures(() => {})).toMatchObject([refusal("app/dev/a", "deleted")]);
  });

  test("is not recorded by a declaration that a plugin has vetoed", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    await stage.failures((app) => {
      app.hooks.beforeApply.tap("no", ({ veto }) => veto("no"));
      return Thing("a", { value: 1 }, protect);
    });
    expect(stage.record("a")?.protect).toBeUndefined();
  });

  test("does not keep a copy that was replaced before: its successor has it", async () => {
    const { world, Thing, stage, failed } = setUp();
    await stage.up(() => Thing("a", { name: "x" }));
    await failed("delete a", () => Thing("a", { name: "y" }));
    await stage.up(() => Thing("a", { name: "y" }, protect));
    expect(world.names).toEqual(["a#2"]);
  });

  test("does not keep it from being updated, and is kept by that", async () => {
    const { Thing, stage } = setUp();
    for (const value of [1, 2]) await stage.up(() => Thing("a", { value }, protect));
    expect(stage.record("a")?.protect).toBe(true);
    expect(stage.summary).toEqual({ updated: 1 });
  });
});

async function unprotecting() {
  const { world, Thing, stage } = newWorld();
  await stage.up(async () => {
    for (const id of ["a", "b"]) await Thing(id, {}, protect);
    await Thing("c");
  });
  return { world, open: (options: object) => stage.open({ ...options, unprotect: true }) };
}

test("a protected resource can be deleted only by a change of its program", async () => {
  const { world, open } = await unprotecting();
  await open({ phase: "destroy", target: ["app/dev/a"] });
  expect(world.names).toEqual(["b#2", "c#3"]);
});

test.each([
  ["a wildcard", ["app/dev/*"]],
  ["the name of another", ["app/dev/a", "**/b"]],
])("unprotect lifts protection by %s", async (_what, target) => {
  const { world, open } = await unprotecting();
  await expect(open({ phase: "destroy", target })).rejects.toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ code: "PROTECTED", fqn: "app/dev/b" })]),
  });
  expect(world.names).toEqual(["a#1", "b#2", "c#3"]);
});

test.each([{ phase: "destroy" }, { phase: "up", target: ["app/dev/a"] }])(
  "unprotect unprotects a whole stage, or a run that only prunes: %o",
  async (options) => {
    await expect((await unprotecting()).open(options)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("engine destroy --target"),
    });
  },
);
