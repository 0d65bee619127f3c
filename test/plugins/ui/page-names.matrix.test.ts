/** Names in a real browser, from the real server: their order, and names that do not exist. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { startServer, type UiServer } from "../../../plugins/ui/server/index.js";
import { fleetSource, KeptRun, LiveRuns, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Item = Resource("pagenames:Item", { create: () => ({}), update: () => ({}), delete: () => {} });

const store = memoryStore();
let browser: Browser;
let server: UiServer;
let page: Page;

async function made(stage: string): Promise<void> {
  const app = await engine("names", { stage, stateStore: store, argv: [], quiet: true, telemetry: false });
  for (const id of stage === "t2" ? ["r10", "r1", "r2", "r01"] : ["r1"]) await Item(id, {});
  if (stage === "t2")
    for (const number of [10, 2, 1])
      await engine.run(`zone-${number}`, async () => {
        await Item("disk", {});
      });
  await app.finalize();
}

beforeAll(async () => {
  if (lacksBrowser !== undefined) return;
  for (const stage of ["t0", "t1", "t10", "t2"]) await made(stage);
  const [started, html] = await Promise.all([openBrowser(), builtPage()]);
  browser = started;
  const runs = new LiveRuns();
  const run = new KeptRun("known-run");
  runs.add(run);
  const by = { user: "ann", host: "here", pid: 1 };
  const head = { run: "known-run", app: "names", stage: "t2", phase: "up", planned: false, by };
  run.add({ type: "run:started", time: "2026-01-02T03:04:05.678Z", ...head });
  const source = { label: "memory", stages: stageSource(store), fleets: fleetSource(store), runs };
  server = await startServer({ ...source, redact: (text) => text }, { html });
  ({ page } = await openPage(browser, server.url("/stages"), { device: "desktop", colors: "light" }));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const goTo = (address: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(address)}`);
const shown = (title: string): Promise<void> =>
  page.locator(".empty-title").getByText(title, { exact: true }).waitFor();
const similar = (): Promise<string[]> =>
  page.getByRole("list", { name: "Similar names" }).locator("li").allInnerTexts();

describeUnless(lacksBrowser, "numbers in names", () => {
  test("are in the order of numbers: stages, resources, scopes, and both directions of the list", async () => {
    const stages = page.locator(".is-stages .cell-main b");
    await until(
      () => stages.allInnerTexts(),
      (all) => all.join() === "t0,t1,t2,t10",
    );
    await page.locator(".is-stages .row").filter({ hasText: "t2" }).click();
    const names = async (): Promise<string> =>
      (await page.locator(".is-resources .row .cell-main").allInnerTexts()).join().replaceAll(/\s+/g, "");
    const sorted = ["r1", "r01", "r2", "r10", "zone-1/disk", "zone-2/disk", "zone-10/disk"];
    await until(names, (all) => all === sorted.join());
    const scopes = await page.locator(".scopes").innerText();
    expect(scopes.match(/zone-\d+/g)).toEqual(["zone-1", "zone-2", "zone-10"]);
    await page.locator(".scopes").getByText("zone-2", { exact: true }).click();
    await until(names, (all) => all === "zone-2/disk");
    await page.locator(".scopes").getByText("All", { exact: true }).click();
    await page.getByRole("columnheader", { name: "name" }).getByRole("button").click();
    await until(names, (all) => all === sorted.toReversed().join());
  });
});

describeUnless(lacksBrowser, "a name that does not exist", () => {
  test("of a stage is not shown as an empty stage, and similar names lead on", async () => {
    for (const tab of ["", "/history", "/drift", "/runs"]) {
      await goTo(`#/stages/names/t22${tab}`);
      await shown('There is no stage "names/t22"');
    }
    expect((await similar())[0]).toBe("names/t2");
    expect(await page.getByText("entry 0").count()).toBe(0);
    await page.getByRole("link", { name: "names/t2", exact: true }).click();
    await page.getByRole("heading", { name: "names/t2", exact: true }).waitFor();
    await goTo("#/stages/other/prod");
    await shown('There is no stage "other/prod"');
    expect(await similar()).toEqual(["names/t0", "names/t1", "names/t2", "names/t10"]);
  });

  test("of a resource says so on each of its views, and similar names lead on", async () => {
    for (const tab of ["", "/graph"]) {
      await goTo(`#/stages/names/t2/resource/${encodeURIComponent("names/t2/zone-1/disc")}${tab}`);
      await shown('"zone-1/disc" is not in the state of names/t2');
    }
    expect((await similar())[0]).toBe("zone-1/disk");
    await page.getByRole("link", { name: "zone-1/disk", exact: true }).click();
    await page.getByRole("heading", { name: "zone-1/disk", exact: true }).waitFor();
    await goTo(`#/stages/names/t2/resource/${encodeURIComponent("names/t2/zone-10")}`);
    await shown('"zone-10" is not in the state of names/t2');
    expect(await similar()).toEqual(["zone-10/disk"]);
  });

  test("of a run says so, and the known runs lead on", async () => {
    await goTo("#/runs/known-rum");
    await shown('The server has no run "known-rum"');
    expect(await similar()).toEqual([expect.stringMatching(/^up names\/t2, 2026-01-0\d \d\d:\d\d:05 UTC/)]);
    await page.getByRole("list", { name: "Similar names" }).getByRole("link").click();
    await page.getByRole("heading", { name: "up names/t2" }).waitFor();
  });

  test("of a fleet says so", async () => {
    await goTo("#/fleets/nothing");
    await shown('There is no fleet "nothing"');
    await page.getByRole("link", { name: "Show all stages" }).click();
    await page.locator(".is-stages .row").first().waitFor();
  });
});
