import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stringWidth from "string-width";
import { afterEach, describe, expect, it } from "vitest";
import { type Health, healthAddress, serveHealth } from "../../../plugins/cli/fleet/health.ts";
import { fleetFrame } from "../../../plugins/cli/fleet/live-frame.ts";
import { digestOf } from "../../../plugins/cli/fleet/load-fleet.ts";
import { nextCommands } from "../../../plugins/cli/fleet/next-commands.ts";
import { loadTheme, plainTheme } from "../../../plugins/console-output/theme.js";
import type { FleetReport, WorkerStatus } from "../../../plugins/fleet/index.js";
import { Pace } from "../../../plugins/internal/text/pace.ts";

const theme = plainTheme();
await loadTheme(theme, { out: false, err: false, isTerminal: true });

const counts = { changed: 2_900, unchanged: 90, failed: 9, skipped: 1 };
const begun = { total: 10_000, running: 16, queued: 0, stopped: 0, ...counts };
const report: FleetReport = {
  fleet: "tenants",
  run: "r",
  command: "up",
  version: "v",
  state: "running",
  began: "2026-01-01T00:00:00.000Z",
  duration: 9_000,
  stages: begun,
  waves: [
    { to: "5%", total: 500, finished: 500, changed: 499, unchanged: 0, failed: 1, skipped: 0 },
    { to: "25%", total: 2_000, finished: 2_000, changed: 2_000, unchanged: 0, failed: 0, skipped: 0 },
    { to: "100%", total: 7_500, finished: 500, changed: 401, unchanged: 90, failed: 8, skipped: 1 },
  ],
  resources: { created: 14_000 },
  slowest: [{ stage: "ada", duration: 3_200 }],
  failures: Array.from({ length: 30 }, (_, at) => ({
    code: "HANDLER_FAILED" as const,
    resource: `network/db${at}`,
    message: `create of "tenants/ada/network/db${at}" failed: connection refused`,
    count: 30 - at,
    stages: ["ada"],
  })),
  changed: [],
  left: [],
};
const shown = { report, rate: { perSecond: 312.4, left: 22_000 }, elapsed: 9_000, resume: "engine fleet resume" };

describe("the live view of a fleet", () => {
  it.each([
    [40, 10],
    [40, 24],
    [80, 24],
    [200, 50],
    [200, 3],
    [10, 2],
  ])("fits %i columns and %i rows", (columns, rows) => {
    const many = Array.from({ length: 40 }, () => report.waves[2] ?? []).flat();
    for (const waves of [report.waves, many]) {
      const lines = fleetFrame({ ...shown, report: { ...report, waves } }, { columns, rows }, theme);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThan(Math.max(2, rows));
      expect(lines.filter((line) => stringWidth(line) >= columns)).toEqual([]);
    }
  });

  it("shows the waves by outcome, the pace, the time left and the causes of failures", () => {
    const lines = fleetFrame(shown, { columns: 100, rows: 24 }, theme);
    expect(lines.slice(0, 7)).toEqual([
      "tenants up: running, 3000 of 10000 stages, 9 s",
      `  wave 1 (5%)     x${"█".repeat(59)} 500/500`,
      `  wave 2 (25%)    ${"█".repeat(60)} 2000/2000`,
      `  wave 3 (100%)   x-███▒${"·".repeat(54)} 500/7500`,
      "  x 9 failed  - 1 skipped  █ 2900 changed  ▒ 90 unchanged  · 7000 left",
      "  312 per second, 22 s left, 16 running",
      "  slowest: ada 3.2 s",
    ]);
    expect(lines[7]).toBe("  30 failed HANDLER_FAILED network/db0, e.g. ada: connection refused");
    expect(lines.at(-1)).toBe("  and 26 more causes");
  });

  it("tells running stages from queued ones, and names the workers that died", () => {
    const stages = { ...begun, queued: 1_984 };
    const view = { ...shown, report: { ...report, stages, workers: 4, workersLost: 1 } };
    const lines = fleetFrame(view, { columns: 100, rows: 24 }, theme);
    expect(lines).toContain("  312 per second, 22 s left, 16 running, 1984 queued, 4 workers, 1 worker died");
  });

  it("names the command that goes on if a wave waits", () => {
    const waiting = { ...report, state: "waiting" as const, reason: "wave 3 of 3 begins by hand" };
    const [title] = fleetFrame({ ...shown, report: waiting }, { columns: 200, rows: 24 }, theme);
    expect(title).toContain("waiting (wave 3 of 3 begins by hand); continue with: engine fleet resume");
  });
});

