import { describe, expect, test } from "vitest";
import { PartlyDeleted } from "../../../core/contract/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

/** A resource "a" whose destroy has failed once; from then on its deletes work. */
async function afterFailedDestroy(options: TypeOptions = {}) {
  const there = setUp(options);
  const { world, Thing, stage } = there;
  await stage.up(() => Thing("a", { value: 1 }));
  world.fails("delete a", "403 forbidden");
  await stage.failures(() => {}, { phase: "destroy" });
  world.calm();
  world.news();
  return there;
}

describe("a delete that fails", () => {
  test("restores the record, with the message, the time and the attempts", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    world.fails("delete a", "403");
    const app = await stage.open();
    await expect(app.finalize()).rejects.toMatchObject({ errors: [{ message: 'delete of "app/dev/a" failed: 403' }] });
    const failed = {
      message: 'delete of "app/dev/a" failed: 403',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      attempts: 1,
    };
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", attempt: 0, deleteFailed: failed });
    expect(recordOf(app, "a")).toMatchObject({ deletion: undefined, error: undefined, since: undefined });
    expect(stage.heard("resource:failed")).toMatchObject([{ id: "a", action: "delete", deleteFailed: failed }]);
  });

  test("is repeated by the next run that does not declare the resource, which says recovering and counts on", async () => {
    const { world, stage } = await afterFailedDestroy();
    const seen: unknown[] = [];
    world.on("delete a", ({ recovering, attempt }) => {
      seen.push([recovering, attempt]);
      throw new Error("still no");
    });
    await stage.failures(() => {});
    world.on("delete a", ({ recovering, attempt }) => void seen.push([recovering, attempt]));
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(seen).toEqual([
      [true, 2],
      [true, 3],
    ]);
  });

  test("although the service deleted the resource counts as done, if the type's read finds nothing", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    await stage.up(() => Thing("a"));
    world.on("delete a", () => {
      world.things.clear();
      throw new Error("connection lost");
    });
    const app = await stage.up();
    expect(world.news()).toEqual(["create a", "delete a", "read a"]);
    expect(recordsOf(app)).toEqual([]);
    expect(stage.summary).toEqual({ deleted: 1 });
    expect(stage.told).toEqual(["started a", "deleted a"]);
  });

  test.each(["finds the resource", "fails itself"])("restores the record where the type's read %s", async (how) => {
    const { world, Thing, stage } = setUp({ read: true });
    await stage.up(() => Thing("a"));
    world.fails("delete a", "403");
    if (how === "fails itself") world.fails("read a");
    const app = await stage.open();
    await app.finalize().catch(() => {});
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", deleteFailed: { attempts: 1 } });
  });

  test("counts as failed once, after all its retries", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("delete a", "busy");
    const app = await stage.open();
    await app.run(async () => {
      const a = Thing("a", {}, { retry: { attempts: 3, delay: 0 } });
      await a;
      await expect(stage.engine.destroy(a)).rejects.toThrow("busy");
    });
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", deleteFailed: { attempts: 3 } });
    await app.finalize().catch(() => {});
    expect(stage.heard("resource:failed")).toHaveLength(1);
  });

  test("of an update that was pending leaves that pending", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a", "no");
    await stage.failures(() => Thing("a", { value: 2 }));
    world.fails("delete a", "403");
    const app = await stage.open();
    await app.finalize().catch(() => {});
    expect(recordOf(app, "a")).toMatchObject({
      status: "updating",
      attempt: 1,
      error: 'update of "app/dev/a" failed: no',
      lastGood: { props: { value: 1 } },
    });
  });
});

