import { expect, test } from "vitest";
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import { KeptRun } from "../../../../plugins/ui/sources/index.js";

const time = "2026-01-02T03:04:05.678Z";
const log = (message: string, type = "resource:log"): UiEvent => ({ type, time, fqn: "a/b/c", message });

async function all(run: KeptRun): Promise<readonly UiEvent[]> {
  const events: UiEvent[] = [];
  while (events.length < run.count) {
    for (const line of await run.read(events.length)) events.push(JSON.parse(line));
  }
  return events;
}

test.each(["resource:log", "process:log"])(
  "a run that tells too much by %s keeps no more log lines, then no more events but its end, and says so",
  async (type) => {
    const run = new KeptRun("1", { logs: 1000, all: 3000 });
    run.add({ type: "run:started", time, run: "1", app: "a", stage: "b", phase: "up", planned: false, by: {} });
    for (let index = 0; index < 100; index++) run.add(log(`line ${index}`, type));
    const lines = (await all(run)).filter((event) => event.type === type).length;
    expect(lines).toBeGreaterThan(5);
    expect(lines).toBeLessThan(15);
    for (let index = 0; index < 100; index++) run.add({ type: "resource:unchanged", time, fqn: `a/b/${index}` });
    run.add({ type: "run:finished", time, run: "1", ok: true, summary: {} });
    expect(run.size).toBeLessThan(4000);
    const events = await all(run);
    expect(events.filter((event) => event.type === "warning")).toMatchObject([
      { code: "UI_EVENTS_DROPPED", message: expect.stringContaining("no more lines of handlers and processes") },
      { code: "UI_EVENTS_DROPPED", message: expect.stringContaining("the end of the run") },
    ]);
    expect(events.at(-1)?.type).toBe("run:finished");
  },
);

test("a long line is kept in part", async () => {
  const run = new KeptRun("1");
  run.add(log("x".repeat(1_000_000)));
  expect(run.size).toBeLessThan(17_000);
  expect((await all(run))[0]?.message).toMatch(/^x+… \(984000 more characters\)$/);
});

test("what is read at once is bounded", async () => {
  const run = new KeptRun("1");
  for (let index = 0; index < 5000; index++) run.add(log(String(index)));
  expect(await run.read(0)).toHaveLength(2000);
  expect(await run.read(4999)).toHaveLength(1);
  expect(await run.read(5000)).toEqual([]);
});
