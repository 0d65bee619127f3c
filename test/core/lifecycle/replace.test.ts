import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { failuresOf, recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

/** What the update of a resource does that asks to be replaced. */
const replaced = (deleteFirst?: boolean) => (context: HandlerBase) => context.replace(deleteFirst);

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("replacing a resource of $form", ({ short }) => {
  test("creates the new one, and deletes the old one at finalize", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", replaced());
    const app = await stage.open();
    const output = await app.run(() => Thing("a", { value: 2 }));
    expect(output).toEqual({ thing: "a#2", value: 2 });
    expect(world.news()).toEqual(["create a", "update a", "create a"]);
    expect(world.names).toEqual(["a#1", "a#2"]);
    await app.finalize();
    expect(world.news()).toEqual(["delete a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toHaveLength(1);
  });

  test("deletes the old one first where the handler says so", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", replaced(true));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "update a", "delete a", "create a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  });

  test("happens although the handler catches everything", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", (context) => {
      try {
        context.replace();
      } catch {
        // As a handler does that retries whatever went wrong.
      }
      return { thing: "made up", value: 0 };
    });
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "update a", "create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("cannot be asked for in a create or a delete", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    world.on("create a", replaced());
    const [error] = await stage.failures(() => Thing("a"));
    expect(error).toMatchObject({
      code: "INVALID_CALL",
      fqn: "app/dev/a",
      message: expect.stringMatching(/^this\.replace\(\)/),
    });
  });
});

describe("replacing", () => {
  test("follows from a change of a prop that replaces, without asking the update", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    await stage.up(() => Thing("a", { name: "x" }));
    await stage.up(() => Thing("a", { name: "y" }));
    expect(world.calls).toEqual(["create a", "create a", "delete a"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  });

  test("gives the new copy a uid and a token of its own, and says that it is a replacement", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    const seen: HandlerBase[] = [];
    for (const phase of ["create a", "delete a"]) world.on(phase, (context) => void seen.push(context));
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

  test("gives the old copy the props and the output that it had to its delete", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    const deleted: unknown[] = [];
    world.on("update a", replaced());
    world.on("delete a", ({ props, output }) => void deleted.push([props, output]));
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(deleted).toEqual([[{ value: 1 }, { thing: "a#1", value: 1 }]]);
  });

  test("what an update failed at before gives the old copy its last good props to its delete", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a");
    await stage.failures(() => Thing("a", { value: 2 }));
    const deleted: unknown[] = [];
    world.on("delete a", ({ props }) => void deleted.push(props));
    await stage.up(() => Thing("a", { value: 2, name: "y" }));
    expect(deleted).toEqual([{ value: 1 }]);
  });

  test("again before the old copy is gone leaves each copy once", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("delete a");
    await failuresOf(stage.up(() => Thing("a", { name: "y" })));
    await failuresOf(stage.up(() => Thing("a", { name: "z" })));
    expect(world.names).toEqual(["a#1", "a#2", "a#3"]);
    world.calm();
    world.news();
    const app = await stage.up(() => Thing("a", { name: "z" }));
    expect(world.calls).toEqual(["delete a", "delete a"]);
    expect(world.names).toEqual(["a#3"]);
    expect(recordsOf(app)).toMatchObject([{ uid: recordOf(app, "a")?.uid, status: "ready" }]);
    expect(recordOf(app, "a")?.replaces).toBeUndefined();
  });

  test("that fails keeps the old copy until a run succeeds", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"], idempotent: true });
    const stage = new Stage();
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("create a");
    await failuresOf(stage.up(() => Thing("a", { name: "y" })));
    expect(world.names).toEqual(["a#1"]);
    world.calm();
    world.news();
    await stage.up(() => Thing("a", { name: "y" }));
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("that cannot delete the old copy first creates nothing, and goes on there in the next run", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", replaced(true));
    world.fails("delete a");
    const [error, ...more] = await stage.failures(() => Thing("a", { value: 2 }));
    expect(error).toMatchObject({
      code: "HANDLER_FAILED",
      fqn: "app/dev/a",
      message: expect.stringContaining("no delete a"),
    });
    expect(more).toEqual([]);
    expect(world.names).toEqual(["a#1"]);
    world.calm("delete a");
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["update a", "delete a", "create a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("is undone by a program that removes the resource: both copies go", async () => {
    const world = new World();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage();
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
    const world = new World();
    const Old = world.type();
    const New = world.type();
    const stage = new Stage();
    await stage.up(() => Old("a", { value: 1 }));
    const app = await stage.open();
    const output = await app.run(() => New("a", { value: 1 }));
    expect(output).toEqual({ thing: "a#2", value: 1 });
    expect(world.things.get("a#2")?.kind).toBe(New.kind);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create a", "delete a"]);
    expect(stage.told).toEqual(["started a", "replaced a", "started a", "deleted a"]);
    expect(stage.heard("resource:deleted")).toMatchObject([{ kind: Old.kind }]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("deletes with the old kind what a pending delete of the old kind had begun", async () => {
    const world = new World();
    const Old = world.type();
    const New = world.type();
    const stage = new Stage();
    await stage.up(() => Old("a"));
    world.fails("delete a");
    await failuresOf(stage.up());
    world.calm();
    const kinds: string[] = [];
    world.on(
      "delete a",
      ({ uid }) => void kinds.push([...world.things.values()].find((thing) => thing.uid === uid)?.kind ?? ""),
    );
    await stage.up(() => New("a"));
    expect(kinds).toEqual([Old.kind]);
    expect([...world.things.values()].map(({ kind }) => kind)).toEqual([New.kind]);
  });
});
