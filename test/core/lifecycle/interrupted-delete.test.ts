import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import type { TypeOptions } from "../../helpers/apps/world.js";
import { rewriteState } from "../../helpers/stores/rewrite-state.js";
import { afterDelete, endingIn } from "./after-delete.js";

const VALUE = { value: 1 };

const afterInterrupted = (type: TypeOptions = {}, phase: "up" | "destroy" = "destroy") =>
  afterDelete("was interrupted", type, phase);

describe("a delete that was interrupted", () => {
  test.each(["up", "destroy"] as const)("stays deleting, and records what asked for it (%s)", async (phase) => {
    const { stage } = await afterInterrupted({}, phase);
    expect(recordOf(await stage.up(() => {}, { phase: "read" }), "a")).toMatchObject({
      status: "deleting",
      attempt: 1,
      deletion: { by: phase === "up" ? "prune" : "destroy", former: { status: "ready", attempt: 0 } },
    });
  });

  test("is one whose handler throws anything after the signal has fired", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    await stage.up(() => Thing("a"));
    const controller = new AbortController();
    world.on("delete a", () => {
      controller.abort();
      throw new Error("stopped half-way");
    });
    const errors = await stage.failures(() => {}, { signal: controller.signal });
    expect(errors).toMatchObject([{ code: "ABORTED" }]);
    expect(stage.told).toEqual(["started a", "stopped a"]);
    expect(stage.record("a")).toMatchObject({ status: "deleting", deleteFailed: undefined });
    expect(world.calls).toEqual(["create a", "delete a"]);
  });

  test("is one that its timeout ended, also if it throws something else then", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    world.on("delete a", async ({ signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      throw new Error("gave up");
    });
    await stage.failures(async () => {
      const a = Thing("a", {}, { timeout: 5 });
      await a;
      await expect(stage.engine.destroy(a)).rejects.toMatchObject({ code: "TIMEOUT" });
    });
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(stage.record("a")).toMatchObject({
      status: "deleting",
      deletion: { by: "engine.destroy" },
      error: expect.stringContaining("took longer than 5 ms"),
    });
  });

  test.each(["up", "destroy"] as const)("is repeated by a run that does not want the resource (%s)", async (phase) => {
    const { world, stage } = await afterInterrupted();
    world.on("delete a", ({ recovering, attempt }) => void expect([recovering, attempt]).toEqual([true, 2]));
    expect(recordsOf(await stage.up(() => {}, { phase }))).toEqual([]);
    expect(world.news()).toEqual(["delete a"]);
  });

  test("and fails when it is repeated, restores what the record was before the first one", async () => {
    const { stage, failed } = await afterInterrupted();
    await failed("delete a", () => {});
    expect(stage.record("a")).toMatchObject({ status: "ready", attempt: 0, deleteFailed: { attempts: 2 } });
  });
});

describe("a resource whose delete was interrupted, and that the program declares", () => {
  test.each(["is protected", "is vetoed"])(
    "and of which a part is left, is looked at again if its replacement %s",
    async (why) => {
      const { world, Thing, stage } = await afterInterrupted({ read: true, update: false });
      const [name, there] = [...world.things].at(0)!;
      world.things.set(name, { ...there, value: "a part" });
      const plugin = definePlugin({
        name: "no",
        apply: ({ hooks }) => hooks.beforeApply.tap("no", ({ veto }) => veto("no")),
      });
      const [protect, plugins] = why === "is protected" ? [true, []] : [false, [plugin]];
      expect(await stage.failures(() => Thing("a", VALUE, { protect }), { plugins })).toHaveLength(1);
      expect(world.news()).toEqual(["read a"]);
      const app = await stage.up(() => Thing("a", VALUE));
      expect(world.news()).toEqual(["read a", "create a", "delete a"]);
      expect(recordOf(app, "a")).toMatchObject({ status: "ready", deleteFailed: undefined });
    },
  );

  test("fails with a command that works, if the program has protected it since", async () => {
    const { Thing, stage } = await afterInterrupted();
    for (const protect of [true, false]) {
      // A declaration that fails may set protect in the record, but does not clear it.
      const [error] = await stage.failures(() => Thing("a", VALUE, { protect }));
      expect(String(error)).toContain('"engine state forget app/dev/a --force"');
    }
  });

  test("says in a plan what a run would do", async () => {
    const { world, Thing, stage } = await afterInterrupted({ read: true });
    const same = await stage.plan(() => Thing("a", VALUE));
    expect([same.actions, same.errors]).toEqual([[], []]);
    const changed = await stage.plan(() => Thing("a", { value: 2 }));
    expect(changed.actions).toMatchObject([
      { action: "update", reason: expect.stringMatching(/its delete was interrupted.*props.value changed/) },
    ]);
    expect(new Set(world.news())).toEqual(new Set(["read a"]));
  });
});

