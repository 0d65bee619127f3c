/** The built site in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { filesBelow, read } from "../house/project.ts";
import { describeUnless } from "../servers/given.ts";
import { lacksBrowser, openBrowser, openPage, type View } from "./browser.ts";
import { lacksSite, type SiteServer, serveSite } from "./site-server.ts";

let browser: Browser;
let site: SiteServer;

beforeAll(async () => {
  if ((lacksSite ?? lacksBrowser) !== undefined) return;
  [browser, site] = await Promise.all([openBrowser(), serveSite()]);
});
afterAll(() => Promise.all([browser?.close(), site?.close()]));

const kinds = [
  "index.html",
  "guides.html",
  "guide/state.html",
  "guide/errors.html",
  "guide/options.html",
  "changelog.html",
  "404.html",
  "modules.html",
  "api/modules/scope-engine.html",
  "api/variables/scope-engine.engine.html",
  "api/classes/scope-engine.Scope.html",
  "api/interfaces/scope-engine_plugin.EngineHooks.html",
  "api/functions/scope-engine_adapters_s3.s3Store.html",
];
const desktop: View = { device: "desktop", colors: "light" };
const phone: View = { device: "phone", colors: "light" };
const views = [desktop, phone];
const guide = filesBelow("docs/guide", (path) => path.endsWith(".md")).map((path) => path.slice("docs/".length, -3));

describeUnless(lacksSite ?? lacksBrowser, "the site", () => {
  // Alternately on a phone and on a desktop; in long runs each on both.
  const on = (view: View) => kinds.filter((_, index) => isLong || view === views[index % views.length]);
  const seen = views.flatMap((view) => on(view).map((path) => ({ ...view, path })));
  test.each(seen)(
    "shows $path on a $device, legible, in its width and at rest, without an error",
    async ({ path, ...view }) => {
      const { page, troubles, close } = await openPage(browser, site.url + path, view);
      const width = page.viewportSize()?.width;
      expect(await page.evaluate("shifted")).toBe(0);
      await page.addScriptTag({ content: read("test/docs/contrast.js") });
      // A phone shrinks a page that is too wide.
      const widths = {
        page: await page.evaluate("document.documentElement.scrollWidth"),
        view: await page.evaluate("innerWidth"),
      };
      expect(widths).toEqual({ page: width, view: width });
      expect(await page.evaluate("faintTexts()")).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
      expect(await page.evaluate("faintTexts()")).toEqual([]);
      expect(troubles).toEqual([]);
      await close();
    },
  );

  test("shows every page of the guide within the width of a phone, its tables too", async () => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, phone);
    const wide: string[] = [];
    for (const path of guide) {
      await page.goto(`${site.url}${path}.html`);
      const width = await page.evaluate("Math.max(document.documentElement.scrollWidth, innerWidth)");
      const tables = await page.evaluate(
        "[...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth + 1).length",
      );
      if (width !== 390 || tables !== 0) wide.push(`${path}: ${width} wide, ${tables} tables cut off`);
    }
    expect(wide).toEqual([]);
    expect(troubles).toEqual([]);
    await close();
  });

  test("opens its navigation on a phone, and leads to another page", async () => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, phone);
    const link = page.locator(".side a", { hasText: "Getting started" }).first();
    expect(await link.isVisible()).toBe(false);
    await page.click(".menu");
    await link.click();
    await page.waitForURL("**/guide/getting-started.html");
    expect(await page.textContent("h1")).toContain("Getting started");
    expect(troubles).toEqual([]);
    await close();
  });

  test("shows of code that goes on behind an edge that it does, and begins both columns of the first page at one height", async () => {
    const { page, close } = await openPage(browser, `${site.url}index.html`, desktop);
    const top = (part: string) => page.evaluate(`document.querySelector("${part}").getBoundingClientRect().top`);
    expect(await top(".hero-code pre")).toBe(await top(".hero-text"));
    // Without its text, code that fits has one colour; code that does not fit has several.
    await page.setContent(
      `<link rel="stylesheet" href="${site.url}assets/site.css"><pre style="width: 300px; height: 60px; overflow: hidden"><div style="width: 100px">`,
    );
    const shown = () => page.locator("pre").screenshot();
    await page.waitForFunction("getComputedStyle(document.querySelector('pre')).position === 'relative'");
    const fits = await shown();
    await page.evaluate("document.querySelector('pre > div').style.width = '600px'");
    expect((await shown()).equals(fits)).toBe(false);
    await close();
  });

  test("begins the terminal of the first page with the results of a run, and never shows it empty", async () => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, desktop);
    // The picture in the page plays its own copy of the same animation.
    await page.goto(await page.evaluate("document.querySelector('.recording img').src"));
    const rowsAt = (time: number): Promise<string[]> =>
      page.evaluate(`(() => {
        for (const one of document.getAnimations()) { one.pause(); one.currentTime = ${time}; }
        return [...document.querySelectorAll("svg svg > g")]
          .filter((group) => getComputedStyle(group).opacity === "1").map((group) => group.textContent);
      })()`);
    expect((await rowsAt(0)).join("\n")).toMatch(/engine up\n[\s\S]*shop\/dev\/db[\s\S]*up done in .*: 4 created/);
    const length: number = await page.evaluate("document.getAnimations()[0].effect.getTiming().duration");
    for (let time = 0; time < length; time += 200) expect((await rowsAt(time)).length).toBeGreaterThan(1);
    expect(troubles).toEqual([]);
    await close();
  });

  test("keeps the colours that a reader chose", async () => {
    const { page, close } = await openPage(browser, `${site.url}guide/state.html`, desktop);
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.click(".colors");
    const dark = await ground();
    await page.goto(`${site.url}guide/scopes.html`);
    expect([light === dark, (await ground()) === dark]).toEqual([false, true]);
    await page.click(".colors");
    expect(await ground()).toBe(light);
    await close();
  });

  test("has a page for addresses that are none, which finds its way at any depth", async () => {
    const { page, close } = await openPage(browser, `${site.url}guide/no-such/page.html`, desktop);
    expect(await page.textContent("h1")).toBe("There is no such page");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.top')).position")).toBe("sticky");
    await page.click("main a");
    await page.waitForURL("**/guide/getting-started.html");
    await close();
  });

  test("copies a block of code", async () => {
    const { page, close } = await openPage(browser, `${site.url}index.html`, desktop);
    await page.locator(".install button").click();
    await page.waitForFunction("document.querySelector('.install button').textContent === 'Copied'");
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe((await page.locator(".install pre code").innerText()).trim());
    expect(copied).toContain("npm install ");
    expect(copied).not.toContain("Copy");
    await close();
  });
});
