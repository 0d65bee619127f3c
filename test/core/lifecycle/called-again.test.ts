import { describe, expect, test } from "vitest";
import { comparePositions } from "../../../core/order/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import type { TypeOptions } from "../../helpers/apps/world.js";
import { loadFrom } from "../../helpers/stores/journals.js";

describe("a parent of which a child was deleted", () => {
  test("before the run that was to delete both came to its end is made whole by the next one", async () => {
    const { world, Thing, stage, failed } = newWorld();
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, async () => void (await Promise.all([Thing("b"), Thing("c")])));
    }
    await stage.up(() => Thing("a"));
    await failed("delete b", () => {});
    expect(world.names).toEqual(["a#3", "b#1"]);
    const app = await stage.up(() => Thing("a"));
    expect(world.news().sort()).toEqual(["create c", "update a", "update b"]);
    expect(recordsOf(app).map(({ status }) => status)).toEqual(["ready", "ready", "ready"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("because its handler dropped it, or as a child of an old copy, is not called again", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    world.on("update a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", { value: 2 }));
    await stage.up(() => Thing("a", { value: 2, name: "other" }));
    world.news();
    await stage.up(() => Thing("a", { value: 2, name: "other" }));
    expect(world.news()).toEqual([]);
  });
});

describe("a create that is called again to be settled", () => {
  test.each([
    { what: "no longer declared", props: undefined },
    { what: "declared with other props", props: { value: 2 } },
  ])("though it is $what is called by a run that holds the state", async ({ props }) => {
    const { world, Thing, stage, failed } = newWorld({ idempotent: true });
    await failed("create a", () => Thing("a", { value: 1 }));
    const before = await loadFrom(stage.store);
    const seen: unknown[] = [];
    world.on("create a", async () => {
      const { head, contents } = await loadFrom(stage.store);
      seen.push(head.open !== undefined, head.seq > before.head.seq, contents.at("a")?.attempt);
    });
    await stage.up(() => (props ? Thing("a", props) : undefined));
    expect(seen).toEqual([true, true, 2]);
  });

  test("settles the creates of its children, whose outcome is unknown otherwise", async () => {
    const { world, Thing, stage, failed } = newWorld({ idempotent: true });
    const Part = world.type({ read: false });
    world.on("create a", async () => void (await Part("b")));
    await failed("create b", () => Thing("a"));
    await stage.up();
    expect(world.news()).toEqual(["create a", "create b", "delete b", "delete a"]);
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(["REPEATED_CREATE"]);
  });
});

describe("a handler that is called again in one run", () => {
  test("defers once what it had deferred before", async () => {
    const { world, Thing, stage } = newWorld();
    let calls = 0;
    world.on("create a", ({ scope }) => {
      void scope.defer(() => Thing("late"));
      if (++calls === 1) throw new Error("busy");
    });
    await stage.up(() => Thing("a", {}, { retry: { attempts: 2, delay: 1 } }));
    expect(world.calls).toEqual(["create a", "create a", "create late"]);
  });

  test("lifts what it declares as a whole, also what has resolved for the first time in this run", async () => {
    const { world, Thing, stage, failed } = newWorld({ idempotent: true });
    world.on("create a", async () => void (await Thing("b", {}, { retainOnDelete: true })));
    await failed("create b", () => Thing("a", { value: 1 }));
    // The engine repeats the create as it was begun, then updates; after that the child is no longer retained.
    world.on("create a", async () => {
      await Thing("b", {}, { retainOnDelete: true });
      await Thing("c", { uses: "b" });
    });
    world.on("update a", async () => {
      await Thing("b");
      await Thing("c", { uses: "b" });
    });
    await stage.up(() => Thing("a", { value: 2 }));
    const [b, c] = [stage.record("a/b"), stage.record("a/c")];
    expect(comparePositions(b?.done ?? [], b?.ready ?? [])).toBeGreaterThan(0);
    expect(comparePositions(c?.ready ?? [], b?.done ?? [])).toBeGreaterThan(0);
    world.news();
    await stage.up(() => {}, { destroyStrategy: "parallel" });
    expect(world.news()).toEqual(["delete c", "delete b", "delete a"]);
  });

  test("keeps what it declares behind what that was made from", async () => {
    const { world, Thing, stage, failed } = newWorld({ idempotent: true });
    await failed("create a", () => Thing("a", { value: 1 }));
    // The engine repeats the create as it was begun, then updates to the current declaration.
    world.on("create a", async () => {
      await Thing("c", { value: 1 });
      await Thing("b", { value: 1 });
    });
    world.on("update a", async () => {
      await Thing("c", { value: 2 });
      await Thing("b", { value: 1 });
    });
    await stage.up(() => Thing("a", { value: 2 }));
    const [b, c] = [stage.record("a/b"), stage.record("a/c")];
    expect(comparePositions(b?.ready ?? [], c?.done ?? [])).toBeGreaterThan(0);
    world.news();
    await stage.up();
    expect(world.news()).toEqual(["delete b", "delete c", "delete a"]);
  });
});

