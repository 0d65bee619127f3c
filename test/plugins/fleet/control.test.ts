/** Requests to a fleet run, and its signal. */
import { describe, expect, test } from "vitest";
import { type FleetReport, fleet } from "../../../plugins/fleet/index.js";
import { type Gate, gate } from "../../helpers/time/gate.js";
import { inSimulatedTime } from "../../helpers/time/in-simulated-time.js";
import { until } from "../../helpers/time/until.js";
import { named, type Tenants, tenants } from "./tenants.js";

/** A fleet whose stages wait for a gate or their signal. Resolves when the first of them runs. */
async function running(
  made: Tenants,
  { concurrency = 2, signal }: { concurrency?: number; signal?: AbortSignal } = {},
) {
  const hold: Gate = gate();
  const states: string[] = [];
  const program = async (app: { readonly stage: string; readonly signal: AbortSignal }): Promise<void> => {
    made.log.push(`run ${app.stage}`);
    if (app.signal.aborted) return;
    await Promise.race([hold.opened, new Promise((resolve) => app.signal.addEventListener("abort", resolve))]);
  };
  const onProgress = ({ state }: FleetReport): void => void (states.at(-1) === state || states.push(state));
  const done = made.fleet({ program, concurrency }).up({ signal, onProgress });
  await until(() => made.log.length > 0);
  return { done, hold, states, program };
}

describe("requests from another process", () => {
  test("pause lets running stages end and begins no more, until resume", async () => {
    const made = tenants(named(6));
    const { done, hold, states } = await running(made);
    expect(await made.fleet().pause()).toMatchObject({ state: "running" });
    await until(() => states.includes("paused"));
    hold.open();
    await until(async () => (await made.fleet().status())?.stages.unchanged === 2);
    expect(await made.fleet().status()).toMatchObject({ state: "paused", reason: expect.stringMatching(/^by .+@.+/) });
    expect(made.log).toHaveLength(2);
    await made.fleet().resume();
    expect(await done).toMatchObject({ state: "done", stages: { unchanged: 6 } });
    expect(states).toEqual(["running", "paused", "running", "done"]);
  });

  test("cancel interrupts running stages, and the next up is a new run", async () => {
    const made = tenants(named(6));
    const { done } = await running(made);
    await made.fleet().cancel();
    const report = await done;
    expect(report).toMatchObject({ state: "cancelled", stages: { stopped: 2, running: 0 } });
    expect((await made.fleet().status())?.stages).toEqual(report.stages);
    const next = await made.fleet().up();
    expect(next).toMatchObject({ state: "done", stages: { changed: 6 } });
    expect(next.run).not.toBe(report.run);
  });

  test("a run that is paused can be interrupted, and stays paused until resume", async () => {
    const made = tenants(named(6));
    const controller = new AbortController();
    const { done, hold, states } = await running(made, { signal: controller.signal });
    await made.fleet().pause();
    await until(() => states.includes("paused"));
    hold.open();
    await until(async () => (await made.fleet().status())?.stages.unchanged === 2);
    controller.abort();
    expect(await done).toMatchObject({ state: "paused" });
    expect(await made.fleet().status()).toMatchObject({ state: "paused" });
    expect(await made.fleet().resume()).toMatchObject({ state: "done", stages: { unchanged: 2, changed: 4 } });
  });

  test("a request from before this process is not obeyed", async () => {
    const made = tenants(named(6));
    const controller = new AbortController();
    const { done, hold, states } = await running(made, { signal: controller.signal });
    await made.fleet().pause();
    await until(() => states.includes("paused"));
    hold.open();
    await until(async () => (await made.fleet().status())?.stages.unchanged === 2);
    controller.abort();
    await done;
    // Long enough for two readings of the requests.
    let steps = 0;
    const report = await made
      .fleet({ concurrency: 1, limit: { key: () => "", rate: { max: 1, duration: 600 } } })
      .up({ onStage: () => void steps++ });
    expect(report).toMatchObject({ state: "done" });
    expect(steps).toBe(4);
  });

  test("a request that is sent while the stages are listed is obeyed", async () => {
    const made = tenants(named(3));
    const waves = ["0.1%", { to: "100%", start: "manual" }] as const;
    await made.fleet({ waves }).up({ wait: false });
    const [listing, listed] = [gate(), gate()];
    const next = made
      .fleet({
        waves,
        stages: async function* () {
          listing.open();
          await listed.opened;
          yield* [...made.stages].map(([stage, input]) => ({ stage, input }));
        },
      })
      .up();
    await listing.opened;
    await made.fleet().cancel();
    listed.open();
    expect(await next).toMatchObject({ state: "cancelled" });
    expect(made.log).toEqual([]);
  });

  test("two requests at once are both recorded", async () => {
    const made = tenants(named(2));
    const { done } = await running(made);
    await Promise.all([made.fleet().pause(), made.fleet().cancel(), made.fleet().pause()]);
    await made.fleet().cancel();
    expect(await done).toMatchObject({ state: "cancelled" });
  });

  test("without a conductor, cancel marks an unfinished run, and other requests say that none runs", async () => {
    const made = tenants(named(3));
    const waves = ["0.1%", { to: "100%", start: "manual" }] as const;
    for (const request of ["pause", "cancel"] as const)
      await expect(made.fleet()[request]()).rejects.toThrow('The fleet "tenants" has no recorded run in the state at ');
    await expect(made.fleet().resume()).rejects.toThrow(
      "has no recorded run in the state at memory. Start a run with up().",
    );
    await made.fleet({ waves }).up({ wait: false });
    expect(await made.fleet().pause()).toMatchObject({ state: "paused", reason: expect.stringMatching(/^by /) });
    expect(await made.fleet({ waves }).up({ wait: false })).toMatchObject({ state: "waiting" });
    expect(await made.fleet().cancel()).toMatchObject({ state: "cancelled", reason: expect.stringMatching(/^by /) });
    expect(await made.fleet().status()).toMatchObject({ state: "cancelled" });
    await expect(made.fleet().cancel()).rejects.toMatchObject({ code: "NOT_RECORDED" });
    expect(await made.fleet({ waves }).resume({ wait: false })).toMatchObject({ state: "done" });
  });
});