describe("the delete of a replacement that deletes first", () => {
  async function afterReplace(options: TypeOptions) {
    const there = newWorld({ replaceOn: ["name"], ...options });
    const { Thing, stage } = there;
    const declare = (name: string) => () => Thing("a", { name }, { deleteBeforeReplace: true });
    await stage.up(declare("one"));
    await endingIn(there, "was interrupted", declare("two"));
    return { ...there, declare };
  }

  test.each([{ read: true }, { read: false }])("goes on where the props still ask for it %o", async (type) => {
    const { world, stage, declare } = await afterReplace(type);
    await stage.up(declare("two"));
    expect(world.news()).toEqual(["delete a", "create a"]);
    expect(stage.summary).toMatchObject({ replaced: 1 });
  });

  test("does not go on where the program took the change back", async () => {
    const { world, stage, declare } = await afterReplace({ read: true });
    await stage.up(declare("one"));
    expect(world.news()).toEqual(["read a"]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("that the update asked for goes on with the same props, and not with those of before", async () => {
    const there = newWorld({ read: true });
    const { world, Thing, stage } = there;
    const declare = (value: number) => () => Thing("a", { value });
    const replaceInterrupted = async (): Promise<void> => {
      world.on("update a", (context) => Reflect.get(context, "replace").call(context, true));
      await endingIn(there, "was interrupted", declare(2));
    };
    await stage.up(declare(1));
    await replaceInterrupted();
    await stage.up(declare(1));
    expect(world.news()).toEqual(["read a", "update a"]);
    await replaceInterrupted();
    await stage.up(declare(2));
    expect(world.news()).toEqual(["delete a", "create a"]);
  });

  test("of a resource whose kind has changed goes on", async () => {
    const there = newWorld({ read: true });
    const { world, Thing, stage } = there;
    const Other = world.type();
    await stage.up(() => Thing("a"));
    const declare = () => Other("a", {}, { deleteBeforeReplace: true });
    await endingIn(there, "was interrupted", declare);
    await stage.up(declare);
    expect(world.news()).toEqual(["delete a", "create a"]);
  });
});

describe("a delete that a version without its former status began", () => {
  async function old(options: TypeOptions) {
    const there = await afterInterrupted(options);
    const stage = new Stage();
    await rewriteState(there.stage.store, stage.store, (text) => text.replace(/,"deletion":\{.*?\}\}/, ""));
    return { ...there, stage };
  }

  test("counts as unknown: what read finds is updated", async () => {
    const { world, Thing, stage } = await old({ read: true });
    await stage.up(() => Thing("a", VALUE));
    expect(world.news()).toEqual(["read a", "update a"]);
  });

  test("counts as unknown: without read the declaration fails", async () => {
    const { world, Thing, stage } = await old({});
    expect(await stage.failures(() => Thing("a", VALUE))).toMatchObject([{ code: "UNRESOLVED" }]);
    expect(world.news()).toEqual([]);
  });

  test("restores updating where it fails when it is repeated", async () => {
    const { world, Thing, stage } = await old({});
    world.fails("delete a", "403");
    await stage.failures(() => {});
    world.news();
    await stage.up(() => Thing("a", VALUE));
    expect(world.news()).toEqual(["update a"]);
  });
});
