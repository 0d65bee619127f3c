/** Recovers a create that failed, or that took effect without an answer. */
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import type { ResourceOptions } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, type Props, type TypeOptions } from "../../helpers/apps/world.js";

interface Next {
  readonly how: "failed" | "lost";
  readonly type?: TypeOptions;
  /** Its read cannot tell whether the create took effect. */
  readonly cannotTell?: boolean;
  readonly props?: Props;
  readonly options?: ResourceOptions;
  readonly calls: readonly string[];
  readonly names: readonly string[];
  readonly summary: object;
  readonly warnings?: readonly object[];
}

const BEFORE = { value: 1, name: "x" };
const [CREATED, REPLACED, ADOPTED] = [{ created: 1 }, { replaced: 1, deleted: 1 }, { adopted: 1 }];
const READ = { read: true };
const repeated = { code: "REPEATED_CREATE", fqn: "app/dev/a" };
const doubtful = expect.stringContaining("cannot tell whether that create took effect, so the engine repeats it");

describe("a create that failed or was interrupted", () => {
  test("is pending, with the error's message", async () => {
    const { Thing, stage, failed } = newWorld();
    const message = 'create of "app/dev/a" failed: no create a';
    const errors = await failed("create a", () => Thing("a"));
    expect(errors).toMatchObject([{ code: "HANDLER_FAILED", fqn: "app/dev/a", message }]);
    expect(stage.record("a")).toMatchObject({ status: "creating", error: message });
    expect(await stage.app.has("a")).toBe(false);
  });

  test.each<[string, Next]>([
    [
      "is created again where read finds nothing",
      { how: "failed", type: READ, calls: ["read a", "create a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is created again where the type has no read, with a warning that it may be there twice",
      { how: "failed", calls: ["create a"], names: ["a#1"], summary: CREATED, warnings: [repeated] },
    ],
    [
      "is created again where read cannot tell what it made, with a warning that it may be there twice",
      {
        how: "lost",
        type: READ,
        cannotTell: true,
        calls: ["read a", "create a"],
        names: ["a#1", "a#2"],
        summary: CREATED,
        warnings: [{ ...repeated, message: doubtful }],
      },
    ],
    [
      "is taken over where read cannot tell whose it is, and the program says adopt",
      {
        how: "lost",
        type: READ,
        cannotTell: true,
        options: { adopt: true },
        calls: ["read a", "read a", "update a"],
        names: ["a#1"],
        summary: ADOPTED,
      },
    ],
    [
      "is created again without a warning where the type is idempotent",
      { how: "failed", type: { idempotent: true }, calls: ["create a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is replaced where read finds what it made and a changed prop asks for that",
      {
        how: "lost",
        type: { read: true, replaceOn: ["name"] },
        props: { ...BEFORE, name: "y" },
        calls: ["read a", "create a", "delete a"],
        names: ["a#2"],
        summary: REPLACED,
      },
    ],
    [
      "is taken as it is found where the type has no update and the props are the same",
      { how: "lost", type: { read: true, update: false }, calls: ["read a"], names: ["a#1"], summary: CREATED },
    ],
    [
      "is replaced where the type has no update and the props are others",
      {
        how: "lost",
        type: { read: true, update: false },
        props: { value: 2 },
        calls: ["read a", "create a", "delete a"],
        names: ["a#2"],
        summary: REPLACED,
      },
    ],
  ])("%s", async (_what, { how, type, cannotTell, props = BEFORE, options, calls, names, summary, warnings = [] }) => {
    const { world, Thing, stage, ...mishaps } = newWorld(type);
    await mishaps[how]("create a", () => Thing("a", BEFORE));
    world.on("read a", ({ recovering }) => {
      if (cannotTell && recovering) throw new EngineError("UNRESOLVED", "who knows");
    });
    let output: unknown;
    const declare = async () => {
      output = await Thing("a", props, options);
    };
    await stage.up(declare);
    expect(world.news()).toEqual(calls);
    expect(world.names).toEqual(names);
    expect(stage.summary).toEqual(summary);
    expect(stage.heard("warning")).toMatchObject(warnings);
    expect(output).toEqual({ thing: names.at(-1), value: props.value });
    expect(stage.keys).toEqual(["a"]);
    await stage.up(declare);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("goes on as an update where read finds what it made, with the token that it had", async () => {
    const { world, Thing, stage, lost } = newWorld(READ);
    const seen: unknown[] = [];
    world.on("create a", ({ token }) => void seen.push(token));
    await lost("create a", () => Thing("a", { value: 1 }));
    world.on("read a", ({ token, recovering }) => void seen.push(token, recovering));
    world.on("update a", ({ token, recovering, attempt }) => void seen.push(token, recovering, attempt));
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.calls).toEqual(["read a", "update a"]);
    const [token] = seen;
    expect(seen).toEqual([token, token, true, token, true, 2]);
    expect(stage.record("a")).toMatchObject({ status: "ready", output: { thing: "a#1" }, error: undefined });
    expect(world.names).toEqual(["a#1"]);
  });
});

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

  test("stays recorded if its outcome is unknown, and every run says so", async () => {
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

  test("holds back, if its outcome is unknown, only its references and the sources of its props: the run says what is left", async () => {
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
    const reason = '"app/dev/a" may still exist and use it';
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

  test("holds up a destroy if its outcome is unknown", async () => {
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
