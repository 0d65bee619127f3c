/** The page from a phone to a 4K screen. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { lacksBrowser } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import { show, views } from "./page/views.js";

let page: Page;
withFixturePage((fixture) => {
  page = fixture.page;
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
