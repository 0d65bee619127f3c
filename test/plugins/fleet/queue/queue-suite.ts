/** A fleet with real workers on a queue, killed and interrupted in every way. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import type { FleetReport } from "../../../../plugins/fleet/index.js";
import { fleetStatus } from "../../../../plugins/fleet/status.js";
import { until } from "../../../helpers/time/until.js";
import { Crew, type Member, reportOf } from "./crew.js";
import { countIn, madeIn, type TenantsOptions } from "./tenants.js";

export interface QueueUnderTest {
  readonly url: string;
  /** Empties the queue, as a flush or a lost disk does. */
  flush(): Promise<void>;
  texts(): Promise<readonly string[]>;
  restart(): Promise<void>;
  /** Makes the server refuse writes, or accept them again. */
  refuseWrites(refuses: boolean): Promise<void>;
}

export type Rounds = Readonly<Record<"workers" | "conductors" | "restarts" | "flushes", number>>;

export function queueSuite(open: () => QueueUnderTest, rounds: Rounds): void {
  const ends: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function crew(settings: Omit<TenantsOptions, "state" | "world">): Promise<Crew> {
    const folder = await mkdtemp(join(tmpdir(), "fleet-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const made = new Crew(open().url, { ...settings, state: join(folder, "state"), world: join(folder, "world") });
    ends.push(() => made.end());
    return made;
  }

  /** Each resource of each stage was made exactly once. */
  function expectComplete({ settings }: Crew, plan = "small"): void {
    const { stages, resources = 3, world } = settings;
    const made = madeIn(world).map((one) => `${one.stage}/${one.id} ${one.plan}`);
    const wanted = Array.from({ length: stages }, (_, stage) =>
      Array.from({ length: resources }, (_, index) => `t${stage}/r${index} ${plan}`),
    ).flat();
    expect(made.sort()).toEqual(wanted.sort());
  }

  function expectDone(report: FleetReport): void {
    expect(report).toMatchObject({ state: "done", stages: { failed: 0, skipped: 0, stopped: 0, running: 0 } });
    expect(report.stages.changed + report.stages.unchanged).toBe(report.stages.total);
  }

  /** Conducts until a run ends; a conductor that lost its server is started again. */
  async function conducted(made: Crew, first: Member): Promise<FleetReport> {
    for (let conductor = first; ; conductor = made.start("up")) {
      await conductor.ended;
      if (conductor.lines.some((line) => line.startsWith("report "))) return reportOf(conductor);
    }
  }

  test("two workers make, keep, change, plan, compare and destroy all stages", async () => {
    const made = await crew({ stages: 40 });
    await made.workers(2);
    expect((await made.conduct("plan")).stages).toMatchObject({ changed: 40 });
    const up = await made.conduct("up");
    expectDone(up);
    expect(up.resources).toEqual({ created: 120 });
    expectComplete(made);
    expect((await made.conduct("up")).stages).toMatchObject({ unchanged: 40 });
    expect((await made.conduct("drift")).stages).toMatchObject({ unchanged: 40 });
    made.settings = { ...made.settings, plan: "large" };
    expectDone(await made.conduct("up"));
    expectComplete(made, "large");
    expect(await made.conduct("destroy")).toMatchObject({ state: "done", resources: { deleted: 120 } });
    expect(madeIn(made.settings.world)).toEqual([]);
  });

  test("failed stages are named with their message, which no job holds, and run again by retry", async () => {
    const made = await crew({ stages: 10, failing: ["t3", "t7"] });
    const [worker] = await made.workers(1);
    const report = await made.conduct("up");
    expect(report).toMatchObject({ state: "failed", stages: { changed: 8, failed: 2 } });
    expect(report.failures).toEqual([
      expect.objectContaining({ code: "RUN_FAILED", count: 2, message: expect.stringMatching(/^broken: t[37]$/) }),
    ]);
    expect((await open().texts()).filter((text) => text.includes("broken"))).toEqual([]);
    await worker?.kill();
    made.settings = { ...made.settings, failing: [] };
    await made.workers(1);
    expect(await made.conduct("retry")).toMatchObject({ state: "done", stages: { changed: 10, failed: 0 } });
    expectComplete(made);
  });

  test("two causes are two groups, also for another process, and a plan has no message of an earlier up", async () => {
    const made = await crew({ stages: 10, failing: ["t3", "t7"], refused: ["t1", "t4", "t9"] });
    await made.workers(1);
    const groups = [
      expect.objectContaining({ count: 3, message: expect.stringMatching(/^the quota of t[149] is used up$/) }),
      expect.objectContaining({ count: 2, message: expect.stringMatching(/^broken: t[37]$/) }),
    ];
    expect((await made.conduct("up")).failures).toEqual(groups);
    const status = await fleetStatus("tenants", { stateStore: fsStoreAt(made.settings.state), env: {} });
    expect(status?.report.failures).toEqual(groups);
    expect((await open().texts()).filter((text) => /quota|broken/.test(text))).toEqual([]);
    await made.end();
    made.settings = { ...made.settings, failing: ["t1"], refused: [] };
    await made.workers(1);
    expect((await made.conduct("plan")).failures).toEqual([{ code: "RUN_FAILED", count: 1, stages: ["t1"] }]);
  });

  test("a stage that kills its workers fails, and the others end", async () => {
    const made = await crew({ stages: 12, killers: ["t5"] });
    const conductor = made.start("up");
    let isOver = false;
    const keeping = (async () => {
      while (!isOver) await made.start("worker").ended;
    })();
    const report = await reportOf(conductor);
    isOver = true;
    await made.end();
    await keeping;
    expect(report.failures).toEqual([expect.objectContaining({ code: "WORKER_LOST", count: 1, stages: ["t5"] })]);
    // A stage that was done when its worker died, and not reported yet, runs again and changes nothing.
    expect(report.stages.changed + report.stages.unchanged).toBe(11);
  }, 300_000);

  test("a server that refuses writes for a while fails no stage", async () => {
    const made = await crew({ stages: 12, delay: 100, concurrency: 4 });
    const [worker] = await made.workers(1);
    const conductor = made.start("up");
    await until(() => countIn(made.settings.world) > 3);
    await open().refuseWrites(true);
    ends.push(() => open().refuseWrites(false));
    await worker?.said("warning QUEUE_FAILED");
    await open().refuseWrites(false);
    expectDone(await reportOf(conductor));
    expectComplete(made);
  });

  test("a worker that is killed is reported with its stages, and counted, also for other processes", async () => {
    const made = await crew({ stages: 6, delay: 600_000, concurrency: 3 });
    const [first] = await made.workers(2);
    const conductor = made.start("up");
    await until(() => conductor.lines.some((line) => /"running":6,"queued":0/.test(line)));
    await first?.kill();
    const warning = await conductor.said("warning WORKER_GONE ");
    expect(warning).toMatch(/^A worker died or lost the connection while running t\d, t\d, t\d: \d+\.[0-9a-f]{4}@/);
    const lost = async () => await fleetStatus("tenants", { stateStore: fsStoreAt(made.settings.state), env: {} });
    await until(async () => (await lost())?.report.workersLost === 1);
    await made.conduct("cancel");
    expect(await reportOf(conductor)).toMatchObject({ state: "cancelled", workersLost: 1 });
  });

  test("a worker that ends by a signal is not reported as dead", async () => {
    const made = await crew({ stages: 30, delay: 100, concurrency: 2 });
    const [first] = await made.workers(2);
    const conductor = made.start("up");
    await until(() => countIn(made.settings.world) > 2);
    first?.process.kill("SIGTERM");
    const report = await reportOf(conductor);
    expect(report).toMatchObject({ state: "done", workersLost: 0 });
    expect(conductor.lines.filter((line) => line.startsWith("warning WORKER_GONE"))).toEqual([]);
  });

  test("a worker that is to end lets short stages end, and hands back long ones", async () => {
    const made = await crew({ stages: 8, delay: 400, concurrency: 4 });
    const [first] = await made.workers(1);
    const conductor = made.start("up");
    await until(() => countIn(made.settings.world) > 0);
    first?.process.kill("SIGTERM");
    await first?.said("ended ");
    await made.workers(1);
    expectDone(await reportOf(conductor));
    expectComplete(made);
  });

  test("an interrupted conductor takes its jobs back, and the next one continues", async () => {
    const made = await crew({ stages: 60, delay: 30, concurrency: 2 });
    await made.workers(1);
    const first = made.start("up");
    await until(() => countIn(made.settings.world) > 3);
    first.process.kill("SIGINT");
    const interrupted = await reportOf(first);
    expect(interrupted.state).toBe("interrupted");
    const report = await made.conduct("up");
    expect(report.run).toBe(interrupted.run);
    expectDone(report);
    expectComplete(made);
  });

  test("a cancel interrupts stages that workers are running, and the workers take the next run", async () => {
    const made = await crew({ stages: 8, delay: 600_000, concurrency: 2 });
    await made.workers(2);
    const conductor = made.start("up");
    await until(() => countIn(made.settings.world) > 2);
    await made.conduct("cancel");
    expect(await reportOf(conductor)).toMatchObject({ state: "cancelled", stages: { changed: 0, failed: 0 } });
    made.settings = { ...made.settings, delay: 0 };
    await made.end();
    await made.workers(1);
    expectDone(await made.conduct("up"));
    expectComplete(made);
  });

  test("a cancelled run is continued by a retry, with the workers that were cancelled", async () => {
    const made = await crew({ stages: 60, delay: 60, concurrency: 2 });
    await made.workers(1);
    const conductor = made.start("up");
    await until(() => countIn(made.settings.world) > 4);
    await made.conduct("cancel");
    const cancelled = await reportOf(conductor);
    expect(cancelled.state).toBe("cancelled");
    const report = await made.conduct("retry");
    expect(report.run).toBe(cancelled.run);
    expectDone(report);
    expectComplete(made);
  });

  test("a conductor without workers of its version says so, and goes on when one comes; both warn once of a state in files", async () => {
    const made = await crew({ stages: 3, version: "1" });
    for (const others of ['"tenants". A worker needs', '"tenants". 1 worker of this fleet has another version']) {
      const conductor = made.start("up");
      expect(await conductor.said("warning NO_WORKERS")).toContain(others);
      const all = [conductor, ...(await made.workers(1))];
      expectDone(await reportOf(conductor));
      for (const { lines } of all) expect(lines.filter((one) => one.startsWith("warning LOCAL_"))).toHaveLength(1);
      made.settings = { ...made.settings, version: "2" };
    }
  });

  test.runIf(rounds.workers > 0)(
    `${rounds.workers} kills of workers lose no stage, and make nothing twice`,
    async () => {
      const made = await crew({ stages: 40 * Math.ceil(rounds.workers / 10), delay: 15, concurrency: 4 });
      const workers = await made.workers(3);
      const conductor = made.start("up");
      for (let round = 0; round < rounds.workers; round++) {
        await pause(Math.random() * 600);
        await workers[round % 3]?.kill();
        workers[round % 3] = made.start("worker");
      }
      const report = await reportOf(conductor);
      if (report.state !== "done") expectDone(await made.conduct("retry"));
      expectComplete(made);
    },
    1_800_000,
  );

  test.runIf(rounds.conductors > 0)(
    `${rounds.conductors} kills of conductors lose no stage`,
    async () => {
      const made = await crew({ stages: 20 * rounds.conductors, delay: 15, concurrency: 4 });
      await made.workers(2);
      for (let round = 0; round < rounds.conductors; round++) {
        const conductor = made.start("up");
        await Promise.race([conductor.said("progress "), conductor.ended]);
        await pause(Math.random() * 700);
        await conductor.kill();
      }
      expectDone(await conducted(made, made.start("up")));
      expectComplete(made);
    },
    900_000,
  );

  test.runIf(rounds.restarts > 0)(
    `${rounds.restarts} restarts of the queue's server lose no stage`,
    async () => {
      const made = await crew({ stages: 40 * rounds.restarts, delay: 15, concurrency: 4 });
      await made.workers(2);
      const conductor = made.start("up");
      for (let round = 0; round < rounds.restarts; round++) {
        await pause(Math.random() * 1_000);
        await open().restart();
      }
      expectDone(await conducted(made, conductor));
      expectComplete(made);
    },
    900_000,
  );

  test.runIf(rounds.flushes > 0)(
    `${rounds.flushes} flushes of the queue lose no stage`,
    async () => {
      const made = await crew({ stages: 60 * rounds.flushes, delay: 15, concurrency: 4 });
      await made.workers(2);
      const conductor = made.start("up");
      for (let round = 0; round < rounds.flushes; round++) {
        await pause(500 + Math.random() * 1_000);
        await open().flush();
      }
      expectDone(await conducted(made, conductor));
      expectComplete(made);
    },
    900_000,
  );
}