describe("the signal", () => {
  test("aborted before the start: nothing begins", async () => {
    const made = tenants(named(3));
    const report = await made.fleet().up({ signal: AbortSignal.abort() });
    expect(report).toMatchObject({ state: "interrupted", stages: { total: 0, running: 0 } });
    expect(made.log).toEqual([]);
  });

  test("aborted in mid-run: running stages are interrupted, and the next up continues the run", async () => {
    const made = tenants(named(5));
    const controller = new AbortController();
    const { done } = await running(made, { signal: controller.signal });
    controller.abort();
    const report = await done;
    expect(report).toMatchObject({ state: "interrupted", stages: { running: 0 } });
    expect(await made.fleet().status()).toMatchObject({ state: "interrupted" });
    expect(await made.fleet().up()).toMatchObject({ state: "done", run: report.run, stages: { changed: 5 } });
  });

  test("a program that waits for nothing else ends with its signal", async () => {
    const made = tenants(["a"]);
    const controller = new AbortController();
    const up = made
      .fleet({
        program: (app) => {
          queueMicrotask(() => controller.abort());
          return new Promise((_, reject) => app.signal.addEventListener("abort", () => reject(new Error("over"))));
        },
      })
      .up({ signal: controller.signal });
    expect(await up).toMatchObject({ state: "interrupted" });
  });
});

describe("a stage that ignores its signal", () => {
  test.each(["interrupted", "cancelled"] as const)("does not hold a run that is %s", async (state) => {
    const warnings: string[] = [];
    const report = await inSimulatedTime(async () => {
      const made = tenants(["deaf"]);
      const controller = new AbortController();
      const program = (): Promise<void> => {
        if (state === "interrupted") controller.abort();
        else void made.fleet().cancel();
        return new Promise(() => {});
      };
      const onWarning = (code: string, message: string): void => void warnings.push(`${code} ${message}`);
      return made.fleet({ program }).up({ signal: controller.signal, onWarning });
    });
    expect(report).toMatchObject({ state, stages: { running: 0 } });
    expect(warnings).toEqual([
      expect.stringMatching(/^STAGE_LEFT The stage "deaf" still runs 10 s after it was interrupted/),
    ]);
  });
});