it("the next commands have only flags that they accept", () => {
  const next = nextCommands({ file: "t.ts", given: { queue: "redis://q", state: "./s" } });
  expect(next.fleet("retry")).toBe("engine fleet retry t.ts --state … --queue …");
  expect(next.fleet("status")).toBe("engine fleet status t.ts --state …");
  expect(next.outcome("ada")).toBe("engine fleet status t.ts --stage ada --state …");
  expect(next.look("drift", "ada")).toBe("engine fleet drift t.ts --stage ada --state …");
});

describe("the pace of a fleet", () => {
  it("covers the last ten seconds", () => {
    const pace = new Pace();
    const at = (changed: number): FleetReport => ({ ...report, stages: { ...begun, ...NONE, changed } });
    pace.add(at(0), 0);
    expect(pace.rate(at(0)).perSecond).toBeUndefined();
    for (let second = 1; second <= 30; second++) pace.add(at(second < 20 ? 0 : (second - 19) * 100), second * 1_000);
    expect(pace.rate(at(0))).toEqual({ perSecond: 100, left: 89_000 });
  });
});

const NONE = { unchanged: 0, failed: 0, skipped: 0 };

describe("the version of a program", () => {
  it("is the same in every folder, and differs if a file does", async () => {
    const [one, other] = await Promise.all([folderWith("1"), folderWith("1")]);
    const digest = (folder: string): string =>
      digestOf(
        ["main.ts", "lib/part.ts", "missing.ts"].map((name) => ({ path: join(folder, name), stamp: folder })),
        folder,
      );
    expect(digest(one)).toBe(digest(other));
    await writeFile(join(other, "main.ts"), "2");
    expect(digest(one)).not.toBe(digest(other));
    await Promise.all([one, other].map((folder) => rm(folder, { recursive: true })));
  });
});

async function folderWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleet-version-"));
  await writeFile(join(folder, "main.ts"), text);
  return folder;
}

describe("the health of a worker", () => {
  let health: Health | undefined;
  afterEach(() => health?.close());

  it("is 200 while it takes stages, else 503, and nothing else is served", async () => {
    let status: WorkerStatus | undefined;
    health = await serveHealth({ host: "127.0.0.1", port: 0 }, () => status);
    const url = `http://127.0.0.1:${health.address.port}`;
    const starting = await fetch(url);
    expect([starting.status, await starting.json()]).toEqual([503, { state: "starting" }]);
    const working = { fleet: "f", version: "v", state: "working", running: ["ada"], ended: 3, failed: 0, refused: 0 };
    status = working as WorkerStatus;
    const up = await fetch(url);
    expect([up.status, await up.json()]).toEqual([200, working]);
    status = { ...status, state: "disconnected" };
    expect((await fetch(url)).status).toBe(503);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });

  it("is served on this machine unless a host is named", () => {
    expect(healthAddress("8080")).toEqual({ host: "127.0.0.1", port: 8080 });
    expect(healthAddress("0.0.0.0:80")).toEqual({ host: "0.0.0.0", port: 80 });
    expect(healthAddress("[::1]:80")).toEqual({ host: "::1", port: 80 });
    expect(() => healthAddress("web")).toThrow(/--health must be a port/);
    expect(() => healthAddress("99999")).toThrow(/--health must be a port/);
  });
});
