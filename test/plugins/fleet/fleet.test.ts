import { describe, expect, test } from "vitest";
import type { FleetReport } from "../../../plugins/fleet/index.js";
import { Resource } from "../../../plugins/index.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { named, type Tenant, tenants } from "./tenants.js";

describe("up, plan, drift and destroy", () => {
  test("the report counts created, unchanged and destroyed stages", async () => {
    const made = tenants(named(5));
    const first = await made.fleet().up();
    expect(first).toMatchObject({ state: "done", stages: { total: 5, changed: 5 }, resources: { created: 5 } });
    expect(await made.fleet().up()).toMatchObject({ state: "done", stages: { total: 5, unchanged: 5, changed: 0 } });
    const gone = await made.fleet().destroy();
    expect(gone).toMatchObject({
      command: "destroy",
      state: "done",
      stages: { changed: 5 },
      resources: { deleted: 5 },
    });
  });

  test("another process reads the counts of a destroy that is done", async () => {
    const made = tenants(named(3));
    await made.fleet().up();
    const gone = await made.fleet().destroy();
    expect(await made.fleet().status()).toEqual(gone);
  });

  test("another process reads how many stages were skipped", async () => {
    const made = tenants(named(4));
    made.stages.set("t0", { plan: "gold", fails: true });
    made.stages.set("t1", { plan: "small", after: ["t0"] });
    const report = await made.fleet().up();
    expect(report.stages).toMatchObject({ total: 4, changed: 2, failed: 1, skipped: 1 });
    expect((await made.fleet().status())?.stages).toEqual(report.stages);
  });

  test("plan and drift leave every key of the store unchanged", async () => {
    const made = tenants(named(3));
    const empty = await made.fleet().plan();
    expect(empty).toMatchObject({ state: "done", stages: { total: 3, changed: 3 } });
    expect(empty.changed.toSorted()).toEqual(named(3));
    expect([...(await snapshot(made.store))]).toEqual([]);
    await made.fleet().up();
    made.stages.set("t1", { plan: "large" });
    const before = await snapshot(made.store);
    expect(await made.fleet().plan()).toMatchObject({ stages: { changed: 1, unchanged: 2 }, changed: ["t1"] });
    expect(await made.fleet().drift()).toMatchObject({ command: "drift", state: "done", stages: { total: 3 } });
    expect(await snapshot(made.store)).toEqual(before);
    expect(await made.fleet().status()).toMatchObject({ command: "up", stages: { changed: 3 } });
  });

  test("a destroy runs in the opposite order", async () => {
    const made = tenants(["a", "b", "c"]);
    made.stages.set("a", { plan: "x", after: ["b"] }).set("b", { plan: "x", after: ["c"] });
    await made.fleet().up();
    await made.fleet().destroy();
    expect(made.log).toEqual(["run c", "run b", "run a", "delete a", "delete b", "delete c"]);
  });
});

test("an empty list is named as the reason why nothing was done", async () => {
  const made = tenants([]);
  const report = await made.fleet().up();
  expect(report).toMatchObject({ state: "done", reason: "the list of stages is empty", stages: { total: 0 } });
  expect(await made.fleet().status()).toMatchObject({ reason: "the list of stages is empty" });
});

test("the number of a wave is 1 for its first wave, as in all texts", async () => {
  const made = tenants(named(40));
  const seen = new Set<number>();
  await made.fleet({ waves: ["50%", "100%"] }).up({ onStage: ({ wave }) => void seen.add(wave) });
  expect([...seen]).toEqual([1, 2]);
});

