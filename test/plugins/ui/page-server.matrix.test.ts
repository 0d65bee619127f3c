/** The page over the real server, and stages that real runs have made. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { definePlugin, engine, Resource } from "../../../plugins/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { allRuns, runFiles, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Shop = Resource("demo:Shop", {
  create: ({ props: { size } }: { props: { size: number } }) => ({ id: "shop-1", size }),
  update: ({ props: { size } }: { props: { size: number } }) => ({ id: "shop-1", size }),
  delete: () => {},
});
const Broken = Resource("demo:Broken", {
  create: (): { id: string } => {
    throw new Error("The quota is exceeded.");
  },
  delete: () => {},
});

const store = memoryStore();
const lines: string[] = [];
let folder = "";

/** @param fails with a resource that cannot be made */
async function deploy(size: number, fails: boolean): Promise<void> {
  const ears = definePlugin({
    name: "ears",
    apply: ({ events }) => events.on("*", (event) => lines.push(JSON.stringify({ v: 1, ...event }))),
  });
  const app = await engine("shop", {
    stage: "dev",
    stateStore: store,
    argv: [],
    quiet: true,
    telemetry: false,
    plugins: [ears],
  });
  await Shop("front", { size });
  if (fails) await Broken("back").catch(() => {});
  await app.finalize().catch(() => {});
}

beforeAll(async () => {
  await deploy(1, false);
  await deploy(2, false);
  lines.length = 0;
  await deploy(2, true);
  folder = await mkdtemp(join(tmpdir(), "scope-engine-runs-"));
  await writeFile(join(folder, "last.ndjson"), `${lines.join("\n")}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

describeUnless(lacksBrowser, "the page over the real server", () => {
  test("shows what runs have made, when a value changed, and why the last one failed", async () => {
    const [browser, html] = await Promise.all([openBrowser(), builtPage()]);
    const runs = allRuns([await runFiles(folder)]);
    const source = {
      label: "memory",
      stages: stageSource(store),
      runs,
      stage: undefined,
      redact: (text: string) => text,
    };
    const server = await startServer(source, { html });
    const { page, troubles } = await openPage(browser, server.url("/stages"), { device: "desktop", colors: "light" });
    await page.getByRole("row").filter({ hasText: "shop/dev" }).click();
    await page.getByRole("row").filter({ hasText: "front" }).click();
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator('.node[data-self="true"]').waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".story-item").first().waitFor();
    expect(await page.locator(".story-item").first().innerText()).toMatch(/changed[\s\S]*size[\s\S]*1[\s\S]*2/);
    await page.keyboard.press("/");
    await page.keyboard.type("front");
    await page.getByRole("option", { name: /front/ }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.goto(page.url().replace(/#.*$/, "#/stages/shop/dev/history"));
    await page.getByRole("link", { name: "What it changed" }).first().click();
    await page.getByRole("heading", { name: /Entry/ }).waitFor();
    await page.goto(page.url().replace(/#.*$/, "#/runs"));
    await page.getByRole("row").filter({ hasText: "failed" }).click();
    await page.locator(".failure").waitFor();
    expect(await page.locator(".failure").innerText()).toContain("The quota is exceeded.");
    expect(troubles).toEqual([]);
    await browser.close();
    runs.close();
    await server.close();
  });
});
