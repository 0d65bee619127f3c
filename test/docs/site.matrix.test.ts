/** The built site in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { read } from "../house/project.ts";
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
  "modules.html",
  "api/modules/scope-engine.html",
  "api/classes/scope-engine.Scope.html",
];
const desktop: View = { device: "desktop", colors: "light" };
const phone: View = { device: "phone", colors: "light" };
const views = [desktop, phone];

describeUnless(lacksSite ?? lacksBrowser, "the site", () => {
  const seen = views.flatMap((view) => kinds.map((path) => ({ ...view, path })));
  test.each(seen)("shows $path on a $device, legible and in its width, without an error", async ({ path, ...view }) => {
    const { page, troubles, close } = await openPage(browser, site.url + path, view);
    const width = page.viewportSize()?.width;
    await page.addScriptTag({ content: read("test/docs/contrast.js") });
    // A phone makes the page smaller where it is too wide.
    const widths = {
      page: await page.evaluate("document.documentElement.scrollWidth"),
      view: await page.evaluate("innerWidth"),
    };
    expect(widths).toEqual({ page: width, view: width });
    expect(await page.evaluate("faintTexts()")).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    expect(await page.evaluate("faintTexts()")).toEqual([]);
    expect(troubles).toEqual([]);
    await close();
  });

  test("opens its navigation on a phone, and leads to another page", async () => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, phone);
    const link = page.locator(".site-menu a", { hasText: "Getting started" }).first();
    expect(await link.isVisible()).toBe(false);
    await page.click("#tsd-toolbar-menu-trigger");
    await link.click();
    await page.waitForURL("**/guide/getting-started.html");
    expect(await page.textContent("h1")).toContain("Getting started");
    expect(troubles).toEqual([]);
    await close();
  });

  test("groups its pages in the navigation", async () => {
    const { page, close } = await openPage(browser, `${site.url}guide/state.html`, desktop);
    const entries = await page
      .locator("#tsd-nav-container > li")
      .evaluateAll((all) => all.map((one) => one.querySelector("a, span")?.textContent?.trim()));
    const order = ["Getting started", "Concepts", "Guides", "Reference", "Comparison", "Decisions", "Changelog", "API"];
    expect(entries.filter((entry) => order.includes(entry ?? ""))).toEqual(order);
    expect(await page.textContent(".site-menu .current")).toContain("State");
    await close();
  });

  test.each([
    ["checkpoint", "The ledger"],
    ["STATE_LOCKED", "Errors"],
    ["beforePrune", "Hooks"],
    ["lockTimeout", "Options"],
    ["definePlugin", "definePlugin"],
  ])("finds %s by its search", async (word, title) => {
    const { page, troubles, close } = await openPage(browser, `${site.url}guide/scopes.html`, desktop);
    await page.click("#tsd-search-trigger");
    await page.fill("#tsd-search-input", word);
    const found = page.locator("#tsd-search-results li", { hasText: title }).first();
    await found.waitFor();
    await found.locator("a").click();
    await page.waitForURL((url) => !url.pathname.endsWith("/guide/scopes.html"));
    expect(await page.textContent(".col-content")).toContain(word);
    expect(troubles).toEqual([]);
    await close();
  });

  test("copies a block of code", async () => {
    const { page, close } = await openPage(browser, `${site.url}index.html`, desktop);
    const block = page.locator("pre").first();
    await block.hover();
    await block.locator("button").click();
    await page.waitForFunction("document.querySelector('pre > button').textContent === 'Copied!'");
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toMatch(/^import \{ engine \} from "scope-engine";\n/);
    expect(copied).not.toContain("Copy");
    await close();
  });
});
