/** Requests of a page that the user has left, in a real browser with the real server. */
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { aroundStore } from "../../../core/state/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { fleetSource, LiveRuns, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Shelf = Resource("leave:Shelf", {
  create: ({ props: { size } }: { props: { size: number } }) => ({ size }),
  update: ({ props: { size } }: { props: { size: number } }) => ({ size }),
  delete: () => {},
});
const COPIES = 8;
const memory = memoryStore();

beforeAll(async () => {
  for (let size = 0; size < COPIES && lacksBrowser === undefined; size++) {
    const app = await engine("leave", { stage: "dev", stateStore: memory, argv: [], quiet: true, telemetry: false });
    await Shelf("shelf", { size });
    await app.finalize();
  }
});

/** A store whose reads of history wait until they are let through, one at a time. */
function gated() {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const store = aroundStore(memory, async ({ operation, key }, make) => {
    if (operation === "get" && key?.includes("/history/")) {
      begun++;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return make();
  });
  return { store, begun: () => begun, letOne: () => waiting.shift()?.() };
}

describeUnless(lacksBrowser, "a page that the user has left", () => {
  test("leaves no read behind, and its successor gets its own answer", async () => {
    const { store, begun, letOne } = gated();
    const source = { label: "memory", stages: stageSource(store), fleets: fleetSource(store), runs: new LiveRuns() };
    const server = await startServer({ ...source, redact: (text) => text }, { html: await builtPage() });
    const browser = await openBrowser();
    onTestFinished(async () => {
      await browser.close();
      await server.close();
    });
    const { page } = await openPage(browser, server.url("/stages/leave/dev"), { device: "desktop", colors: "light" });
    const tab = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("row").filter({ hasText: "shelf" }).waitFor();
    await tab("History");
    await until(() => begun() === 1);
    await tab("Runs");
    await page.getByText("No run of this stage yet").waitFor();
    letOne();
    // The server has met the page again since: it would have gone on by now.
    await tab("Drift");
    await page.getByText("No check for drift yet").waitFor();
    expect(begun()).toBe(1);
    await tab("History");
    for (let copy = 0; copy < COPIES; copy++) {
      await until(() => begun() === copy + 2);
      letOne();
    }
    await page
      .locator(".history-item")
      .nth(COPIES - 1)
      .waitFor();
    expect(begun()).toBe(COPIES + 1);
  });
});
