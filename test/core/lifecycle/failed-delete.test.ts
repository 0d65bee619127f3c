import { describe, expect, test } from "vitest";
import { PartlyDeleted } from "../../../core/contract/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { afterDelete } from "./after-delete.js";

const VALUE = { value: 1 };

describe("a delete that fails", () => {
  test("restores the record, with the message, the time and the attempts", async () => {
    const { Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a"));
    const message = 'delete of "app/dev/a" failed: no delete a';
    expect(await failed("delete a", () => {})).toMatchObject([{ message }]);
    const deleteFailed = { message, time: expect.stringMatching(/^\d{4}-.*Z$/), attempts: 1 };
    expect(stage.record("a")).toMatchObject({ status: "ready", attempt: 0, deleteFailed });
    expect(stage.record("a")).toMatchObject({ deletion: undefined, error: undefined, since: undefined });
    expect(stage.heard("resource:failed")).toMatchObject([{ id: "a", action: "delete", deleteFailed }]);
  });

  test("is repeated by the next run that does not declare the resource, which says recovering and counts on", async () => {
    const { world, stage } = await afterDelete("failed");
    const seen: unknown[] = [];
    world.on("delete a", ({ recovering, attempt }) => {
      seen.push([recovering, attempt]);
      if (attempt === 2) throw new Error("still no");
    });
    await stage.failures(() => {});
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(seen).toEqual([
      [true, 2],
      [true, 3],
    ]);
  });

  test("although the service deleted the resource counts as done, if the type's read finds nothing", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    await stage.up(() => Thing("a"));
    world.on("delete a", () => {
      world.things.clear();
      throw new Error("connection lost");
    });
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.news()).toEqual(["create a", "delete a", "read a"]);
    expect(stage.summary).toEqual({ deleted: 1 });
    expect(stage.told).toEqual(["started a", "deleted a"]);
  });

  test.each(["finds the resource", "fails itself"])("restores the record where the type's read %s", async (how) => {
    const { world, Thing, stage, failed } = newWorld({ read: true });
    await stage.up(() => Thing("a"));
    if (how === "fails itself") world.fails("read a");
    await failed("delete a", () => {});
    expect(stage.record("a")).toMatchObject({ status: "ready", deleteFailed: { attempts: 1 } });
  });

  test("counts as failed once, after all its retries", async () => {
    const { Thing, stage, failed, destroy } = newWorld();
    await failed("delete a", async () => {
      const a = Thing("a", {}, { retry: { attempts: 3, delay: 0 } });
      await a;
      await expect(destroy(a)).rejects.toThrow("no delete a");
    });
    expect(stage.record("a")).toMatchObject({ status: "ready", deleteFailed: { attempts: 3 } });
    expect(stage.heard("resource:failed")).toHaveLength(1);
  });

  test("of an update that was pending leaves that pending", async () => {
    const { Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("a", VALUE));
    await failed("update a", () => Thing("a", { value: 2 }));
    await failed("delete a", () => {});
    expect(stage.record("a")).toMatchObject({
      status: "updating",
      attempt: 1,
      error: 'update of "app/dev/a" failed: no update a',
      lastGood: { props: VALUE },
    });
  });
});

describe("a resource whose destroy failed, and that the program still declares", () => {
  test("is updated with recovering, if its type cannot read", async () => {
    const { world, Thing, stage } = await afterDelete("failed");
    world.on("update a", ({ recovering }) => void expect(recovering).toBe(true));
    await stage.up(() => Thing("a", VALUE));
    expect(world.news()).toEqual(["update a"]);
    expect(stage.record("a")).toMatchObject({ status: "ready", deleteFailed: undefined });
  });

  test("is not taken for found by an update that fails", async () => {
    const { Thing, stage, failed } = await afterDelete("failed");
    await failed("update a", () => Thing("a", VALUE));
    expect(stage.record("a")).toMatchObject({ status: "updating", deleteFailed: { attempts: 1 } });
  });

  test("is replaced where the program asks for that", async () => {
    const { world, Thing, stage } = await afterDelete("failed", { update: false });
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["create a", "delete a"]);
  });

  test("is looked at in a plan, which says so", async () => {
    const { world, Thing, stage } = await afterDelete("failed");
    const plan = await stage.plan(() => Thing("a", VALUE));
    const reason = expect.stringContaining("its last delete failed (403 forbidden)");
    expect(plan.actions).toMatchObject([{ action: "update", reason }]);
    expect(world.news()).toEqual([]);
  });
});

