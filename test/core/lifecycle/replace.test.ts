import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { afterDelete } from "./after-delete.js";

/** An update that asks to be replaced. */
const replaced = (deleteFirst?: boolean) => (context: HandlerBase) => context.replace(deleteFirst);

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("replacing a resource of $form", ({ short }) => {
  /** A resource "a" with this update. */
  async function setUp(update: (context: HandlerBase) => unknown) {
    const there = newWorld({ short });
    await there.stage.up(() => there.Thing("a", { value: 1 }));
    there.world.on("update a", (context) => update(context) as void);
    there.world.news();
    return { ...(await there), changed: () => there.Thing("a", { value: 2 }) };
  }

  test("creates the new one, and deletes the old one at finalize", async () => {
    const { world, stage, changed } = await setUp(replaced());
    const app = await stage.open();
    expect(await app.run(changed)).toEqual({ thing: "a#2", value: 2 });
    expect(world.news()).toEqual(["update a", "create a"]);
    expect(world.names).toEqual(["a#1", "a#2"]);
    await app.finalize();
    expect(world.news()).toEqual(["delete a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toHaveLength(1);
  });

  test("deletes the old one first where the handler says so", async () => {
    const { world, stage, changed } = await setUp(replaced(true));
    await stage.up(changed);
    expect(world.calls).toEqual(["update a", "delete a", "create a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  });

  test("happens although the handler catches everything", async () => {
    const { world, stage, changed } = await setUp((context) => {
      try {
        context.replace();
      } catch {
        // Like a handler that retries on any error.
      }
      return { thing: "made up", value: 0 };
    });
    await stage.up(changed);
    expect(world.calls).toEqual(["update a", "create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("cannot be asked for in a create or a delete", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const refused = { code: "INVALID_CALL", fqn: "app/dev/a", message: expect.stringMatching(/^this\.replace\(\)/) };
    world.on("create a", replaced());
    expect(await stage.failures(() => Thing("a"))).toMatchObject([refused]);
    world.calm();
    await stage.up(() => Thing("a"));
    world.on("delete a", replaced());
    expect(await stage.failures(() => {})).toMatchObject([{ code: "INVALID_CALL", fqn: "app/dev/a" }]);
  });
});

describe("replacing", () => {
  test("gives the new copy a uid and a token of its own, and says that it is a replacement", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    const seen: HandlerBase[] = [];
    for (const call of ["create a", "delete a"]) world.on(call, (context) => void seen.push(context));
    await stage.up(() => Thing("a", { name: "x" }));
    await stage.up(() => Thing("a", { name: "y" }));
    await stage.up();
    const [first, second, old, last] = seen;
    expect(first?.uid).not.toBe(second?.uid);
    expect(first?.token).not.toBe(second?.token);
    expect([first?.isReplacement, second?.isReplacement]).toEqual([false, true]);
    expect([old?.uid, last?.uid]).toEqual([first?.uid, second?.uid]);
    expect(last?.isReplacement).toBe(false);
  });

  test("gives the old copy the props and the output that it had to its delete, also after an update that failed", async () => {
    const { world, Thing, stage, failed } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { value: 1 }));
    await failed("update a", () => Thing("a", { value: 2 }));
    const deleted: unknown[] = [];
    world.on("delete a", ({ props, output }) => void deleted.push([props, output]));
    await stage.up(() => Thing("a", { value: 2, name: "y" }));
    world.on("update a", replaced());
    await stage.up(() => Thing("a", { value: 3, name: "y" }));
    expect(deleted).toEqual([
      [{ value: 1 }, { thing: "a#1", value: 1 }],
      [
        { value: 2, name: "y" },
        { thing: "a#2", value: 2 },
      ],
    ]);
  });

  test("again before the old copy is gone leaves each copy once", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("delete a");
    for (const name of ["y", "z"]) await stage.failures(() => Thing("a", { name }));
    expect(world.names).toEqual(["a#1", "a#2", "a#3"]);
    world.calm();
    world.news();
    const app = await stage.up(() => Thing("a", { name: "z" }));
    expect(world.calls).toEqual(["delete a", "delete a"]);
    expect(world.names).toEqual(["a#3"]);
    expect(recordsOf(app)).toMatchObject([{ key: "a", status: "ready", replaces: undefined }]);
  });

  test("that fails keeps the old copy until a run succeeds", async () => {
    const { world, Thing, stage, failed } = newWorld({ replaceOn: ["name"], idempotent: true });
    await stage.up(() => Thing("a", { name: "x" }));
    await failed("create a", () => Thing("a", { name: "y" }));
    expect(world.names).toEqual(["a#1"]);
    await stage.up(() => Thing("a", { name: "y" }));
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("that cannot delete the old copy first creates nothing, and goes on there in the next run", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", replaced(true));
    const message = expect.stringContaining("no delete a");
    const errors = await failed("delete a", () => Thing("a", { value: 2 }));
    expect(errors).toEqual([expect.objectContaining({ code: "HANDLER_FAILED", fqn: "app/dev/a", message })]);
    expect(world.names).toEqual(["a#1"]);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["update a", "delete a", "create a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("is undone by a program that removes the resource: both copies go", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    const app = await stage.open();
    await app.run(() => Thing("a", { name: "y" }));
    await app[Symbol.asyncDispose]();
    expect(world.names).toEqual(["a#1", "a#2"]);
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.names).toEqual([]);
  });
});

describe("a changed kind under one id", () => {
  test("replaces: the new kind creates, the old kind deletes what it made", async () => {
    const { world, Thing: Old, stage } = newWorld();
    const New = world.type();
    await stage.up(() => Old("a", { value: 1 }));
    const app = await stage.open();
    expect(await app.run(() => New("a", { value: 1 }))).toEqual({ thing: "a#2", value: 1 });
    expect(world.things.get("a#2")?.kind).toBe(New.kind);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create a", "delete a"]);
    expect(stage.told).toEqual(["started a", "replaced a", "started a", "deleted a"]);
    expect(stage.heard("resource:deleted")).toMatchObject([{ kind: Old.kind }]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("deletes with the old kind what a pending delete of the old kind had begun", async () => {
    const { world, Thing: Old, stage } = await afterDelete("failed", {}, "up");
    const New = world.type();
    const kindOf = (uid: string) => [...world.things.values()].find((thing) => thing.uid === uid)?.kind;
    const kinds: unknown[] = [];
    world.on("delete a", ({ uid }) => void kinds.push(kindOf(uid)));
    await stage.up(() => New("a"));
    expect(kinds).toEqual([Old.kind]);
    expect([...world.things.values()].map(({ kind }) => kind)).toEqual([New.kind]);
  });
});

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
    expect(stage.summary).toEqual(calls.includes("update a") ? { updated: 1 } : { unchanged: 1 });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});