describe("drift", () => {
  const Thing = Resource("fleet-drift:Thing", {
    create: ({ props }: { props: { at: string } }) => ({ at: props.at, size: 1 }),
    read: ({ output }) => {
      const size = output && worldOf.get(output.at);
      return output && size !== undefined ? { ...output, size } : undefined;
    },
    delete: () => {},
  });
  const Blind = Resource("fleet-drift:Blind", { create: () => ({}), delete: () => {} });
  const worldOf = new Map<string, number>();

  test("names the drifted resources of each stage, and counts those that cannot be read", async () => {
    const made = tenants(["a", "b", "c"]);
    const things = made.fleet({
      program: async (app) => {
        for (let index = 0; index < 7; index++) {
          const at = `${app.stage}/r${index}`;
          worldOf.set(at, 1);
          await Thing(`r${index}`, { at });
        }
        await Blind("blind", {});
      },
    });
    await things.up();
    worldOf.set("a/r1", 2);
    worldOf.delete("a/r0");
    for (let index = 0; index < 7; index++) worldOf.set(`b/r${index}`, 3);
    const report = await things.drift();
    expect(report).toMatchObject({
      state: "done",
      stages: { changed: 2, unchanged: 1 },
      resources: { drifted: 8, gone: 1, unread: 3, unchanged: 12 },
    });
    expect(report.drifted?.a).toEqual({
      resources: [
        { resource: "r0", kind: "fleet-drift:Thing", gone: true },
        { resource: "r1", kind: "fleet-drift:Thing" },
      ],
    });
    expect(report.drifted?.b).toMatchObject({ more: 2, resources: { length: 5 } });
  });
});

describe("failures", () => {
  test("a stage whose dependency failed is skipped, and so are those that wait for it", async () => {
    const made = tenants(["a", "b", "c", "d"]);
    made.stages.set("a", { plan: "x", fails: true }).set("b", { plan: "x", after: ["a"] });
    made.stages.set("c", { plan: "x", after: ["b"] });
    const report = await made.fleet().up();
    expect(report).toMatchObject({ state: "failed", stages: { changed: 1, failed: 1, skipped: 2 } });
    expect(report.failures).toEqual([
      { code: "RUN_FAILED", count: 1, stages: ["a"], message: 'The plan "x" is not for sale.' },
    ]);
    expect(made.log.toSorted()).toEqual(["run a", "run d"]);
  });

  test("retry begins exactly the failed and the skipped stages", async () => {
    const made = tenants(named(6));
    made.stages.set("t1", { plan: "x", fails: true }).set("t2", { plan: "x", after: ["t1"] });
    await made.fleet().up();
    made.stages.set("t1", { plan: "x" });
    made.log.length = 0;
    const report = await made.fleet().retry();
    expect(report).toMatchObject({ state: "done", stages: { total: 6, changed: 6, failed: 0, skipped: 0 } });
    expect(made.log).toEqual(["run t1", "run t2"]);
    await expect(made.fleet().retry()).rejects.toThrow(
      'The fleet "tenants" has nothing to continue: its last run (up) is done.',
    );
  });

  test("maxFailures as a number stops the run, and a resume does not stop at once", async () => {
    const made = tenants(named(20), { fails: true });
    const one = { concurrency: 1, maxFailures: 2 };
    const stopped = await made.fleet(one).up();
    expect(stopped).toMatchObject({
      state: "stopped",
      reason: "3 of 3 stages failed, and maxFailures is 2",
      stages: { failed: 3 },
    });
    const resumed = await made.fleet(one).resume();
    expect(resumed).toMatchObject({ state: "stopped", stages: { failed: 6 } });
    for (const name of named(20)) made.stages.set(name, { plan: "small" });
    const retried = await made.fleet(one).retry();
    expect(retried).toMatchObject({ state: "done", stages: { total: 20, changed: 20, failed: 0 } });
    expect(made.log).toHaveLength(6 + 20);
  });

  test.each([
    ["49 failures of 49 stages do not stop it before the end of its wave", 49, 49, "failed", 49],
    ["49 failures stop it at the 50th stage", 49, 100, "stopped", 50],
    ["exactly 29 % do not stop it", 29, 100, "failed", 100],
    ["more than 29 % stop it", 30, 100, "stopped", 99],
  ])("maxFailures as a percentage: %s", async (_, failing, total, state, finished) => {
    const made = tenants(named(total));
    const bad = named(total).slice(failing === 49 ? 0 : total - failing, failing === 49 ? 49 : total);
    for (const name of bad) made.stages.set(name, { plan: "x", fails: true });
    const program = (_: unknown, { fails }: Tenant): void => {
      if (fails) throw new Error("It is not for sale.");
    };
    const report = await made.fleet({ program, concurrency: 1, maxFailures: "29%" }).up();
    expect(report.state).toBe(state);
    expect(report.stages.unchanged + report.stages.failed).toBe(finished);
  });

  test("a percentage counts at the end of a wave with few stages", async () => {
    const made = tenants(named(30), { fails: true });
    const report = await made.fleet({ maxFailures: "50%", waves: ["30%", "100%"] }).up();
    expect(report).toMatchObject({ state: "stopped", waves: [{ to: "30%" }, { to: "100%", finished: 0 }] });
    expect(report.waves[0]?.finished).toBe(report.waves[0]?.total);
  });

  test("stages whose input is not valid do not stop a resumed run before it begins", async () => {
    const made = tenants(named(6));
    const schema = (isStrict: () => boolean) => ({
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: async (value: unknown) =>
          isStrict() ? { issues: [{ message: "not now", path: ["plan"] }] } : { value: value as never },
      },
    });
    let isStrict = true;
    const input = schema(() => isStrict);
    const stopped = await made.fleet({ input, maxFailures: 2 }).up();
    expect(stopped).toMatchObject({ state: "stopped", stages: { failed: 6 } });
    expect(stopped.failures).toEqual([
      {
        code: "INVALID_PROPS",
        count: 6,
        stages: named(6),
        message: 'The input of "tenants/t0" is not valid:\n  - input.plan: not now',
      },
    ]);
    expect(await made.fleet({ input, maxFailures: 2 }).resume()).toMatchObject({ state: "failed" });
    isStrict = false;
    expect(await made.fleet({ input, maxFailures: 2 }).retry()).toMatchObject({
      state: "done",
      stages: { changed: 6 },
    });
  });

  test("two stages whose input is not valid count once, though one read the other before", async () => {
    const made = tenants(["a", "b", "c"]);
    const { engine } = await import("../../../plugins/index.js");
    const program = async (app: { readonly stage: string; outputs(given: object): Promise<void> }) => {
      await app.outputs({ url: app.stage });
      if (app.stage !== "a") await engine.ref("tenants", { stage: "a" });
    };
    await made.fleet({ program, concurrency: 1 }).up();
    const input = {
      "~standard": { version: 1 as const, vendor: "test", validate: () => ({ issues: [{ message: "no" }] }) },
    };
    const report = await made.fleet({ input }).up();
    expect(report.stages.failed + report.stages.skipped).toBe(3);
    expect(report.stages.total).toBe(3);
  });
});