describe("a delete that took a part away", () => {
  const half = new PartlyDeleted("2 of 3 are locked", { thing: "a#1", value: "half" });

  /** A resource "a" whose delete throws `error`. */
  async function leaving(error: Error, type = {}) {
    const there = newWorld(type);
    await there.stage.up(() => there.Thing("a", VALUE));
    there.world.on("delete a", () => {
      throw error;
    });
    await there.stage.failures(() => {});
    return there;
  }

  test("leaves the output that it says for the next declaration, which completes the resource", async () => {
    const { world, Thing, stage } = await leaving(half, { read: true });
    expect(stage.record("a")).toMatchObject({ status: "updating", output: { value: "half" }, deleteFailed: {} });
    world.calm();
    world.news();
    world.on("read a", () => ({ thing: "a#1", value: "half" }));
    world.on("update a", ({ output }) => void expect(output).toEqual({ thing: "a#1", value: "half" }));
    await stage.up(() => Thing("a", VALUE));
    expect(stage.record("a")).toMatchObject({ status: "ready" });
    expect(world.news()).toEqual(["read a", "update a"]);
  });

  test("leaves it for the next delete, and for the next try of the same run", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    const seen: unknown[] = [];
    world.on("delete a", ({ output }) => {
      if (seen.push(output) < 3) throw new Error("the service said so", { cause: half });
    });
    await stage.failures(async () => {
      const a = Thing("a", VALUE, { retry: { attempts: 2, delay: 0 } });
      await a;
      await expect(destroy(a)).rejects.toThrow();
    });
    await stage.up();
    expect(seen).toEqual([{ thing: "a#1", value: 1 }, half.output, half.output]);
  });

  test("cannot be completed by a type without update, and the error does not say that it has no read", async () => {
    const { Thing, stage } = await leaving(half, { read: true, update: false });
    const [error] = await stage.failures(() => Thing("a", VALUE));
    expect(error).toMatchObject({ code: "UNRESOLVED" });
    expect(String(error)).toContain("has no update handler that could complete it");
    expect(String(error)).not.toContain("read");
  });

  test("keeps the recorded output where the one that is left cannot be recorded", async () => {
    const { stage } = await leaving(new PartlyDeleted("odd", { thing: () => {} }));
    const output = { thing: "a#1", value: 1 };
    expect(stage.record("a")).toMatchObject({ status: "ready", output, deleteFailed: {} });
  });
});

test("a delete whose answer was lost: without read, the update that finds nothing says how to go on, and that works", async () => {
  const { world, Thing, stage } = newWorld();
  await stage.up(() => Thing("a"));
  world.on("delete a", () => {
    world.things.clear();
    throw new Error("connection lost");
  });
  await stage.failures(() => {});
  const [error] = await stage.failures(() => Thing("a"));
  expect(error).toMatchObject({
    code: "HANDLER_FAILED",
    message: expect.stringMatching(
      /no a#1\. The resource may be gone: its last delete failed \(.*\)\. If it is gone, run .*engine state forget app\/dev\/a/i,
    ),
  });
  await stageAdmin(stage.store, { app: "app", stage: "dev" }).forget(["app/dev/a"]);
  await stage.up(() => Thing("a"));
  expect(world.names).toEqual(["a#2"]);
});
