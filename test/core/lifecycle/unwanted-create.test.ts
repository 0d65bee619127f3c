import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { lost, newKind, type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

const keysOf = (app: Scope): string[] =>
  recordsOf(app)
    .map(({ key }) => key)
    .sort();

describe("a create that failed and is no longer declared", () => {
  test("is deleted where read finds what it made", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.on("read a", ({ recovering }) => void expect(recovering).toBe(true));
    const app = await stage.up();
    expect(world.calls).toEqual(["create a", "read a", "delete a"]);
    expect(world.names).toEqual([]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("is forgotten where read finds nothing", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    const app = await stage.up();
    expect(world.calls).toEqual(["create a", "read a"]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("stays where read cannot tell what it made", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.on("read a", () => {
      throw new EngineError("UNRESOLVED", "who knows");
    });
    const app = await stage.up();
    expect([keysOf(app), world.names]).toEqual([["a"], ["a#1"]]);
    expect(stage.heard("warning")).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/a" }]);
  });

  test("is created again and then deleted where its type is idempotent", async () => {
    const { world, Thing, stage } = setUp({ idempotent: true });
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    world.on("create a", ({ recovering }) => void world.calls.push(`recovering: ${recovering}`));
    const app = await stage.up();
    expect(world.calls).toEqual(["create a", "create a", "recovering: true", "delete a"]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("and gives nothing is created again and then deleted where its type is idempotent", async () => {
    const calls: string[] = [];
    const Thing = Resource<void, object>(newKind(), {
      idempotent: true,
      create({ recovering }) {
        calls.push("create");
        if (!recovering) throw new Error("lost");
      },
      delete: () => void calls.push("delete"),
    });
    const stage = new Stage();
    await stage.failures(() => Thing("a"));
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(calls).toEqual(["create", "create", "delete"]);
  });

  test("is created again with its children and deleted with them where its type is idempotent", async () => {
    const { world, Thing, stage } = setUp({ idempotent: true });
    world.on("create a", async () => {
      await Thing("b");
      throw new Error("after b");
    });
    await stage.failures(() => Thing("a"));
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    const app = await stage.up();
    expect(world.calls.slice(0, 4)).toEqual(["create a", "create b", "create a", "create c"]);
    expect(world.calls.slice(4, 6).sort()).toEqual(["delete b", "delete c"]);
    expect(world.calls.slice(6)).toEqual(["delete a"]);
    expect(recordsOf(app)).toEqual([]);
    expect(world.names).toEqual([]);
  });

  test("stays recorded where nobody can tell, and every run says so", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    for (let run = 0; run < 2; run++) {
      const app = await stage.up();
      expect(recordOf(app, "a")).toMatchObject({ status: "creating" });
      expect(stage.heard("warning")).toMatchObject([
        { code: "UNRESOLVED", fqn: "app/dev/a", message: expect.stringContaining("engine state forget app/dev/a") },
      ]);
    }
    expect(world.calls).toEqual(["create a"]);
  });

  test("holds back, where nobody can tell, only what it refers to and what its props are made from: the run says what is left", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    await stage.failures(async () => {
      const network = await Thing("network", { value: "10.0.0.0/16" });
      const refused = Thing("referred", { value: 1 });
      await Thing("unrelated", { value: "another text" });
      await refused;
      await Thing("a", { value: `http://${network.thing}/`, uses: refused });
    });
    world.news();
    const app = await stage.up();
    expect(world.news()).toEqual(["delete unrelated"]);
    expect(keysOf(app)).toEqual(["a", "network", "referred"]);
    const retained = stage.heard("resource:retained").map(({ id, reason }) => [id, reason]);
    const reason = '"app/dev/a" may be there, and be made from it';
    expect(retained.sort()).toEqual([
      ["network", reason],
      ["referred", reason],
    ]);
    expect(stage.heard("run:finished")).toMatchObject([{ ok: true, summary: { deleted: 1, left: 3, retained: 0 } }]);
  });

  test("holds back the children of what it needs, which are parts of that", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create parent", async () => void (await Thing("child")));
    world.fails("create a");
    await stage.failures(async () => {
      const parent = Thing("parent");
      await parent;
      await Thing("late");
      await Thing("a", { uses: parent });
    });
    world.news();
    const app = await stage.up();
    expect(world.news()).toEqual(["delete late"]);
    expect(keysOf(app)).toEqual(["a", "parent", "parent/child"]);
  });

  test("holds up a destroy where nobody can tell", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    await stage.failures(() => Promise.allSettled([Thing("a"), Thing("b")]));
    await expect(stage.open({ phase: "destroy" })).rejects.toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "UNRESOLVED", fqn: "app/dev/a" }],
    });
    expect(world.names).toEqual([]);
  });

  test("is asked about again where read failed", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.fails("read a", "no network");
    expect(await stage.failures(() => {})).toMatchObject([
      { fqn: "app/dev/a", message: expect.stringContaining("no network") },
    ]);
    world.calm();
    await stage.up();
    expect(world.names).toEqual([]);
  });
});