test("the counts add up in every report", async () => {
  const made = tenants(named(60));
  for (const name of named(10)) made.stages.set(name, { plan: "x", fails: true });
  made.stages.set("t59", { plan: "x", after: ["t1"] });
  const reports: FleetReport[] = [];
  const ended: string[] = [];
  await made.fleet({ waves: ["20%", "100%"] }).up({
    onProgress: (report) => reports.push(report),
    onStage: ({ stage }) => ended.push(stage),
  });
  expect(new Set(ended).size).toBe(60);
  expect(ended).toHaveLength(60);
  const sum = ({ total: _, ...counts }: FleetReport["stages"]): number =>
    Object.values(counts).reduce((all, one) => all + one, 0);
  for (const { stages } of reports) expect(sum(stages)).toBeLessThanOrEqual(stages.total);
  const last = reports.at(-1);
  expect(last).toMatchObject({
    state: "failed",
    stages: { total: 60, changed: 49, failed: 10, skipped: 1, running: 0 },
  });
});

test("a callback that throws ends the run with its error, after running stages have ended", async () => {
  const made = tenants(named(40));
  const up = made.fleet().up({
    onStage: () => {
      throw new Error("out of paper");
    },
  });
  await expect(up).rejects.toThrow("out of paper");
  expect(await made.fleet().status()).toMatchObject({ state: "interrupted", stages: { running: 0 } });
  await expect(
    made.fleet().up({
      onProgress: () => {
        throw new Error("no screen");
      },
    }),
  ).rejects.toThrow("no screen");
  expect(await made.fleet().up()).toMatchObject({ state: "done" });
});
