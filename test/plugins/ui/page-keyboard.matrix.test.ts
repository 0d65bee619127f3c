/** The page without a mouse, and for first-time visitors. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { withResolvers } from "../../../core/base/index.js";
import { lacksBrowser } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import type { FixtureServer } from "./page/server.js";

let server: FixtureServer;
let page: Page;
withFixturePage((fixture) => {
  ({ page, server } = fixture);
});

beforeEach(async () => {
  if (lacksBrowser !== undefined) return;
  await page.goto(`${server.url}#/stages`);
  await page.reload();
  await page.locator(".is-stages .row").first().waitFor();
});

const heading = (text: string): Promise<void> =>
  page.getByRole("heading", { level: 1, name: text, exact: true }).waitFor();
const focused = (): Promise<string> =>
  page.evaluate("document.activeElement.innerText || document.activeElement.ariaLabel");

/** Records whether hits disappeared before the search ended without a hit. */
const WATCH_HITS = `
globalThis.wereGone = "never";
new MutationObserver(() => {
  if (document.querySelector(".hit") || wereGone !== "never") return;
  const isSearching = /Searching|found/.test(document.querySelector(".search-foot").textContent);
  wereGone = isSearching ? "while searching" : "after the answer";
}).observe(document.querySelector(".search"), { childList: true, subtree: true, characterData: true });`;

describeUnless(lacksBrowser, "by keys alone", () => {
  test("the content is one step away", async () => {
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
  });

  test("one gets from the stages to a resource, its graph, and back", async () => {
    for (const key of ["j", "j", "j", "Enter"]) await page.keyboard.press(key);
    await heading("shop/prod");
    await page.locator(".is-resources .row").first().waitFor();
    for (const key of ["j", "ArrowDown", "j", "k", "Enter"]) await page.keyboard.press(key);
    await heading("dns/www");
    await page.getByRole("link", { name: "Graph" }).focus();
    await page.keyboard.press("Enter");
    await page.locator('.node[tabindex="0"]').focus();
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toMatch(/^(zone|balancer)/);
    const before = await page.locator(".graph").getAttribute("style");
    await page.keyboard.press("+");
    expect(await page.locator(".graph").getAttribute("style")).not.toBe(before);
    await page.keyboard.press("Escape");
    await heading("shop/prod");
    await page.keyboard.press("Escape");
    await heading("Stages");
  });

  test("scopes open, close, and narrow the rows", async () => {
    await page.goto(`${server.url}#/stages/shop/prod`);
    await page.locator(".is-resources .row").first().waitFor();
    await page.locator('.is-tree [data-row][tabindex="0"]').focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"])
      await page.keyboard.press(key);
    await page.getByText("6 of 48 resources").waitFor();
    expect(await page.locator(".is-resources .row").first().innerText()).toMatch(/services\/api\/\s*config/);
  });

  test("everything is found, and every key is listed", async () => {
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${server.url}#/stages/shop/prod`);
    await page.locator(".is-resources .row").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("checkout-v2");
    await page.getByRole("option", { name: /FEATURE_FLAGS/ }).waitFor();
    await page.keyboard.press("Enter");
    await heading("services/api/task");
  });

  test("Enter means what the whole text finds, however early it is pressed", async () => {
    await page.goto(`${server.url}#/stages/shop/prod`);
    await page.locator(".is-resources .row").first().waitFor();
    const { promise: isAllowed, resolve: allow } = withResolvers<void>();
    await page.route("**/search?q=*", async (route) => {
      await isAllowed;
      await route.continue();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("checkout-v2");
    await page.keyboard.press("Enter");
    await page.getByText("Searching…").waitFor();
    allow();
    await heading("services/api/task");
    await page.unroute("**/search?q=*");
  });

  test("what was found stays in sight while more is typed", async () => {
    await page.goto(`${server.url}#/stages/shop/prod`);
    await page.locator(".is-resources .row").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("checkout-v");
    const option = page.getByRole("option", { name: /FEATURE_FLAGS/ });
    await option.waitFor();
    await page.route("**/search?q=checkout-v2", (route) => route.abort());
    await page.evaluate(WATCH_HITS);
    await page.keyboard.type("2");
    await page.locator(".search-foot").filter({ hasNotText: "found" }).filter({ hasNotText: "Searching" }).waitFor();
    expect(await page.evaluate("wereGone")).toBe("after the answer");
    await page.unroute("**/search?q=checkout-v2");
  });

  test("what can be reached shows that it is", async () => {
    const plain: string[] = [];
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      const isAtEnd = await page.evaluate("document.activeElement === document.body");
      if (outline === "none" && !isAtEnd) plain.push(await focused());
    }
    expect(plain).toEqual([]);
  });

  test("a question is answered", async () => {
    await page.goto(`${server.url}#/runs/run-asks`);
    await page.getByRole("dialog", { name: "Delete these 2 resources?" }).waitFor();
    // From the button that closes it, over the list.
    for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
    expect(await focused()).toBe("Refuse");
    await page.keyboard.press("Enter");
    await until(() => server.answers.length > 0);
    expect(server.answers).toContainEqual({ question: "q-1", approved: false });
  });
});

/** Clicks each named element in turn. */
async function click(...names: readonly (RegExp | string)[]): Promise<void> {
  expect(names.length).toBeLessThanOrEqual(3);
  for (const name of names)
    await page.locator("main a, main button, main .row").filter({ hasText: name }).first().click();
}
const content = (): Promise<string> => page.locator("main").innerText();

describeUnless(lacksBrowser, "a newcomer finds out", () => {
  test("what failed, why, and where", async () => {
    await click(/^Runs$/, /failed[\s\S]*16 updated/);
    await page.locator(".failure").first().waitFor();
    for (const part of ["shop/prod/edge/certificate", "NXDOMAIN", "certificate.ts:61:13"])
      expect(await content()).toContain(part);
  });

  test("what a plan would delete", async () => {
    await click(/^Runs$/, /^plan shop\/prod[\s\S]*9 min|^plan/);
    await page.getByRole("region", { name: "Planned actions" }).waitFor();
    for (const part of ["services/legacy/task", "runs dropdb legacy"]) expect(await content()).toContain(part);
  });

  test("who holds the lock", async () => {
    expect(await content()).toContain("runner@ci-7");
    await click("shop/prod");
    await page.getByText("holds the lock").waitFor();
    expect(await content()).toMatch(/runner@ci-7 holds the lock: up\s*process 311, for \d+ \w+;/);
  });

  test("when a value changed", async () => {
    await click("shop/prod", "services/api/task", /^History$/);
    await page.locator(".story-item").first().waitFor();
    expect(await content()).toMatch(/changed[\s\S]*by runner@ci-7[\s\S]*props\.replicas[\s\S]*2[\s\S]*3/);
  });
});
