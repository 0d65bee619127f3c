import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { lost, type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("a create that failed or was interrupted", () => {
  test("is pending, with the error's message", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a", "quota exceeded");
    const app = await stage.open();
    await expect(app.run(() => Thing("a"))).rejects.toMatchObject({
      code: "HANDLER_FAILED",
      fqn: "app/dev/a",
      message: 'create of "app/dev/a" failed: quota exceeded',
    });
    expect(recordOf(app, "a")).toMatchObject({
      status: "creating",
      error: 'create of "app/dev/a" failed: quota exceeded',
    });
    expect(await app.has("a")).toBe(false);
    await expect(app.finalize()).rejects.toMatchObject({ name: "RunFailedError" });
  });

  test("goes on as an update where read finds what it made, with the token that it had", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    const tokens: string[] = [];
    world.on("create a", ({ token }) => void tokens.push(token));
    world.on("read a", ({ token, recovering }) => void tokens.push(token, String(recovering)));
    world.on(
      "update a",
      ({ token, recovering, attempt }) => void tokens.push(token, String(recovering), String(attempt)),
    );
    lost(world, "create a");
    await stage.failures(() => Thing("a", { value: 1 }));
    const app = await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["create a", "read a", "update a"]);
    const [token] = tokens;
    expect(tokens).toEqual([token, token, "true", token, "true", "2"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", output: { thing: "a#1" } });
    expect(recordOf(app, "a")?.error).toBeUndefined();
    expect(world.names).toEqual(["a#1"]);
  });

  test("is created again where read finds nothing", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    world.calm();
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "read a", "create a"]);
    expect(stage.summary).toEqual({ created: 1 });
    expect(stage.heard("warning")).toEqual([]);
  });

  test("is created again where the type has no read, with a warning that it may be there twice", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a", "gone wrong");
    await stage.failures(() => Thing("a"));
    world.calm();
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "create a"]);
    expect(stage.heard("warning")).toMatchObject([{ code: "REPEATED_CREATE", fqn: "app/dev/a" }]);
  });

  test("is created again where read cannot tell what it made, with a warning that it may be there twice", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.calm();
    world.on("read a", ({ recovering }) => {
      if (recovering) throw new EngineError("UNRESOLVED", "who knows");
    });
    await stage.up(() => Thing("a"));
    expect([world.calls, world.names]).toEqual([
      ["create a", "read a", "create a"],
      ["a#1", "a#2"],
    ]);
    expect(stage.heard("warning")).toMatchObject([
      { code: "REPEATED_CREATE", message: expect.stringContaining("cannot tell whether the first one took effect") },
    ]);
  });

  test("is taken over where read cannot tell whose it is, and the program says adopt", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.on("read a", ({ recovering }) => {
      if (recovering) throw new EngineError("UNRESOLVED", "who knows");
    });
    await stage.up(() => Thing("a", {}, { adopt: true }));
    expect(world.calls).toEqual(["create a", "read a", "read a", "update a"]);
    expect([world.names, stage.heard("warning")]).toEqual([["a#1"], []]);
  });

  test("is created again without a warning where the type is idempotent", async () => {
    const { world, Thing, stage } = setUp({ idempotent: true });
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    world.calm();
    await stage.up(() => Thing("a"));
    expect(stage.heard("warning")).toEqual([]);
  });

  test("is replaced where read finds what it made and a changed prop asks for that", async () => {
    const { world, Thing, stage } = setUp({ read: true, replaceOn: ["name"] });
    lost(world, "create a");
    await stage.failures(() => Thing("a", { name: "x" }));
    world.calm();
    await stage.up(() => Thing("a", { name: "y" }));
    expect(world.calls).toEqual(["create a", "read a", "create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
  });

  test("is taken as it is found where the type has no update and the props are the same", async () => {
    const { world, Thing, stage } = setUp({ read: true, update: false });
    lost(world, "create a");
    await stage.failures(() => Thing("a", { value: 1 }));
    const app = await stage.open();
    expect(await app.run(() => Thing("a", { value: 1 }))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    expect(world.calls).toEqual(["create a", "read a"]);
    expect(stage.summary).toEqual({ created: 1 });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("is replaced where the type has no update and the props are others", async () => {
    const { world, Thing, stage } = setUp({ read: true, update: false });
    lost(world, "create a");
    await stage.failures(() => Thing("a", { value: 1 }));
    world.calm();
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "read a", "create a", "delete a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toHaveLength(1);
  });
});
