/** A run of 1,000 events a second, from its process to the display of a real browser. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../plugins/ui/server/index.js";
import { KeptRun, LiveRuns } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";
import { watchedSecond } from "./page/watching.js";

const time = new Date().toISOString();
const head = { run: "1", app: "shop", stage: "dev", phase: "up", planned: false, by: { user: "a", host: "b", pid: 1 } };
const SECONDS = isLong ? 60 : 10;

describeUnless(lacksBrowser, "a run of 1,000 events a second", () => {
  test("is shown to its last event, by work that does not grow with the run, and in bounded memory", async ({
    task,
  }) => {
    const [browser, html] = await Promise.all([openBrowser(), builtPage()]);
    onTestFinished(() => browser.close());
    const runs = new LiveRuns();
    const run = new KeptRun("1");
    runs.add(run);
    run.add({ type: "run:started", time, ...head });
    const server = await startServer({ label: "runs", runs, redact: (text) => text }, { html });
    onTestFinished(() => server.close());
    const { page } = await openPage(browser, server.url("/runs/1"), { device: "desktop", colors: "light" });
    await page.getByText("live", { exact: true }).waitFor();
    const works: number[] = [];
    for (let second = 0; second < SECONDS; second++) works.push(await watchedSecond(page, run, second * 1_000));
    const heap = await heapOf(page);
    task.meta.note = `ms of the page's thread for each second: ${works.map(Math.round).join(", ")}; ${(heap / 1e6).toFixed(0)} MB`;
    // Checking each row for each event would make the last seconds about ten times as much work as the first ones.
    const half = SECONDS / 2;
    expect(Math.min(...works.slice(half))).toBeLessThan(5 * Math.min(...works.slice(0, half)));
    expect(heap).toBeLessThan(150_000_000);
  });
});

/** Bytes in use after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}
