import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEventBus } from "../../../../core/plugin/events.js";
import { writeRuns } from "../../../../plugins/ui/sources/write-runs.js";
import { until } from "../../../helpers/time/until.js";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "write-runs-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const by = { user: "ann", host: "here", pid: 1 };
const info = (run: string) => ({ run, app: "shop", stage: "dev", phase: "up" as const, planned: false, by });
const id = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const LIMITS = { logs: 2_000, all: 4_000, runs: 3, bytes: 1_000_000 };
const web = { kind: "a:B", id: "web", fqn: "shop/dev/web" };

async function linesIn(path: string): Promise<readonly { readonly type: string; readonly message?: string }[]> {
  const [name = ""] = (await readdir(path)).sort().slice(-1);
  const text = await readFile(join(path, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("the events of a run are in a file of its own, for its user alone, and without secrets", async () => {
  const path = join(await folder(), "deep", "runs");
  const bus = createEventBus((text) => text.replaceAll("hunter2", "(secret)"));
  writeRuns(bus.source, { folder: path, failed: (why) => expect.unreachable(why) });
  bus.warn("EARLY", "before hunter2");
  bus.emit("run:started", info(id(1)));
  bus.emit("resource:log", { ...web, message: "the password is hunter2" });
  await until(async () => (await readdir(path)).length === 1);
  const [name = ""] = await readdir(path);
  expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
  const lines = await linesIn(path);
  expect(lines.map(({ type }) => type)).toEqual(["warning", "run:started", "resource:log"]);
  expect(JSON.stringify(lines)).not.toContain("hunter2");
});

test("a run that writes too much keeps its end, and says what it has dropped", async () => {
  const path = await folder();
  const bus = createEventBus();
  writeRuns(bus.source, { folder: path, failed: (why) => expect.unreachable(why), limits: LIMITS });
  bus.emit("run:started", info(id(1)));
  for (let index = 0; index < 1_000; index++) bus.emit("resource:log", { ...web, message: `line ${index}` });
  bus.emit("run:failed", { ...info(id(1)), code: "ABORTED", message: "over", causes: [], frames: [] });
  const lines = await linesIn(path);
  expect(lines.at(-1)).toMatchObject({ type: "run:failed" });
  expect(lines.at(-2)).toMatchObject({ type: "warning", code: "UI_EVENTS_DROPPED" });
  expect(lines.length).toBeLessThan(30);
});

test("the folder keeps the newest runs, and every file that is not one", async () => {
  const path = await folder();
  await writeFile(join(path, "notes.ndjson"), "mine");
  for (let run = 0; run < 6; run++) {
    const bus = createEventBus();
    writeRuns(bus.source, { folder: path, failed: (why) => expect.unreachable(why), limits: LIMITS });
    bus.emit("run:started", info(id(run)));
    bus.emit("run:failed", { ...info(id(run)), code: "ABORTED", message: "over", causes: [], frames: [] });
  }
  const names = await readdir(path);
  expect(names).toContain("notes.ndjson");
  expect(names).toHaveLength(4);
  for (const run of [3, 4, 5]) expect(names.some((name) => name.includes(id(run)))).toBe(true);
});

test("a folder that cannot be written is reported once, and the run goes on", async () => {
  const path = join(await folder(), "runs");
  const bus = createEventBus();
  const failed: string[] = [];
  writeRuns(bus.source, { folder: path, failed: (why) => failed.push(why) });
  await rm(path, { recursive: true });
  bus.emit("run:started", info(id(1)));
  bus.emit("run:failed", { ...info(id(1)), code: "ABORTED", message: "over", causes: [], frames: [] });
  expect(failed).toHaveLength(1);
  expect(failed[0]).toContain("ENOENT");
});