describe("a resource whose destroy failed, and that the program still declares", () => {
  test("is neither deleted nor made again, but looked at, if its type can read", async () => {
    const { world, Thing, stage } = await afterFailedDestroy({ read: true });
    const app = await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["read a"]);
    expect(world.names).toEqual(["a#1"]);
    expect(stage.summary).toEqual({ skipped: 1 });
    expect(recordOf(app, "a")?.deleteFailed).toBeUndefined();
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual([]);
  });

  test("is updated where the failed delete has changed it", async () => {
    const { world, Thing, stage } = await afterFailedDestroy({ read: true });
    const thing = world.things.get("a#1");
    if (thing) world.things.set("a#1", { ...thing, value: "half" });
    await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["read a", "update a"]);
    expect(world.things.get("a#1")?.value).toBe(1);
  });

  test("is made again where it is gone by now", async () => {
    const { world, Thing, stage } = await afterFailedDestroy({ read: true });
    world.things.clear();
    const app = await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["read a", "create a"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", deleteFailed: undefined });
  });

  test("is updated with recovering, if its type cannot read", async () => {
    const { world, Thing, stage } = await afterFailedDestroy();
    world.on("update a", ({ recovering }) => void expect(recovering).toBe(true));
    const app = await stage.up(() => Thing("a", { value: 1 }));
    expect(world.news()).toEqual(["update a"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", deleteFailed: undefined });
  });

  test("is not taken for found by an update that fails", async () => {
    const { world, Thing, stage } = await afterFailedDestroy();
    world.on("update a", () => Promise.reject(new Error("There is no a.")));
    await stage.failures(() => Thing("a", { value: 1 }));
    const app = await stage.open({ phase: "read" });
    expect(recordOf(app, "a")).toMatchObject({ status: "updating", deleteFailed: { attempts: 1 } });
  });

  test("fails with both commands, if its type can neither read nor update", async () => {
    const { world, Thing, stage } = await afterFailedDestroy({ update: false });
    const [error] = await stage.failures(() => Thing("a", { value: 1 }));
    expect(error).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    expect(String(error)).toContain('"engine state forget app/dev/a"');
    expect(String(error)).toContain('"engine state keep app/dev/a"');
    expect(world.news()).toEqual([]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is replaced where the program asks for that", async () => {
    const { world, Thing, stage } = await afterFailedDestroy({ update: false });
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["create a", "delete a"]);
  });

  test("is looked at in a plan, which says so", async () => {
    const { world, Thing, stage } = await afterFailedDestroy();
    const plan = await stage.engine.plan("app", { stage: "dev", argv: [], env: {}, stateStore: stage.store }, () =>
      Thing("a", { value: 1 }),
    );
    expect(plan.actions).toMatchObject([
      { action: "update", reason: expect.stringContaining("its last delete failed (403 forbidden)") },
    ]);
    expect(world.news()).toEqual([]);
  });
});

describe("a delete that took a part away", () => {
  const half = new PartlyDeleted("2 of 3 are locked", { thing: "a#1", value: "half" });

  test("leaves the output that it says for the next declaration, which completes the resource", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("delete a", () => {
      throw half;
    });
    const app = await stage.open();
    await app.finalize().catch(() => {});
    expect(recordOf(app, "a")).toMatchObject({ status: "updating", output: { value: "half" }, deleteFailed: {} });
    world.calm();
    world.news();
    world.on("read a", () => ({ thing: "a#1", value: "half" }));
    world.on("update a", ({ output }) => void expect(output).toEqual({ thing: "a#1", value: "half" }));
    expect(recordOf(await stage.up(() => Thing("a", { value: 1 })), "a")).toMatchObject({ status: "ready" });
    expect(world.news()).toEqual(["read a", "update a"]);
  });

  test("leaves it for the next delete, and for the next try of the same run", async () => {
    const { world, Thing, stage } = setUp();
    const seen: unknown[] = [];
    world.on("delete a", ({ output }) => {
      seen.push(output);
      throw new Error("the service said so", { cause: half });
    });
    const app = await stage.open();
    await app.run(async () => {
      const a = Thing("a", { value: 1 }, { retry: { attempts: 2, delay: 0 } });
      await a;
      await expect(stage.engine.destroy(a)).rejects.toThrow();
    });
    await app.finalize().catch(() => {});
    world.on("delete a", ({ output }) => void seen.push(output));
    await stage.up();
    expect(seen).toEqual([{ thing: "a#1", value: 1 }, half.output, half.output]);
  });

  test("cannot be completed by a type without update, and the error does not say that it has no read", async () => {
    const { world, Thing, stage } = setUp({ read: true, update: false });
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("delete a", () => {
      throw half;
    });
    await stage.failures(() => {});
    const [error] = await stage.failures(() => Thing("a", { value: 1 }));
    expect(error).toMatchObject({ code: "UNRESOLVED" });
    expect(String(error)).toContain("has no update to complete it");
    expect(String(error)).not.toContain("read");
  });

  test("keeps the recorded output where the one that is left cannot be recorded", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("delete a", () => {
      throw new PartlyDeleted("odd", { thing: () => {} });
    });
    const app = await stage.open();
    await app.finalize().catch(() => {});
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", output: { thing: "a#1", value: 1 }, deleteFailed: {} });
  });
});
