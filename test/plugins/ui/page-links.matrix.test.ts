/** One server for the state and its runs, in a real browser: both sides link to each other. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin, engine, Resource } from "../../../plugins/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { fleetSource, runFiles, stageSource } from "../../../plugins/ui/sources/index.js";
import { writeRuns } from "../../../plugins/ui/sources/write-runs.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Disk = Resource("links:Disk", {
  create: ({ props: { size }, log }: { props: { size: number }; log(text: string): void }) => {
    log(`making a disk of ${size}`);
    return { address: `disk-${size}-7f3a` };
  },
  update: ({ props: { size } }: { props: { size: number } }) => ({ address: `disk-${size}-7f3a` }),
  delete: () => {},
});
const Mount = Resource("links:Mount", { create: () => ({}), update: () => ({}), delete: () => {} });

let browser: Browser;
let html = "";
beforeAll(async () => {
  if (lacksBrowser === undefined) [browser, html] = await Promise.all([openBrowser(), builtPage()]);
});
afterAll(() => browser?.close());

/** @param isHeld true if the run has not ended, and holds the lock, while the page is open */
async function opened(stage: string, { isHeld = false } = {}): Promise<Page> {
  const folder = await mkdtemp(join(tmpdir(), "page-links-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = memoryStore();
  const keeps = definePlugin({
    name: "keeps",
    apply: ({ events }) => writeRuns(events, { folder, failed: (why) => expect.unreachable(why) }),
  });
  const options = { stage, stateStore: store, argv: [], quiet: true, plugins: [keeps] };
  const app = await engine("links", { ...options, telemetry: false });
  const disk = await Disk("disk", { size: 3 });
  // The program reads the value itself, so no reference is recorded.
  await Mount("mount", { at: `/mnt/${String(disk.address)}` });
  if (isHeld) onTestFinished(() => app.finalize());
  else await app.finalize();
  expect(await readdir(folder)).toHaveLength(1);
  const runs = await runFiles(folder);
  const source = { label: "memory", stages: stageSource(store), fleets: fleetSource(store), runs };
  const server = await startServer({ ...source, redact: (text) => text }, { html });
  const { page, close } = await openPage(browser, server.url(`/stages/links/${stage}`), view);
  onTestFinished(async () => {
    runs.close();
    await close();
    await server.close();
  });
  return page;
}

const view = { device: "desktop", colors: "light" } as const;

describeUnless(lacksBrowser, "one server for state and runs", () => {
  test("leads from an entry of the history and from a value to the run that made it, and back", async () => {
    const page = await opened("dev");
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.locator(".history-item").getByRole("link", { name: "Show the run" }).click();
    await page.getByRole("heading", { name: "up links/dev" }).waitFor();
    await page.getByRole("row").filter({ hasText: "disk" }).first().click();
    await page.locator(".panel").getByText("making a disk of 3").waitFor();
    await page.getByRole("link", { name: "Show it in the state" }).click();
    await page.getByRole("heading", { name: "disk", exact: true }).waitFor();
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.locator(".story-item").getByRole("link", { name: "Show the run" }).first().click();
    await page.locator(".panel").getByText("making a disk of 3").waitFor();
  });

  test("leads from the lock to the run that holds it, in the summary and on the other tabs", async () => {
    const page = await opened("held", { isHeld: true });
    const toRun = async (): Promise<void> => {
      await page.getByRole("heading", { name: "up links/held" }).waitFor();
      await page.locator(".page-title").getByText("running", { exact: true }).waitFor();
      await page.getByRole("row").filter({ hasText: "disk" }).first().waitFor();
    };
    await page.getByRole("region", { name: "Summary" }).getByRole("link", { name: "Show the run" }).click();
    await toRun();
    for (const tab of ["History", "Drift", "Runs"]) {
      await page.goBack();
      await page.getByRole("link", { name: tab, exact: true }).click();
      await page.locator(".banner").filter({ hasText: "holds the lock" }).getByRole("link").click();
      await toRun();
    }
  });

  test("leads from the last change of a resource to its run", async () => {
    const page = await opened("changed");
    await page.getByRole("row").filter({ hasText: "disk" }).click();
    await page.getByRole("status", { name: "Last change" }).getByRole("link", { name: "up", exact: true }).click();
    await page.getByRole("heading", { name: "up links/changed" }).waitFor();
    await page.locator(".panel").getByText("making a disk of 3").waitFor();
  });

  test("shows a dependent that is inferred beside the values, as in the graph", async () => {
    const page = await opened("inferred");
    await page.getByRole("row").filter({ hasText: "disk" }).click();
    const facts = page.getByRole("complementary", { name: "About this resource" });
    await facts.getByRole("listitem").filter({ hasText: "mount" }).getByText("inferred").waitFor();
    expect(await facts.innerText()).toMatch(/Dependents 1/);
    await page.getByRole("link", { name: "Graph", exact: true }).click();
    await page.locator(".node").filter({ hasText: "mount" }).waitFor();
  });
});