describe("a run that waits at a gate", () => {
  const waves = ["0.1%", { to: "100%", start: "manual" }] as const;

  test.each(["cancel", "pause"] as const)("and got a %s needs one resume, not two", async (request) => {
    const made = tenants(named(3));
    await made.fleet({ waves }).up({ wait: false });
    await made.fleet()[request]();
    expect(await made.fleet({ waves }).resume({ wait: false })).toMatchObject({
      state: "done",
      stages: { changed: 3 },
    });
  });

  test("and is paused by its conductor begins its wave with one resume", async () => {
    const made = tenants(named(3));
    const states: string[] = [];
    const done = made.fleet({ waves }).up({ onProgress: ({ state }) => void states.push(state) });
    await until(() => states.at(-1) === "waiting");
    expect(await made.fleet().pause()).toMatchObject({ state: "waiting" });
    await until(() => states.at(-1) === "paused");
    expect(await made.fleet().pause()).toMatchObject({ state: "paused" });
    await made.fleet().resume();
    expect(await done).toMatchObject({ state: "done", stages: { changed: 3 } });
  });
});

describe("a run that is continued", () => {
  const waves = ["0.1%", { to: "100%", start: "manual" }] as const;

  test("with a changed program names the stages that ended with the old one, also in the status", async () => {
    const made = tenants(named(4));
    made.stages.set("t1", { plan: "x", fails: true });
    await made.fleet({ version: "1" }).up();
    made.stages.set("t1", { plan: "x" });
    const report = await made.fleet({ version: "2" }).retry();
    expect(report).toMatchObject({ state: "done", version: "2", outdated: { count: 3 } });
    expect(report.outdated?.stages.toSorted()).toEqual(["t0", "t2", "t3"]);
    expect((await made.fleet().status())?.outdated?.count).toBe(3);
    expect((await made.fleet({ version: "2" }).up()).outdated).toBeUndefined();
  });

  test("with the same program names none", async () => {
    const made = tenants(named(3));
    await made.fleet({ waves }).up({ wait: false });
    expect((await made.fleet({ waves }).resume()).outdated).toBeUndefined();
  });

  test("says that --force does not reach the stages that have ended", async () => {
    const made = tenants(named(6));
    const first = ["50%", { to: "100%", start: "manual" }] as const;
    await made.fleet({ waves: first }).up({ wait: false });
    const warnings: string[] = [];
    const onWarning = (code: string, message: string): void => void warnings.push(`${code} ${message}`);
    await made.fleet({ waves: first }).up({ wait: false, defaults: { force: true }, onWarning });
    expect(warnings).toEqual([expect.stringMatching(/^CONTINUED .* --force does not reach the \d stages/)]);
  });
});

test("a run that was paused before its gate still waits at the gate", async () => {
  const made = tenants(named(6));
  const waves = ["50%", { to: "100%", start: "manual" }] as const;
  const controller = new AbortController();
  const first = made
    .fleet({ waves, concurrency: 1 })
    .up({ signal: controller.signal, wait: false, onStage: () => controller.abort() });
  expect(await first).toMatchObject({ state: "interrupted" });
  await made.fleet().pause();
  expect(await made.fleet({ waves }).resume({ wait: false })).toMatchObject({ state: "waiting" });
});

test("resume of a run that another process is running says so", async () => {
  const made = tenants(named(3));
  const { done, hold } = await running(made);
  expect(await made.fleet().resume()).toMatchObject({ state: "running" });
  hold.open();
  expect(await done).toMatchObject({ state: "done" });
  await expect(made.fleet().pause()).rejects.toThrow("is not running: its last run (up) is done.");
});

test("a second conductor is refused, or waits with lockTimeout", async () => {
  const made = tenants(named(2));
  const { done, hold } = await running(made);
  await expect(made.fleet().up()).rejects.toMatchObject({ code: "STATE_LOCKED" });
  await expect(made.fleet().destroy()).rejects.toMatchObject({ code: "STATE_LOCKED" });
  const second = made.fleet().up({ lockTimeout: 60_000 });
  expect(await made.fleet().plan()).toMatchObject({ state: "done", stages: { changed: 2 } });
  hold.open();
  const first = await done;
  expect(first).toMatchObject({ state: "done" });
  const report = await second;
  expect(report).toMatchObject({ state: "done", stages: { changed: 2 } });
  expect(report.run).not.toBe(first.run);
});

test("another fleet on the same store is independent", async () => {
  const made = tenants(named(2));
  const { done, hold } = await running(made);
  const other = fleet("others", {
    stages: [{ stage: "a", input: 1 }],
    program: () => {},
    options: { stateStore: made.store },
  });
  expect(await other.up()).toMatchObject({ state: "done" });
  hold.open();
  await done;
});
