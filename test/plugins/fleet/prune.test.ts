/** Stages that left the list. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { named, type Tenants, tenants } from "./tenants.js";

/** A fleet of which some stages are recorded, and have left the list. */
async function without(count: number, left: readonly string[]): Promise<Tenants> {
  const made = tenants(named(count));
  await made.fleet().up();
  for (const name of left) made.stages.delete(name);
  made.log.length = 0;
  return made;
}

describe("stages that left the list", () => {
  test("are named, and destroyed only with prune", async () => {
    const made = await without(4, ["t1", "t3"]);
    const kept = await made.fleet().up();
    expect(kept).toMatchObject({ state: "done", left: ["t1", "t3"], stages: { total: 2 } });
    expect(await made.fleet().plan()).toMatchObject({ left: ["t1", "t3"] });
    const planned = await made.fleet({ prune: true }).plan();
    expect(planned).toMatchObject({ state: "done", changed: ["t1", "t3"], stages: { changed: 2, unchanged: 2 } });
    const refused = made.fleet({ prune: { max: 1 } }).plan();
    await expect(refused).rejects.toMatchObject({ code: "TOO_MANY_DELETES" });
    expect(made.log.filter((line) => line.startsWith("delete"))).toEqual([]);
    const pruned = await made.fleet({ prune: true }).up();
    expect(pruned).toMatchObject({ state: "done", resources: { deleted: 2 }, waves: [{}, { prune: true, total: 2 }] });
    expect(made.log.filter((line) => line.startsWith("delete")).toSorted()).toEqual(["delete t1", "delete t3"]);
    expect(pruned.left).toEqual([]);
    expect(await made.fleet().status()).toEqual(pruned);
    expect(await made.fleet().up()).toMatchObject({ left: [], stages: { total: 2 } });
  });

  test.each<readonly [max: number | `${number}%`, isAllowed: boolean]>([
    [0, false],
    [1, false],
    [2, true],
    ["19%", false],
    ["20%", true],
    ["29%", true],
    ["0%", false],
  ])("of ten, two: with prune { max: %j } it is %j that they are destroyed", async (max, isAllowed) => {
    const made = await without(10, ["t1", "t2"]);
    const up = made.fleet({ prune: { max } }).up();
    if (isAllowed) expect(await up).toMatchObject({ state: "done", resources: { deleted: 2 } });
    else {
      await expect(up).rejects.toMatchObject({ code: "TOO_MANY_DELETES" });
      expect(made.log).toEqual([]);
    }
  });

  test("are not destroyed for an empty list", async () => {
    const made = await without(2, ["t0", "t1"]);
    await expect(made.fleet({ prune: true }).up()).rejects.toThrow(
      'The list of stages is empty, and "prune" would destroy all 2 recorded stages. Nothing was started.',
    );
    expect(await made.fleet().destroy()).toMatchObject({ state: "done", stages: { changed: 2 } });
    expect(await made.fleet({ prune: true }).up()).toMatchObject({ state: "done", left: [] });
  });

  test("are not destroyed after failures, and retry destroys them", async () => {
    const made = await without(3, ["t1"]);
    made.stages.set("t0", { plan: "x", fails: true });
    const failed = await made.fleet({ prune: true }).up();
    expect(failed).toMatchObject({
      state: "failed",
      reason: "stages that left the list were not destroyed, because other stages failed",
      stages: { total: 3, failed: 1, unchanged: 1 },
    });
    made.stages.set("t0", { plan: "small" });
    expect(await made.fleet({ prune: true }).retry()).toMatchObject({ state: "done", resources: { deleted: 1 } });
    // The first two ran at once.
    expect(made.log.slice(0, 2).toSorted()).toEqual(["run t0", "run t2"]);
    expect(made.log.slice(2)).toEqual(["run t0", "delete t1"]);
  });

  test("which others read earlier are destroyed after these have run without them", async () => {
    const made = tenants(["base", "user"]);
    const log: string[] = [];
    let reads = true;
    const Note = Resource<object, object>("test:PrunedNote", {
      create: () => ({}),
      delete: () => void log.push("delete"),
    });
    const program = async (app: { readonly stage: string; outputs(given: object): Promise<void> }) => {
      log.push(`run ${app.stage}`);
      await app.outputs({ url: app.stage });
      await Note("note", {});
      if (app.stage === "user" && reads) await engine.ref("tenants", { stage: "base" });
    };
    made.stages.set("user", { plan: "x", after: ["base"] });
    await made.fleet({ program }).up();
    log.length = 0;
    reads = false;
    made.stages.delete("base");
    made.stages.set("user", { plan: "x" });
    expect(await made.fleet({ program, prune: true }).up()).toMatchObject({ state: "done" });
    expect(log).toEqual(["run user", "delete"]);
  });

  test("a protected resource makes the prune of its stage fail, and its record stays", async () => {
    const made = tenants(named(3), { store: memoryStore() });
    const Safe = Resource<object, object>("test:Safe", { create: () => ({}), delete: () => {} });
    const program = async (app: { readonly stage: string }) => {
      await Safe("safe", {}, { protect: app.stage === "t1" });
    };
    await made.fleet({ program }).up();
    made.stages.delete("t1");
    made.stages.delete("t2");
    const report = await made.fleet({ program, prune: true }).up();
    expect(report).toMatchObject({ state: "failed", resources: { deleted: 1 } });
    expect(report.failures).toMatchObject([{ code: "PROTECTED", count: 1, stages: ["t1"] }]);
    expect(await made.fleet({ program }).up()).toMatchObject({ state: "done", left: ["t1"] });
  });
});
