/** The page in a real browser, with generated stages and runs. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pageWithEvents } from "../../../plugins/ui/server/index.js";
import { lacksBrowser, type Opened, openBrowser, openPage } from "../../docs/browser.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";
import { runs } from "./page/runs.js";
import { type FixtureServer, serveFixture } from "./page/server.js";
import { hostile, show, viewNamed, views } from "./page/views.js";
import { steadyWork, WATCH_BLANKS, WATCH_TITLES, watchWork } from "./page/watching.js";

let browser: Browser;
let server: FixtureServer;
let html = "";
let opened: Opened;
let page: Page;

interface Look {
  readonly width: number;
  readonly colors: "dark" | "light";
}
const MORE: readonly Look[] = isLong
  ? [
      { width: 1440, colors: "dark" },
      { width: 390, colors: "light" },
    ]
  : [];

beforeAll(async () => {
  if (lacksBrowser !== undefined) return;
  [browser, html] = await Promise.all([openBrowser(), builtPage()]);
  server = await serveFixture(html);
  opened = await openPage(browser, server.url, { device: "desktop", colors: "light" });
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const textOf = (selector = "#app"): Promise<string> => page.locator(selector).first().innerText();
/** Code for the page: acts as soon as an element exists. */
const onceThere = (selector: string, act: string): string => `new MutationObserver((_, watching) => {
  if (!document.querySelector("${selector}")) return;
  watching.disconnect();
  ${act};
}).observe(document, { childList: true, subtree: true });`;
/** Addresses without an answer. */
const MISSING = [
  "/no/such",
  "/sites/bob",
  "/fleets/none",
  "/fleets/tenant",
  "/fleets/no/",
  "balanc",
  "/run-nothing/",
  "404 (Not Found)",
];
/** Console errors, without those that the browser reports for missing addresses. */
const troubles = (): readonly string[] =>
  opened.troubles.filter((one) => !MISSING.some((missing) => one.includes(missing)));

