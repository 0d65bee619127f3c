/** Bounds of the server's memory and time, for any amount of data. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import type { UiEvent } from "../../../plugins/ui/api/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { allRuns, KeptRun, LiveRuns, runFiles, stageSource } from "../../../plugins/ui/sources/index.js";
import { World } from "../../helpers/apps/world.js";
import { costRatio } from "../../helpers/checks/cost.js";
import { eventsIn, HTML, type Visitor, visit } from "./asking.js";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
const MB = 1_000_000;
const at = "/api/stages/app/dev";
const time = "2026-01-02T03:04:05.678Z";

/** Heap of this process, after a collection. */
function heap(): number {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

async function served(source: object): Promise<Visitor> {
  const runs = allRuns([]);
  const server = await startServer({ label: "", runs, redact: (text) => text, ...source }, { html: HTML });
  ends.push(() => server.close());
  return visit(server.url());
}

async function stageOf(program: (thing: ReturnType<World["type"]>) => Promise<unknown>): Promise<Visitor> {
  const stateStore = memoryStore();
  const Thing = new World().type();
  const options = { stage: "dev", stateStore, argv: [], env: {}, concurrency: 1000 };
  await createEngine().up("app", options, () => program(Thing));
  const stages = stageSource(stateStore, { env: {} });
  ends.push(() => stages.close());
  return served({ stages });
}

test("a run of 200,000 events takes what its lines take, and where they are of a file, their places", async ({
  task,
}) => {
  const info = { run: "1", app: "a", stage: "b", phase: "up", planned: false, by: { user: "a", host: "b", pid: 1 } };
  const events = function* (): Generator<UiEvent> {
    yield { type: "run:started", time, ...info };
    for (let n = 0; n < 199_998; n++) {
      yield { type: "resource:log", time, fqn: `a/b/thing-${n % 1000}`, kind: "a:B", message: `line ${n} of the run` };
    }
    yield { type: "run:finished", time, ...info, ok: true, interrupted: false, duration: 1, summary: {}, errors: [] };
  };
  const before = heap();
  const runs = new LiveRuns();
  const run = new KeptRun("1");
  runs.add(run);
  for (const event of events()) run.add(event);
  const live = await served({ runs });
  expect(eventsIn((await live.get("/api/runs/1/events?from=199000")).text)).toHaveLength(1000);
  const kept = heap() - before;
  const folder = await mkdtemp(join(tmpdir(), "bounds-"));
  ends.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "run.ndjson"), [...events()].map((event) => `${JSON.stringify(event)}\n`).join(""));
  const empty = heap();
  const files = await runFiles(folder);
  ends.push(() => files.close());
  const filed = await served({ runs: files });
  expect(eventsIn((await filed.get("/api/runs/1/events?from=199000")).text)).toHaveLength(1000);
  const placed = heap() - empty;
  task.meta.note = `200,000 events: ${(kept / MB).toFixed(0)} MB kept (${(run.size / MB).toFixed(0)} MB of lines), ${(placed / MB).toFixed(0)} MB of a file`;
  // One byte a character; each line is kept in two parts, and JSON.stringify() gives each part a header.
  expect(kept).toBeLessThan(run.size + 200_000 * 160);
  // Two numbers for each event.
  expect(placed).toBeLessThan(15 * MB);
}, 120_000);

test("a stage of 100,000 takes as much as two copies of it, however often it is looked at", async ({ task }) => {
  const { get } = await stageOf(async (Thing) => {
    for (let from = 0; from < 100_000; from += 10_000) {
      await Promise.all(Array.from({ length: 10_000 }, (_, n) => Thing(`t${from + n}`)));
    }
  });
  const before = heap();
  const [head] = (await get(`${at}/history`)).json;
  const look = async (): Promise<void> => {
    for (let from = 0; from < 100_000; from += 25_000) await get(`${at}/resources?from=${from}`);
    for (const path of ["search?q=t999", "neighbours?fqn=app/dev/t7", "values?fqn=app/dev/t7", "history"]) {
      expect((await get(`${at}/${path}`)).status).toBe(200);
    }
    await get(`${at}/resources?seq=${head.seq}`);
  };
  await look();
  const once = heap() - before;
  await look();
  await look();
  const often = heap() - before;
  task.meta.note = `a stage of 100,000: ${(once / MB).toFixed(0)} MB, looked at again and again ${(often / MB).toFixed(0)} MB`;
  // About a kilobyte for each resource, with its row and its edges; two views are kept.
  expect(often).toBeLessThan(200 * MB);
  expect(often - once).toBeLessThan(30 * MB);
}, 300_000);

test("a value of 10 MB is answered in parts, each of which takes about as long as to write and read it once", async ({
  task,
}) => {
  const value = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [`key-${n}`, { text: "y".repeat(60), list: [1, 2, 3] }]),
  );
  const { get } = await stageOf((Thing) => Thing("big", { value }));
  const { seq } = (await get(at)).json;
  const took: string[] = [];
  const part = `part?fqn=app/dev/big&seq=${seq}&path=/props/value`;
  for (const path of ["resource?fqn=app/dev/big", `${part}&from=500`, `${part}&from=99990`, "search?q=yyyy"]) {
    const ratio = await costRatio(
      async () => {
        const { status, text } = await get(`${at}/${path}`);
        expect([path, status]).toEqual([path, 200]);
        expect(text.length).toBeLessThan(200_000);
      },
      () => JSON.parse(JSON.stringify(value)),
    );
    took.push(`${path.split("?")[0]} ${ratio.toFixed(1)} times as long`);
    // Usually less than once. Code that scans the whole value before each member would take hundreds of times as long.
    if (!path.startsWith("search")) expect(ratio).toBeLessThan(6);
  }
  task.meta.note = `of a value of 10 MB, beside JSON: ${took.join(", ")}`;
}, 600_000);
