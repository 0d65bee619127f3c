/** The approval of 300 deletes, on a screen and on a phone, with pointer and keys. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { lacksBrowser } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import type { FixtureServer } from "./page/server.js";
import { show, viewNamed } from "./page/views.js";

let server: FixtureServer;
let page: Page;
withFixturePage((fixture) => {
  ({ page, server } = fixture);
});

const WIDTHS = [1440, 390];
const dialog = () => page.getByRole("dialog", { name: "Delete these 300 resources?" });
const focused = (): Promise<string> =>
  page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText");

beforeEach(async () => {
  if (lacksBrowser !== undefined) return;
  server.answers.length = 0;
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, viewNamed("runs"));
  await show(page, viewNamed("approval"));
});

/** Returns the resources that are not within the list once each was scrolled to. */
const UNREACHABLE = `[...document.querySelectorAll(".approval-list li")].filter((item) => {
  item.scrollIntoView({ block: "nearest", behavior: "instant" });
  const [own, list] = [item, item.closest(".approval-list")].map((one) => one.getBoundingClientRect());
  return own.top < list.top - 1 || own.bottom > list.bottom + 1 || own.left < list.left || own.right > list.right;
}).length`;

/** The parts of the dialog that must never leave the window. */
const OUT_OF_SIGHT = `[...document.querySelectorAll(".approval h2, .approval-counts, .approval-foot button")].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).length`;

describeUnless(lacksBrowser, "the approval of 300 deletes", () => {
  test.each(WIDTHS)("counts them by action, and lists all of them, %s wide", async (width) => {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.locator(".approval-counts").innerText()).toMatch(/delete\s+289[\s\S]*replace\s+11/);
    expect(await page.locator(".approval-list li").count()).toBe(300);
    expect(await page.evaluate(UNREACHABLE)).toBe(0);
    expect(await page.evaluate(OUT_OF_SIGHT)).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

  test.each(WIDTHS)("is a yes only by the button that names their number, %s wide", async (width) => {
    await page.setViewportSize({ width, height: 844 });
    const button = dialog().getByRole("button", { name: "Delete 300 resources", exact: true });
    const [red, green, blue] = await button.evaluate<readonly number[], HTMLElement>((one) => {
      const { backgroundColor } = one.ownerDocument.defaultView?.getComputedStyle(one) ?? { backgroundColor: "" };
      return (backgroundColor.match(/\d+/g) ?? []).map(Number);
    });
    expect(red).toBeGreaterThan(2 * Math.max(green ?? 255, blue ?? 255));
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(width === 390 ? 44 : 30);
    await button.click();
    await until(() => server.answers.length > 0);
    expect(server.answers).toEqual([{ question: "q-300", approved: true }]);
  });

  test("keeps the focus, scrolls by keys, and answers nothing when it is closed", async () => {
    expect(await focused()).toBe("Close without an answer");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("What it deletes");
    await page.keyboard.press("End");
    await until(() => page.evaluate<boolean>("document.querySelector('.approval-list').scrollTop > 1000"));
    const order: string[] = [];
    for (let step = 0; step < 2; step++) {
      await page.keyboard.press("Tab");
      order.push(await focused());
    }
    expect(order).toEqual(["Refuse", "Delete 300 resources"]);
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
    ).toBe(true);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await until(focused, (name) => name === "Review and answer");
    expect(server.answers).toEqual([]);
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await dialog().getByRole("button", { name: "Refuse" }).click();
    await until(() => server.answers.length > 0);
    expect(server.answers).toEqual([{ question: "q-300", approved: false }]);
  });

  test.each(WIDTHS)("has nothing that axe finds fault with, %s wide", async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(axe.source);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = await page.evaluate<readonly { id: string }[]>(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
      );
      expect(found.map(({ id }) => id)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
  });
});
