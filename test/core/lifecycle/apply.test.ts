import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, World } from "../../helpers/apps/world.js";

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("a resource type of $form", ({ short }) => {
  test("creates, skips, updates and prunes", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();

    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["create a"]);
    expect(stage.summary).toEqual({ created: 1 });

    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ skipped: 1 });

    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a"]);
    expect(stage.summary).toEqual({ updated: 1 });

    await stage.up();
    expect(world.news()).toEqual(["delete a"]);
    expect(stage.summary).toEqual({ deleted: 1 });
    expect(world.names).toEqual([]);
  });

  test("gives the same output whether its handler ran or not", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    const value = { at: new Date(0), list: [undefined, 1n] };
    const outputs: unknown[] = [];
    for (let run = 0; run < 2; run++) await stage.up(async () => outputs.push(await Thing("a", { value })));
    expect(outputs[0]).toEqual({ thing: "a#1", value });
    expect(outputs[1]).toStrictEqual(outputs[0]);
  });

  test("is updated under force although nothing changed", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 1 }), { force: true });
    expect(world.news()).toEqual(["create a", "update a"]);
  });

  test("is updated under the force of its scope alone", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    const program = async () => {
      await Thing("a");
      await stage.engine.run("forced", { force: true }, () => Thing("b"));
    };
    await stage.up(program);
    world.news();
    await stage.up(program);
    expect(world.news()).toEqual(["update b"]);
  });

  test("is compared by value and not by the order of keys", async () => {
    const world = new World();
    const Thing = world.type({ short });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: { x: 1, y: undefined, z: [new Set([1, 2])] } }));
    world.news();
    await stage.up(() => Thing("a", { name: undefined, value: { z: [new Set([2, 1])], x: 1 } }));
    expect(world.news()).toEqual([]);
  });

  test("may give nothing", async () => {
    const stage = new Stage();
    const seen: unknown[] = [];
    const kind = newKind();
    const Empty = short
      ? Resource<void, object>(kind, function () {
          seen.push(this.phase, this.output);
          if (this.phase === "delete") this.destroy();
        })
      : Resource<void, object>(kind, {
          create: ({ phase }) => void seen.push(phase, undefined),
          delete: ({ phase, output }) => void seen.push(phase, output),
        });
    await stage.up(async (app) => seen.push(await Empty("e"), await app.has("e")));
    await stage.up(() => Empty("e"));
    await stage.up();
    expect(seen).toEqual(["create", undefined, undefined, true, "delete", undefined]);
  });
});

describe("a resource type without update", () => {
  test("is replaced by a change", async () => {
    const world = new World();
    const Thing = world.type({ update: false });
    const stage = new Stage();
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["create a", "create a", "delete a"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
    expect(world.names).toEqual(["a#2"]);
  });

  test("is left alone by force, for nothing could be done but to replace it", async () => {
    const world = new World();
    const Thing = world.type({ update: false });
    const stage = new Stage();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a"), { force: true });
    expect(world.news()).toEqual(["create a"]);
  });
});

describe("a resource type without delete", () => {
  test("is dropped from the state when it is no longer declared", async () => {
    const world = new World();
    const Thing = world.type({ delete: false });
    const stage = new Stage();
    await stage.up(() => Thing("a"));
    const app = await stage.up();
    expect(world.calls).toEqual(["create a"]);
    expect(stage.told).toEqual(["started a", "deleted a"]);
    expect(recordOf(app, "a")).toBeUndefined();
  });
});

describe("a declaration", () => {
  test("of one id in two scopes means two resources", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    await stage.up(async () => {
      await Thing("a");
      await stage.engine.run("s", () => Thing("a"));
    });
    expect([...world.things.values()].map(({ fqn }) => fqn)).toEqual(["app/dev/a", "app/dev/s/a"]);
  });

  test("is made without props where the type asks for none", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", {}));
    await stage.up(() => Thing("a", undefined));
    expect(world.calls).toEqual(["create a"]);
  });

  test("shows its resource among the scope's", async () => {
    const world = new World();
    const Thing = world.type();
    const stage = new Stage();
    await stage.up(async (app) => {
      const pending = Thing("a");
      expect(app.resources.get("a")).toBe(pending);
      expect([pending.id, pending.kind, pending.fqn, pending.scope]).toEqual(["a", Thing.kind, "app/dev/a", app]);
      expect(await app.has("a")).toBe(false);
      await pending;
      expect(await app.has("a", Thing.kind)).toBe(true);
      expect(await app.has("a", "another")).toBe(false);
    });
  });
});