test("a handler that is called again only to settle what is to be deleted may defer something, which is not done any more", async () => {
  const { world, Thing, stage } = newWorld({ idempotent: true });
  let isSound = false;
  world.on("create a", async ({ scope }) => {
    if (!isSound) throw new Error("busy");
    const late = (scope as { defer(fn: () => unknown): Promise<unknown> }).defer(() => Thing("late"));
    void late.then(() => {});
  });
  await stage.failures(() => Thing("a"));
  isSound = true;
  world.news();
  const app = await stage.up();
  expect(world.news()).toEqual(["create a", "delete a"]);
  expect(recordsOf(app)).toEqual([]);
});

describe("a handler that is called once more", () => {
  test("and succeeds has not failed, whatever its parts did the first time", async () => {
    const { world, Thing, stage } = newWorld();
    let calls = 0;
    world.on("create a", async () => {
      calls++;
      if (calls === 1) world.fails("create b");
      else world.calm("create b");
      await Thing("b");
    });
    await stage.up(() => Thing("old"));
    world.news();
    await stage.up(() => Thing("a", undefined, { retry: { attempts: 2, delay: 1 } }));
    expect(world.news().sort()).toEqual(["create a", "create a", "create b", "create b", "delete old"]);
  });

  test("and fails again has failed once", async () => {
    const { world, Thing, stage } = newWorld();
    world.fails("create b");
    world.on("create a", async () => void (await Thing("b")));
    const [error, ...others] = await stage.failures(() => Thing("a", undefined, { retry: { attempts: 2, delay: 1 } }));
    expect(String(error)).toContain("create b");
    expect(others).toHaveLength(1);
  });
});

/** "a" declares "b", and "b" declares "c"; a destroy of them failed at one call. */
async function destroyedUpTo(failing: string, options: TypeOptions = {}) {
  const { world, Thing, stage, failed } = newWorld(options);
  const Child = world.type({ read: true });
  for (const phase of ["create", "update"]) {
    world.on(`${phase} a`, async () => void (await Thing("b")));
    world.on(`${phase} b`, async () => void (await Child("c")));
  }
  await stage.up(() => Thing("a"));
  await failed(failing, () => {}, { phase: "destroy" });
  return { world, Thing, stage };
}

describe("a parent whose child failed to be deleted, or which failed itself after that,", () => {
  test.each<[string, string, TypeOptions, string[]]>([
    [
      "declares that again, though the program and the parent are as they were",
      "delete c",
      { read: true, verify: true },
      ["read a", "update a", "read b", "update b", "read c"],
    ],
    ["makes the child again", "delete b", { read: true }, ["update a", "read b", "update b", "create c"]],
  ])("%s", async (_what, failing, type, calls) => {
    const { world, Thing, stage } = await destroyedUpTo(failing, type);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(calls);
    for (const key of ["a", "a/b", "a/b/c"]) {
      expect(stage.record(key)).toMatchObject({ status: "ready", deleteFailed: undefined });
    }
  });

  test.each<[string, string, TypeOptions]>([
    ["neither the parent nor the child is deleted", "delete c", { update: false }],
    ["is not replaced", "delete a", { update: false, read: true }],
  ])("fails without update, and %s", async (_what, failing, type) => {
    const { world, Thing, stage } = await destroyedUpTo(failing, type);
    const { names } = world;
    const [error] = await stage.failures(() => Thing("a"));
    expect(error).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    expect(String(error)).toContain('"engine state keep app/dev/a"');
    expect(world.names).toEqual(names);
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual([]);
  });
});
