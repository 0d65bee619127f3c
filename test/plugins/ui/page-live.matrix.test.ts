/** A run of 1,000 events a second, from the process that it is in to the pictures of a real browser. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../plugins/ui/server/index.js";
import { KeptRun, LiveRuns } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { isLong } from "../../helpers/sampling.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";
import { quantile, type Turn, watchedRun } from "./page/watching.js";

const time = new Date().toISOString();
const head = { run: "1", app: "shop", stage: "dev", phase: "up", planned: false, by: { user: "a", host: "b", pid: 1 } };
/** Milliseconds. */
const BOUND = 100;
/** Where a machine needs longer for a few events: as many times that. */
const TIMES = 3;
/** Turns of two seconds. */
const [LEAST, MOST] = isLong ? [30, 30] : [3, 15];

describeUnless(lacksBrowser, "a run of 1,000 events a second", () => {
  test("is shown at most 100 ms later, on a slow machine hardly later than one of 20, and in bounded memory", async ({
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
    // What else the machine does is added to it: once in a while it has to have time for server and browser.
    const isEnough = (turns: readonly Turn[]): boolean =>
      turns.length >= MOST || (turns.length >= LEAST && behind(turns).full <= BOUND && halfBehindLater(turns) <= BOUND);
    const turns = await watchedRun(page, run, isEnough);
    const { quiet, full } = behind(turns);
    const half = halfBehindLater(turns);
    const lags = turns.flatMap((turn) => turn.full);
    const [usual, most, last] = [0.5, 0.99, 1].map((part) => quantile(lags, part));
    const heap = await heapOf(page);
    task.meta.note = `behind by ${usual} ms, 99 % by at most ${most}, all by ${last}; by ${full} in the quickest of ${turns.length} seconds, half by ${half} in the quickest later one, by ${quiet} in the quickest with 20 events; ${(heap / 1e6).toFixed(0)} MB`;
    const bound = Math.max(BOUND, TIMES * quiet);
    expect(full).toBeLessThanOrEqual(bound);
    expect(half).toBeLessThanOrEqual(bound);
    expect(heap).toBeLessThan(150_000_000);
  });
});

/** Milliseconds of the latest event in the quickest second of each kind. */
function behind(turns: readonly Turn[]): Record<keyof Turn, number> {
  const least = (kind: keyof Turn): number => Math.min(...turns.map((turn) => Math.max(...turn[kind])));
  return { quiet: least("quiet"), full: least("full") };
}

/**
 * Milliseconds by which half the events are behind, in the quickest full second of the later half: the page has many rows by then,
 * and what gets slower with them is not quick again.
 */
function halfBehindLater(turns: readonly Turn[]): number {
  const later = turns.slice(Math.floor(turns.length / 2));
  return Math.min(...later.map(({ full }) => quantile(full, 0.5)));
}

/** Bytes that are in use after a collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}
