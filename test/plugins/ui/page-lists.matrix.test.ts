/** Compact lists of a plan and of a comparison, clicked in a real browser. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { lacksBrowser } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import { show, viewNamed } from "./page/views.js";

let page: Page;
withFixturePage((fixture) => {
  page = fixture.page;
});

beforeEach(async () => {
  if (lacksBrowser !== undefined) return;
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, { address: "#/runs", ready: ".is-runs .row" });
});

const lines = () => page.locator(".action-line");
const names = (): Promise<readonly string[]> => page.locator(".path-name").allInnerTexts();

/** Opens the plan with one click. */
async function openPlan(): Promise<void> {
  await page.locator(".is-runs .row", { hasText: /^plan/ }).last().click();
  await page.locator(".path-name", { hasText: "worker-000" }).waitFor();
}

/** Number of deletes that are completely within the window. */
const DELETES_IN_SIGHT = `[...document.querySelectorAll('.action[data-action="delete"]')].filter((line) => {
  const { left, right, top, bottom } = line.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}).length`;

describeUnless(lacksBrowser, "a plan", () => {
  test("shows with one click all that it deletes, on one screen", async () => {
    await openPlan();
    expect(await page.evaluate(DELETES_IN_SIGHT)).toBe(11);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.getByRole("button", { name: /^delete 11$/ }).click();
    await page.locator(".action").first().scrollIntoViewIfNeeded();
    await page.locator(".action").last().scrollIntoViewIfNeeded();
    expect(await page.evaluate(DELETES_IN_SIGHT)).toBe(11);
  });

  test("shows the details of an action on click, and of all with one more", async () => {
    await openPlan();
    expect(await page.locator(".action-body").count()).toBe(0);
    await lines().filter({ hasText: "worker-003" }).click();
    expect(await page.locator(".action-body").innerText()).toMatch(/no longer declared[\s\S]*Deleted values[\s\S]*url/);
    await page.getByRole("button", { name: "Expand all" }).click();
    expect(await page.locator(".action-body").count()).toBe(await lines().count());
    await page.getByRole("button", { name: "Collapse all" }).click();
    expect(await page.locator(".action-body").count()).toBe(0);
  });

  test("is filtered by action and by text", async () => {
    await openPlan();
    await page.getByRole("button", { name: /^create 42$/ }).click();
    expect(await lines().count()).toBe(42);
    await page.getByText("42 of 56 resources").waitFor();
    await page.getByRole("searchbox", { name: "Filter: Planned actions" }).fill("new-7");
    expect(await names()).toEqual(["services/new-7"]);
    await page.getByRole("button", { name: /^create 42$/ }).click();
    await page.getByRole("searchbox", { name: "Filter: Planned actions" }).fill("loadbalancer");
    expect(await names()).toEqual(["edge/balancer"]);
    await page.getByRole("searchbox", { name: "Filter: Planned actions" }).fill("nothing has this");
    expect(await lines().count()).toBe(0);
    expect(await page.getByRole("button", { name: "Expand all" }).isDisabled()).toBe(true);
  });
});

describeUnless(lacksBrowser, "a comparison", () => {
  test("has its summary and its filter above what differs", async () => {
    await show(page, viewNamed("difference"));
    expect(await page.locator(".chip").allInnerTexts()).toEqual(
      ["gone", "replaced", "changed", "created"].map((word) => expect.stringMatching(new RegExp(`^${word}\\s+1$`))),
    );
    expect(await page.locator(".compared").innerText()).toMatch(
      /Before[\s\S]*408[\s\S]*After[\s\S]*412[\s\S]*runner@ci-7/,
    );
    const bottom = await page.evaluate<number>("document.querySelector('.toolbar').getBoundingClientRect().bottom");
    expect(await page.evaluate("document.querySelector('.actions').getBoundingClientRect().top")).toBeGreaterThan(
      bottom,
    );
    await page.getByRole("button", { name: /^gone 1$/ }).click();
    expect(await names()).toEqual(["services/legacy/task"]);
    await page.getByRole("button", { name: /^gone 1$/ }).click();
    await page.getByRole("searchbox", { name: "Filter: Differing resources" }).fill("fifo");
    expect(await names()).toEqual(["storage/queue"]);
    await lines().click();
    expect(await page.locator(".action-body").innerText()).toMatch(/props\.fifo[\s\S]*false[\s\S]*true/);
  });
});
