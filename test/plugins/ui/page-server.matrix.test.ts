/** The page with the real server, and stages of real runs. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin, engine, Resource } from "../../../plugins/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { allRuns, fleetSource, KeptRun, LiveRuns, runFiles, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { ask } from "./asking.js";
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

/** A tab gives others 300 ms to answer: here a hundred times that, because a loaded machine may be slow. */
const PATIENT = `{
  const begin = setTimeout;
  globalThis.setTimeout = (act, after, ...rest) => begin(act, after * 100, ...rest);
}`;

const store = memoryStore();
const lines: string[] = [];
let folder = "";

/** @param fails adds a resource whose create fails */
async function deploy(size: number, fails: boolean): Promise<void> {
  const ears = definePlugin({
    name: "ears",
    apply: ({ events }) => events.on("*", (_type, event) => lines.push(JSON.stringify({ v: 1, ...event }))),
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
      fleets: fleetSource(store),
      runs,
      stage: undefined,
      redact: (text: string) => text,
    };
    const server = await startServer(source, { html });
    const { page, troubles } = await openPage(browser, server.url("/stages"), { device: "desktop", colors: "light" });
    await page.getByRole("row").filter({ hasText: "shop/dev" }).click();
    await page.getByRole("row").filter({ hasText: "front" }).click();
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator('.node[aria-current="page"]').waitFor();
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

  test("is let in again in its tab and in others, and a server that got its cookie is not", async () => {
    const [browser, html] = await Promise.all([openBrowser(), builtPage()]);
    const source = { label: "runs", runs: allRuns([await runFiles(folder)]), redact: (text: string) => text };
    const server = await startServer(source, { html });
    const got: string[] = [];
    const foreign = createServer(({ headers }, response) => {
      got.push(headers.cookie ?? "");
      response.end("hello");
    }).listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const context = await browser.newContext();
    const bare = `http://127.0.0.1:${server.port}/`;
    const opened = async (url: string, script = ""): Promise<Page> => {
      const page = await context.newPage();
      await page.addInitScript(script);
      await page.goto(url);
      return page;
    };
    const row = (page: Page) => page.locator(".is-runs .row").first().waitFor();
    const first = await opened(server.url("/runs"));
    await row(first);
    await first.reload();
    await row(first);
    const second = await opened(bare, PATIENT);
    await row(second);
    await first.close();
    await second.reload();
    await row(second);
    await row(await opened(bare, PATIENT));
    const { port } = foreign.address() as AddressInfo;
    await second.goto(`${bare}#/runs/none`);
    await second.getByText("There is nothing at this address.").waitFor();
    await second.goto(`http://127.0.0.1:${port}/`);
    const cookie = got.find((one) => one.includes("engine-ui")) ?? "";
    expect(cookie).toMatch(/^engine-ui-\d+-\w+=/);
    expect(await ask(server.port, "/api/runs", { headers: { cookie } })).toMatchObject({ status: 401 });
    for (const page of context.pages()) await page.close();
    const late = await opened(bare);
    await late.getByText("Open the link that the command printed").waitFor();
    await late.goto(server.url("/runs"));
    await row(late);
    await browser.close();
    source.runs.close();
    await server.close();
    foreign.close();
  });

  test("goes on with the run that takes the place of one for which another was quicker", async () => {
    const [browser, html] = await Promise.all([openBrowser(), builtPage()]);
    const runs = new LiveRuns();
    const head = { app: "shop", stage: "dev", phase: "up", planned: false, by: { user: "a", host: "b", pid: 1 } };
    const now = (): string => new Date().toISOString();
    const begun = (id: string): KeptRun => {
      const run = new KeptRun(id);
      runs.add(run);
      run.add({ type: "run:started", time: now(), run: id, ...head });
      return run;
    };
    const first = begun("1");
    const server = await startServer({ label: "runs", runs, redact: (text) => text }, { html });
    const { page, troubles } = await openPage(browser, server.url("/runs/1"), { device: "desktop", colors: "light" });
    await page.getByText("live", { exact: true }).waitFor();
    first.add({ type: "run:repeated", time: now(), run: "1", ...head });
    await page.getByText("Another run was faster. The program runs again.").waitFor();
    const second = begun("2");
    second.add({ type: "resource:started", time: now(), kind: "a:B", fqn: "shop/dev/again", action: "create" });
    await page.getByRole("row").filter({ hasText: "again" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/runs/2");
    expect(troubles).toEqual([]);
    await browser.close();
    await server.close();
  });
});
