/** What the next run makes of a create that failed, or took effect without an answer, and is no longer declared. */
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, type TypeOptions } from "../../helpers/apps/world.js";

describe("a create that failed and is no longer declared", () => {
  test.each<[string, "failed" | "lost", TypeOptions, string[]]>([
    ["is deleted where read finds what it made", "lost", { read: true }, ["read a", "delete a"]],
    ["is forgotten where read finds nothing", "failed", { read: true }, ["read a"]],
    [
      "is created again and then deleted where its type is idempotent",
      "failed",
      { idempotent: true },
      ["create a", "delete a"],
    ],
  ])("%s", async (_what, how, type, calls) => {
    const { world, Thing, stage, ...mishaps } = newWorld(type);
    await mishaps[how]("create a", () => Thing("a", { value: 1 }));
    for (const call of ["read a", "create a"]) {
      world.on(call, ({ recovering }) => void expect(recovering).toBe(true));
    }
    world.on("delete a", ({ output }) => void expect(output).toEqual({ thing: "a#1", value: 1 }));
    await stage.up();
    expect([world.news(), world.names, stage.keys]).toEqual([calls, [], []]);
  });

  test("stays where read cannot tell what it made", async () => {
    const { world, Thing, stage, lost } = newWorld({ read: true });
    await lost("create a", () => Thing("a"));
    world.on("read a", () => {
      throw new EngineError("UNRESOLVED", "who knows");
    });
    await stage.up();
    expect([stage.keys, world.names]).toEqual([["a"], ["a#1"]]);
    expect(stage.heard("warning")).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/a" }]);
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
    const { world, Thing, stage } = newWorld({ idempotent: true });
    world.on("create a", async () => {
      await Thing("b");
      throw new Error("after b");
    });
    await stage.failures(() => Thing("a"));
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    await stage.up();
    expect(world.calls.slice(0, 4)).toEqual(["create a", "create b", "create a", "create c"]);
    expect(world.calls.slice(4, 6).sort()).toEqual(["delete b", "delete c"]);
    expect(world.calls.slice(6)).toEqual(["delete a"]);
    expect([world.names, stage.keys]).toEqual([[], []]);
  });

  test("stays recorded where nobody can tell, and every run says so", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await failed("create a", () => Thing("a"));
    const message = expect.stringContaining("engine state forget app/dev/a");
    for (let run = 0; run < 2; run++) {
      await stage.up();
      expect(stage.record("a")).toMatchObject({ status: "creating" });
      expect(stage.heard("warning")).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/a", message }]);
    }
    expect(world.calls).toEqual([]);
  });

  test("holds back, where nobody can tell, only what it refers to and what its props are made from: the run says what is left", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await failed("create a", async () => {
      const network = await Thing("network", { value: "10.0.0.0/16" });
      const referred = Thing("referred", { value: 1 });
      await Thing("unrelated", { value: "another text" });
      await referred;
      await Thing("a", { value: `http://${network.thing}/`, uses: referred });
    });
    await stage.up();
    expect(world.news()).toEqual(["delete unrelated"]);
    expect(stage.keys).toEqual(["a", "network", "referred"]);
    const retained = stage.heard("resource:retained").map(({ id, reason }) => [id, reason]);
    const reason = '"app/dev/a" may be there, and be made from it';
    expect(retained.sort()).toEqual([
      ["network", reason],
      ["referred", reason],
    ]);
    expect(stage.heard("run:finished")).toMatchObject([{ ok: true, summary: { deleted: 1, left: 3, retained: 0 } }]);
  });

  test("holds back the children of what it needs, which are parts of that", async () => {
    const { world, Thing, stage, failed } = newWorld();
    world.on("create parent", async () => void (await Thing("child")));
    await failed("create a", async () => {
      const parent = Thing("parent");
      await parent;
      await Thing("late");
      await Thing("a", { uses: parent });
    });
    await stage.up();
    expect(world.news()).toEqual(["delete late"]);
    expect(stage.keys).toEqual(["a", "parent", "parent/child"]);
  });

  test("holds up a destroy where nobody can tell", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await failed("create a", () => Promise.allSettled([Thing("a"), Thing("b")]));
    await expect(stage.destroy()).rejects.toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "UNRESOLVED", fqn: "app/dev/a" }],
    });
    expect(world.names).toEqual([]);
  });

  test("is asked about again where read failed", async () => {
    const { world, Thing, stage, lost, failed } = newWorld({ read: true });
    await lost("create a", () => Thing("a"));
    const message = expect.stringContaining("no read a");
    expect(await failed("read a", () => {})).toMatchObject([{ fqn: "app/dev/a", message }]);
    await stage.up();
    expect(world.names).toEqual([]);
  });
});
