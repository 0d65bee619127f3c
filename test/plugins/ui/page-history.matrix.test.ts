/** The history of a stage, and the number of clicks to an answer, in a real browser. */
import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { lacksBrowser } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import { history } from "./page/stages.js";
import { show, viewNamed } from "./page/views.js";

let page: Page;
withFixturePage((fixture) => {
  page = fixture.page;
});

beforeEach(async () => {
  if (lacksBrowser !== undefined) return;
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, viewNamed("stage"));
});

const item = (seq: number) =>
  page.locator(".history-item").filter({ has: page.locator(".seq", { hasText: `${seq}` }) });

/** Plays clicks, and counts them. */
async function clicks(most: number, ...acts: readonly (() => Promise<void>)[]): Promise<void> {
  expect(acts.length).toBeLessThanOrEqual(most);
  for (const act of acts) await act();
}

/** Returns true if no part of the element is beside the outer one. */
async function isWithin(element: Locator, outer: Locator): Promise<boolean> {
  const [box, around] = [await element.boundingBox(), await outer.boundingBox()];
  return !!box && !!around && box.x > around.x && box.x + box.width < around.x + around.width;
}

/** Returns true if all of the element is within the window. */
async function isInSight(element: Locator): Promise<boolean> {
  const [box, window] = [await element.boundingBox(), page.viewportSize()];
  if (!box || !window) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= window.width && box.y + box.height <= window.height;
}

describeUnless(lacksBrowser, "the history of a stage", () => {
  test("shows the changes of going back to a copy before the command", async () => {
    await show(page, viewNamed("history"));
    expect(await page.locator("main").innerText()).not.toContain("engine state restore");
    await item(410)
      .getByRole("button", { name: /Go back/ })
      .click();
    const dialog = page.getByRole("dialog", { name: "Go back to entry 410" });
    await dialog.getByText("engine state restore 410").waitFor();
    expect(await dialog.locator(".chip").allInnerTexts()).toEqual(
      ["forgotten", "replaced", "changed", "recorded"].map((word) =>
        expect.stringMatching(new RegExp(`^${word}\\s+1$`)),
      ),
    );
    const text = await dialog.innerText();
    expect(text.indexOf("services/legacy/task")).toBeGreaterThan(0);
    expect(text.indexOf("services/legacy/task")).toBeLessThan(text.indexOf("engine state restore 410"));
    expect(text).toContain("not the real resources");
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const command = dialog.locator(".copy");
      expect(await isInSight(command)).toBe(true);
      expect(await isWithin(dialog.getByRole("button", { name: "Expand all" }), dialog)).toBe(true);
      await page.evaluate(axe.source);
      expect(await page.evaluate("axe.run(document).then(({ violations }) => violations.map(({ id }) => id))")).toEqual(
        [],
      );
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/Go back/);
  });

  test("shows no command if the changes cannot be shown", async () => {
    await show(page, viewNamed("history"));
    const failure = { code: "STATE_CORRUPT", message: "The copy is damaged." };
    // Entry 403 needs another key, so it offers no way back at all.
    expect(
      await item(403)
        .getByRole("button", { name: /Go back/ })
        .count(),
    ).toBe(0);
    await page.route("**/difference?**to=408", (route) => route.fulfill({ status: 500, json: failure }));
    await item(408)
      .getByRole("button", { name: /Go back/ })
      .click();
    await page.getByRole("dialog").getByText("The copy is damaged.").waitFor();
    expect(await page.getByRole("dialog").innerText()).not.toContain("engine state restore");
    await page.unroute("**/difference?**to=408");
    await page.keyboard.press("Escape");
  });

  test("names job and commit of a run in CI, as links only to pages", async () => {
    await show(page, viewNamed("history"));
    const [job, commit] = [
      item(410).getByRole("link", { name: "CI job at github.com" }),
      item(410).getByText("9fceb02d0a"),
    ];
    expect(await job.getAttribute("href")).toBe("https://github.com/acme/shop/actions/runs/4127");
    expect(await commit.getAttribute("href")).toBe(
      "https://github.com/acme/shop/commit/9fceb02d0ae598e95dc970b74767f19372d61af8",
    );
    expect(await job.getAttribute("target")).toBe("_blank");
    const forged = history.map((row) => ({
      ...row,
      ...(row.run && { run: { ...row.run, ci: "javascript:globalThis.hacked=1", commit: "<b>bold</b>" } }),
    }));
    await page.route("**/history", (route) => route.fulfill({ json: forged }), { times: 1 });
    await show(page, viewNamed("runs"));
    await show(page, viewNamed("history"));
    await item(410).getByText("javascript:globalThis").waitFor();
    expect(await item(410).innerText()).toContain("<b>bold</");
    expect(await item(410).locator(".ci-run a").count()).toBe(0);
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
  });
});

describeUnless(lacksBrowser, "the answer is close:", () => {
  test("two runs are compared with 3 clicks", async () => {
    await clicks(
      3,
      () => page.getByRole("link", { name: "History", exact: true }).click(),
      () => item(408).getByRole("checkbox").click(),
      () => item(412).getByRole("link", { name: "Compare with 408" }).click(),
    );
    await page.getByRole("heading", { level: 1, name: "Entry 408 → 412" }).waitFor();
    await page.locator(".action-line").first().waitFor();
  });

  test("what depends on a resource is seen with 1 click", async () => {
    await clicks(1, () => page.locator(".is-resources .row", { hasText: "edge/balancer" }).click());
    const dependents = page
      .locator(".facts section")
      .filter({ has: page.getByRole("heading", { name: /Dependents/ }) });
    await dependents.getByRole("link", { name: "dns/www" }).waitFor();
    expect(await isInSight(dependents)).toBe(true);
  });
});
