import { describe, expect, test } from "vitest";
import { appOf } from "../../../core/run/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { gate } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  const stage = new Stage();
  const admin = () => stageAdmin(stage.store, { app: "app", stage: "dev" });
  /** Runs with deletes that fail or are interrupted. */
  const fail = async (
    id: string,
    run: (signal: AbortSignal) => Promise<unknown>,
    interrupts = false,
  ): Promise<void> => {
    const controller = new AbortController();
    world.on(`delete ${id}`, () => {
      if (interrupts) controller.abort();
      throw new Error("403");
    });
    await run(controller.signal).catch(() => {});
    world.calm();
    world.news();
  };
  const destroy = (signal: AbortSignal): Promise<unknown> => stage.up(() => {}, { phase: "destroy", signal });
  return { world, Thing: world.type(options), stage, admin, fail, destroy };
}

describe("engine state keep", () => {
  test("settles a delete that was interrupted: the next up takes the resource for what it was", async () => {
    const { world, Thing, stage, admin, fail, destroy } = setUp();
    await stage.up(() => Thing("a"));
    await fail("a", destroy, true);
    await using kept = admin();
    expect((await kept.list()).resources).toMatchObject([{ status: "deleting", deletedBy: "destroy" }]);
    const asked: unknown[] = [];
    await kept.keep("a", { approve: (what) => void asked.push(what) });
    expect(asked).toMatchObject([{ resource: { fqn: "app/dev/a", status: "ready" }, children: [] }]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("ends what a record says about a failed delete", async () => {
    const { world, Thing, stage, admin, fail, destroy } = setUp({ update: false });
    await stage.up(() => Thing("a"));
    await fail("a", destroy);
    await using kept = admin();
    const failed = { attempts: 1, message: 'delete of "app/dev/a" failed: 403', time: expect.any(String) };
    expect((await kept.list()).resources).toMatchObject([{ status: "ready", deleteFailed: failed }]);
    expect((await kept.show("a")).resources).toMatchObject([{ deleteFailed: failed }]);
    await kept.keep("a");
    expect((await kept.list()).resources[0]?.deleteFailed).toBeUndefined();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("takes a parent without update as it is, without the child that was deleted", async () => {
    const { world, Thing, stage, admin, fail, destroy } = setUp({ update: false });
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a"));
    await fail("a", destroy, true);
    await using kept = admin();
    await kept.keep("a");
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "UNRESOLVED" }]);
    await kept.keep("a");
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("means the live resource, and an old copy by its uid alone", async () => {
    const { world, Thing, stage, admin, fail } = setUp({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("b")));
    await stage.up(() => Thing("a", { name: "one" }));
    await fail("a", (signal) => stage.up(() => Thing("a", { name: "two" }), { signal }));
    await using kept = admin();
    const [, old] = (await kept.show("a")).resources;
    expect((await rejectedCode(kept.keep("a")))[0]).toBe("INVALID_ARGUMENT");
    expect((await rejectedCode(kept.keep("a", { copy: "none" })))[0]).toBe("INVALID_ARGUMENT");
    const { resource } = await kept.keep("a", { copy: old?.uid.slice(0, 8) ?? "" });
    expect(resource).toMatchObject({ fqn: "app/dev/a", replaced: true });
    expect((await kept.list()).resources).toMatchObject([
      { fqn: "app/dev/a", replaced: false },
      { fqn: "app/dev/a/b", replaced: false },
    ]);
    await stage.up(() => Thing("a", { name: "two" }));
    expect(world.news()).toEqual([]);
  });

  test("refuses what is settled, what was never made, and what is not recorded, and writes nothing", async () => {
    const { world, Thing, stage, admin } = setUp();
    world.fails("create b");
    await stage.failures(() => Promise.allSettled([Thing("a"), Thing("b")]));
    await using kept = admin();
    const before = await kept.mark();
    const codes: unknown[] = [];
    for (const name of ["a", "b", "c"]) codes.push((await rejectedCode(kept.keep(name)))[0]);
    expect(codes).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT", "NOT_RECORDED"]);
    expect(await kept.mark()).toBe(before);
  });

  test("does not call an adoption ready that has not ended, and says what to do", async () => {
    const { world, Thing, stage, admin } = setUp({ read: true });
    world.on("read a", () => ({ thing: "found", value: 1 }));
    const app = await stage.open();
    const stuck = gate();
    world.on("update a", async () => {
      stuck.open();
      await new Promise(() => {});
    });
    void app.run(() => Thing("a", {}, { adopt: true })).catch(() => {});
    await stuck.opened;
    await appOf(app).ledger.abandon();
    await using kept = admin();
    const [code, message] = await rejectedCode(kept.keep("a"));
    expect(code).toBe("INVALID_ARGUMENT");
    expect(message).toMatch(/adoption.*did not finish.*adopt: true.*engine state forget app\/dev\/a/);
  });

  test("keeps the record as it is, if that is not approved", async () => {
    const { Thing, stage, admin, fail, destroy } = setUp();
    await stage.up(() => Thing("a"));
    await fail("a", destroy, true);
    await using kept = admin();
    const refuse = (): never => {
      throw new Error("not this time");
    };
    await expect(kept.keep("a", { approve: refuse })).rejects.toThrow("not this time");
    expect((await kept.list()).resources).toMatchObject([{ status: "deleting" }]);
  });
});

describe("engine state forget", () => {
  test.each([
    ["the name of a resource leaves its old copy to the next run", "a", ["delete a"]],
    ["a glob takes an old copy along, and nothing deletes that any more", "*", []],
  ])("by %s", async (_what, pattern, deleted) => {
    const { world, Thing, stage, admin, fail } = setUp({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "one" }));
    await fail("a", (signal) => stage.up(() => Thing("a", { name: "two" }), { signal }));
    await using forgetting = admin();
    const { resources, copies } = await forgetting.forget([pattern]);
    const own = { fqn: "app/dev/a", replaced: false };
    const old = { fqn: "app/dev/a", replaced: true };
    const isNamed = pattern === "a";
    expect({ resources, copies }).toMatchObject(isNamed ? { resources: [own], copies: [old] } : { copies: [] });
    expect(resources.length).toBe(isNamed ? 1 : 2);
    await stage.up(() => {});
    expect(world.news()).toEqual(deleted);
  });
});
