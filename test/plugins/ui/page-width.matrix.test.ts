/** The page from a phone to a 4K screen. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import type { FixtureServer } from "./page/server.js";
import { show, views } from "./page/views.js";

let page: Page;
let server: FixtureServer;
withFixturePage((fixture) => {
  ({ page, server } = fixture);
});

describeUnless(lacksBrowser, "the page", () => {
  test("is not wider than a phone, on any view", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const wide: string[] = [];
    for (const view of views) {
      await show(page, view);
      const width = await page.evaluate(
        "Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)",
      );
      if (width !== 390) wide.push(`${view.name}: ${width}`);
    }
    expect(wide).toEqual([]);
  });

  test("begins and ends at the same place on every view, whether it scrolls or not", async () => {
    const browser = await openBrowser({ showsScrollbars: true });
    onTestFinished(() => browser.close());
    const shown = await openPage(browser, server.url, { device: "desktop", colors: "light" });
    const places = new Map<string, string[]>();
    const gutters = new Set<number>();
    for (const view of views) {
      await show(shown.page, view);
      const [head, right, gutter] = await shown.page.evaluate<[string, number, number]>(`(() => {
        const { left, right } = document.querySelector(".page-head").getBoundingClientRect();
        const main = document.querySelector("main");
        const last = document.querySelector(".top button:last-child").getBoundingClientRect().right;
        return [left + " to " + right, right - last, main.offsetWidth - main.clientWidth];
      })()`);
      places.set(head, [...(places.get(head) ?? []), view.name]);
      gutters.add(gutter);
      expect(right).toBe(0);
    }
    expect([...places.values()]).toHaveLength(1);
    // Without both kinds, the test would show nothing.
    expect(gutters.size).toBe(2);
  });

  test("has what is read in the middle of a screen of 4K", async () => {
    await page.setViewportSize({ width: 3840, height: 2160 });
    const aside: string[] = [];
    for (const view of views) {
      await show(page, view);
      const [left, right] = await page.evaluate<[number, number]>(`(() => {
        const main = document.querySelector("main");
        const { left, right } = main.querySelector(":scope > :not(.page-head)").getBoundingClientRect();
        return main.matches(".is-full") ? [0, 0] : [left, main.clientWidth - right];
      })()`);
      if (Math.abs(left - right) > 1 || left > 1_200) aside.push(`${view.name}: ${left}, ${right}`);
    }
    expect(aside).toEqual([]);
  });
});