describeUnless(lacksBrowser, "the page", () => {
  test.each(views)("shows $name", async (view) => {
    await show(page, view);
    await until(textOf, (text) => new RegExp(view.text).test(text));
    expect(troubles()).toEqual([]);
  });

  const looks: readonly Look[] = [{ width: 1440, colors: "light" }, { width: 390, colors: "dark" }, ...MORE];
  test.each(looks)("has nothing that axe finds fault with, $width wide and $colors", async ({ width, colors }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: colors, reducedMotion: "reduce" });
    await page.evaluate(axe.source);
    const found: string[] = [];
    for (const view of views) {
      await show(page, view);
      found.push(...(await faults(view.name)));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
    expect(found).toEqual([]);
  });

  test("moves nothing while it loads", async () => {
    const moved: string[] = [];
    for (const name of ["stages", "stage", "resource", "run", "history"]) {
      const fresh = await openPage(browser, server.url + viewNamed(name).address, {
        device: "desktop",
        colors: "light",
      });
      await fresh.page.locator(viewNamed(name).ready).first().waitFor();
      const shifted = await fresh.page.evaluate("shifted");
      if (shifted !== 0) moved.push(`${name}: ${shifted}`);
      await fresh.close();
    }
    expect(moved).toEqual([]);
  });

  test("shows a stage that records nothing once that is asked for", async () => {
    await show(page, viewNamed("stages"));
    expect(await textOf("main")).not.toContain("pr-9");
    await page.getByText("1 empty stage is not shown").getByRole("button", { name: "Show all" }).click();
    await until(
      () => textOf("main"),
      (text) => text.includes("pr-9"),
    );
    expect(await textOf("main")).not.toContain("not shown");
  });

  test("goes where the address leads, also where that changes before all is set up", async () => {
    const fresh = await browser.newPage();
    await fresh.addInitScript(onceThere("#app > *", 'location.hash = "#/runs"'));
    await fresh.goto(server.url);
    await fresh.locator(".is-runs .row").first().waitFor();
    await fresh.close();
  });

  test("keeps what was shown where the server is gone", async () => {
    const fresh = await openPage(browser, server.url, { device: "desktop", colors: "light" });
    await show(fresh.page, viewNamed("stage"));
    await show(fresh.page, viewNamed("stages"));
    await fresh.page.route("**/api/stages/shop/prod**", (route) => route.abort());
    await show(fresh.page, { address: viewNamed("stage").address, ready: ".trouble" });
    expect(await fresh.page.locator("main").innerText()).toMatch(/does not answer[\s\S]*dns\/\s*zone/);
    await fresh.page.unrouteAll();
    await fresh.page.getByRole("button", { name: "Try again" }).click();
    await fresh.page.locator(".trouble").waitFor({ state: "detached" });
    await fresh.close();
  });

  test("shows hostile names as text, and runs nothing of them", async () => {
    const stage = `#/stages/${encodeURIComponent(hostile.app)}/${encodeURIComponent(hostile.stage)}`;
    await show(page, { address: stage, ready: ".is-resources .row" });
    const text = await textOf();
    for (const part of ["<img src=x", "\\u202eevil␇", "\\u202egnp.exe␀␛[31m", "javascript:alert(1)"])
      expect(text).toContain(part);
    for (const name of [hostile.app, "\u202egnp.exe\u0000\u001b[31m", "javascript:alert(1)"]) {
      const fqn = `${hostile.app}/${hostile.stage}/${name}`;
      await show(page, { address: `${stage}/resource/${encodeURIComponent(fqn)}`, ready: ".values" });
    }
    for (const tab of ["", "/log", "/plan"]) await show(page, { address: `#/runs/run-hostile${tab}`, ready: "h1" });
    await show(page, { address: `#/runs/run-hostile`, ready: ".failure" });
    expect(await textOf()).toContain("<img src=x");
    expect(await page.evaluate("[globalThis.hacked, document.images.length, document.scripts.length]")).toEqual([
      undefined,
      0,
      1,
    ]);
    expect(troubles()).toEqual([]);
  });

  test("shows a value of 10 MB in parts, and stays awake", async ({ task }) => {
    const fqn = encodeURIComponent(`${hostile.app}/${hostile.stage}/javascript:alert(1)`);
    const stage = `#/stages/${encodeURIComponent(hostile.app)}/${encodeURIComponent(hostile.stage)}`;
    const worked = await watchWork(page);
    await show(page, { address: `${stage}/resource/${fqn}`, ready: ".values .more" });
    await page.getByRole("button", { name: /Show more .*characters/ }).click();
    expect(await page.locator(".values").first().innerText()).toContain("item 99\\u202e");
    const work = await worked();
    const reference = await steadyWork(page);
    task.meta.note = `a value of 10 MB: ${work.toFixed(0)} ms of the page's thread, where steady work takes ${reference.toFixed(0)}`;
    // Usually about five times. Handling the whole value at once would take more than a hundred times as long.
    expect(work).toBeLessThan(30 * reference);
    expect((await textOf("main")).length).toBeLessThan(100_000);
  });

  test("has a stage of 100,000, and scrolls through it without a blank picture", async ({ task }) => {
    const worked = await watchWork(page);
    await show(page, { address: "#/stages/warehouse/load", ready: ".is-resources .row" });
    const work = await worked();
    const reference = await steadyWork(page);
    // Usually about twice. A row for each resource would take hundreds of times as long.
    expect(work).toBeLessThan(30 * reference);
    await page.getByText("100,000 resources", { exact: true }).waitFor();
    await page.evaluate(WATCH_BLANKS);
    await page.mouse.move(900, 600);
    for (let turn = 0; turn < 25; turn++) await page.mouse.wheel(0, 400 * (turn % 5 === 0 ? -1 : 1) * (turn + 1));
    await page.locator('.is-resources [data-row][tabindex="0"]').focus();
    for (const key of ["End", "PageUp", "PageUp", "Home", ...Array(20).fill("PageDown"), ...Array(30).fill("j"), "End"])
      await page.keyboard.press(key);
    expect(await page.evaluate("document.activeElement.innerText")).toContain("item-099999");
    const seen = await page.evaluate<{ frames: number; blank: number }>("stopWatching()");
    task.meta.note = `${work.toFixed(0)} ms of work, where steady work takes ${reference.toFixed(0)}; ${seen.blank} of ${seen.frames} pictures blank`;
    expect(seen.frames).toBeGreaterThan(0);
    expect(seen.blank).toBe(0);
    expect(await page.locator(".is-resources .row").count()).toBeLessThan(120);
  });

  test("says of no process or tunnel that it runs if the run was cut off, and opens only tunnels to pages", async () => {
    await show(page, viewNamed("processes"));
    const box = page.locator('[aria-label="Processes"]');
    expect(await box.innerText()).toMatch(/unknown\s*shop\/dev\/server\s*process 4101/);
    expect(await box.innerText()).toMatch(/ended\s*shop\/dev\/check\s*exit code 3/);
    expect(await box.getByText("unknown").count()).toBe(3);
    expect(await box.locator("a").count()).toBe(1);
    expect(await box.locator("a").getAttribute("href")).toBe("https://shop-dev.tunnel.example/");
    expect(await box.innerText()).toContain("javascript:alert(1)");
  });

  test("goes on where it was, once a connection that was lost is there again", async () => {
    await show(page, { address: "#/runs", ready: ".is-runs .row" });
    await show(page, { address: "#/runs/run-streamed", ready: "h1" });
    await until(() => server.listeners() === 1);
    const [first] = server.from.slice(-1);
    const told = { v: 1, type: "resource:started", time: new Date().toISOString(), kind: "a:B", fqn: "shop/dev/cut" };
    server.send([told]);
    await page.getByRole("link", { name: "Progress 1", exact: true }).waitFor();
    const isLost = page.getByText("no connection; retrying").waitFor();
    // The page shows it until it reconnects, which waits until the test has seen it.
    await page.route("**/run-streamed/events**", (route) => isLost.then(() => route.continue()), { times: 1 });
    server.cut();
    await isLost;
    await until(() => server.listeners() === 1);
    expect(first).toBe(0);
    expect(server.from.at(-1)).toBeGreaterThan(0);
    await page.getByText("no connection; retrying").waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: "Progress 1", exact: true }).count()).toBe(1);
  });

  test("shows the run that a file of its own holds, without a server", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scope-engine-run-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "run.html");
    const told = (runs.get("run-failed") ?? []).map((event) => JSON.stringify(event));
    await writeFile(file, pageWithEvents(html, told));
    const alone = await openPage(browser, `file://${file}`, { device: "desktop", colors: "light" });
    await alone.page.locator(".failure").first().waitFor();
    await alone.page.evaluate(WATCH_TITLES);
    expect(await alone.page.locator("main").innerText()).toContain("challenge was not answered");
    await alone.page.keyboard.press("/");
    await alone.page.keyboard.type("calling the API for storage");
    await alone.page.locator(".hit").first().waitFor();
    await alone.page.keyboard.press("Enter");
    await alone.page.locator(".panel").waitFor();
    expect(await alone.page.evaluate("titles")).toEqual([]);
    expect(alone.troubles).toEqual([]);
    await alone.close();
  });

  test("exchanges the token of its address for a session, and takes it out of the address", async () => {
    const fresh = await openPage(browser, `${server.url}#token=good&to=/runs`, { device: "desktop", colors: "light" });
    await fresh.page.locator(".is-runs .row").first().waitFor();
    expect(new URL(fresh.page.url()).hash).toBe("#/runs");
    expect(await fresh.page.evaluate("history.length")).toBeLessThanOrEqual(2);
    await fresh.close();
    const guessed = await openPage(browser, `${server.url}#token=guessed`, { device: "desktop", colors: "light" });
    await guessed.page.getByText("This link is from another server").waitFor();
    await guessed.close();
  });
});

async function faults(name: string): Promise<readonly string[]> {
  const found = await page.evaluate<
    readonly { id: string; nodes: readonly { target: readonly string[]; html: string }[] }[]
  >("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)");
  return found.flatMap(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.target} ${nodes[0]?.html.slice(0, 160)}`);
}
