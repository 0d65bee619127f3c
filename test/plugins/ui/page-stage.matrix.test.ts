/** The summary of a stage, the lists of resources and runs, the search and times, as they are clicked. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { lacksBrowser } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import { NOW } from "./page/stages.js";
import { hostile, show, viewNamed } from "./page/views.js";

let page: Page;
withFixturePage((fixture) => {
  page = fixture.page;
});

const content = (): Promise<string> => page.locator("main").innerText();
const rows = (list: string): Promise<string[]> => page.locator(`${list} .row:visible`).allInnerTexts();
const names = async (list = ".is-resources"): Promise<string[]> =>
  (await rows(list)).map((text) => text.replaceAll(/\/\s+/g, "/").split("\n")[0] ?? "");
const settled = async (): Promise<void> => {
  await show(page, viewNamed("stage"));
  await page.locator(".cell-changed time").first().waitFor();
};

/** Counts the clicks from the page of stages or runs on. */
async function clicks(...names: readonly (RegExp | string)[]): Promise<number> {
  for (const name of names)
    await page
      .locator("main :is(a, button, .row), .top button, [role=option]")
      .filter({ hasText: name })
      .first()
      .click();
  return names.length;
}

describeUnless(lacksBrowser, "the lists of the page", () => {
  beforeAll(() => page.clock.setFixedTime(NOW));
  beforeEach(() => show(page, viewNamed("stages")));

  test("a stage begins with its last run, lock, drift, seal, and the changes of the week", async () => {
    await clicks("shop/prod");
    const summary = page.locator('[aria-label="Summary"]');
    await summary.getByText("5 runs").waitFor();
    const text = await summary.innerText();
    for (const part of [
      /Last run\s*failed\s*up · slowest\s*26 min ago by runner@ci-7/,
      /Lock\s*runner@ci-7 holds the lock: up\s*process 311, for 4 min; it runs on another machine/,
      /Drift\s*2 resources drifted\s*checked 3 h ago/,
      /Seal\s*verified with its key/,
      /Last 7 days\s*5 runs\s*3 created\s*8 updated\s*1 replaced\s*1 deleted/,
      /edge\/certificate failed: The challenge was not answered: DNS problem/,
    ])
      expect(text).toMatch(part);
    await summary.getByRole("link", { name: "5 runs" }).click();
    await page.getByText(/^\d+ of 48 resources$/).waitFor();
    expect(page.url()).toContain("changed=week");
  });

  test("no fact of the summary is wrapped within its line, or cut off", async () => {
    await clicks("shop/prod");
    await page.locator('[aria-label="Summary"]').getByText("5 runs").waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await page.locator(".fact-line").evaluateAll((all) =>
        all.map((one) => ({
          text: one.textContent?.trim(),
          isWhole: one.scrollWidth <= one.clientWidth,
          lines: Math.round(one.clientHeight / 20),
        })),
      );
      expect(lines.map(({ text }) => text)).toEqual([
        "26 min ago by runner@ci-7",
        "runner@ci-7 holds the lock: up",
        "checked 3 h ago",
      ]);
      expect(lines.filter(({ isWhole, lines: number }) => !isWhole || number !== 1)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("a stage that is free, not checked and not sealed says so", async () => {
    await clicks("shop/dev");
    const summary = page.locator('[aria-label="Summary"]');
    await summary.getByText("no changes").waitFor();
    expect(await summary.innerText()).toMatch(/free[\s\S]*not checked here[\s\S]*not sealed/);
    expect(await page.locator(".why-failed").count()).toBe(0);
  });

  test("a row says when and by which run a resource changed, and its last error", async () => {
    await settled();
    const row = page.locator(".is-resources .row").filter({ hasText: "certificate" });
    expect(await row.innerText()).toMatch(/The challenge was not answered[\s\S]*26 min ago up by runner/);
    expect(await page.locator(".is-resources .row").filter({ hasText: "vpc" }).innerText()).toContain("over 6 d ago");
    await row.getByRole("link", { name: "up by runner" }).click();
    await page.getByRole("heading", { name: "Entry 410 → 412" }).waitFor();
  });

  test("a click on a column sorts by it, another one the other way round", async () => {
    await settled();
    const sort = (name: string) => page.getByRole("columnheader", { name }).getByRole("button").click();
    await sort("changed");
    await until(names, (all) => all[0] === "edge/certificate");
    const { length } = await names();
    expect((await names()).slice(0, 2)).toEqual(["edge/certificate", "storage/queue"]);
    expect(await page.getByRole("columnheader", { name: "changed" }).getAttribute("aria-sort")).toBe("descending");
    await sort("changed");
    await until(names, (all) => all[0] !== "edge/certificate");
    await sort("kind");
    await until(names, (all) => all[0]?.endsWith("/logs") === true || all[0] === "storage/queue");
    await sort("status");
    await until(names, (all) => all[0] === "edge/certificate");
    await sort("name");
    await until(names, (all) => all[0] === "dns/zone");
    await sort("name");
    await until(names, (all) => all[0]?.startsWith("storage/") === true);
    expect((await names()).length).toBe(length);
  });

  test("a filter survives Back, Escape, a link and a reload", async () => {
    await settled();
    await page.getByPlaceholder("Filter by name").fill("task api");
    await page.locator(".is-kind select").selectOption("cloud:Service");
    await page.locator(".is-status select").selectOption("ready");
    const isFiltered = async (): Promise<void> => {
      await page.getByText("1 of 48 resources").waitFor();
      expect(await page.getByPlaceholder("Filter by name").inputValue()).toBe("task api");
      expect(await page.locator(".is-kind select").inputValue()).toBe("cloud:Service");
      expect(await page.locator(".is-status select").inputValue()).toBe("ready");
      expect(await names()).toEqual(["services/api/task"]);
    };
    await isFiltered();
    await clicks("services/api/");
    await page.getByRole("heading", { name: "services/api/task" }).waitFor();
    await page.goBack();
    await isFiltered();
    await clicks("services/api/");
    await page.getByRole("heading", { name: "services/api/task" }).waitFor();
    await page.keyboard.press("Escape");
    await isFiltered();
    await page.reload();
    await isFiltered();
    // The stage is one step: Back does not go through the filters.
    await page.goBack();
    await page.getByRole("heading", { name: "services/api/task" }).waitFor();
  });

  test("the search finds several words in all stages, from any page", async () => {
    for (const name of ["stages", "stage", "resource", "run", "fleet", "nowhere"]) {
      await show(page, viewNamed(name));
      await page.keyboard.press("/");
      await page.keyboard.type("TASK cloud api");
      for (const stage of ["dev", "prod", "staging"])
        await page
          .locator("[role=option]")
          .filter({ hasText: `shop/${stage}/services/api/task` })
          .waitFor();
      await page.locator(".search-foot").getByText("1 stage was not searched").waitFor();
      await page.keyboard.press("Escape");
    }
  });

  test("a run opens on what changed or failed, and has no pill for what did not change", async () => {
    await show(page, viewNamed("run"));
    expect(await page.getByRole("radio", { name: "Changed" }).isChecked()).toBe(true);
    expect((await rows(".is-waterfall")).join()).not.toContain("unchanged");
    await page.getByRole("radio", { name: "All" }).check();
    const row = page.locator(".is-waterfall .row").filter({ hasText: "unchanged" }).first();
    await row.waitFor();
    expect(await row.locator(".pill").count()).toBe(0);
    await show(page, viewNamed("live"));
    expect(await page.getByRole("radio", { name: "Changed" }).isChecked()).toBe(true);
  });

  test("a run that was only looked at shows all of it", async () => {
    await show(page, { address: "#/runs/run-drift/progress", ready: ".is-waterfall .row" });
    expect(await page.getByRole("radio", { name: "All" }).isChecked()).toBe(true);
  });

  test("a run under way says once when it began", async () => {
    await show(page, viewNamed("live"));
    const head = await page.locator(".page-title").innerText();
    expect(head).toMatch(/running\s*for [\d.]+ s, since 2026-03-05 \d\d:29:46 UTC\S* by runner@ci-7/);
    expect(head).not.toContain("ago");
  });

  test("the bar shows what was never reached", async () => {
    await show(page, viewNamed("run"));
    expect(await page.locator(".progress-text").innerText()).toMatch(/2\s*never reached/);
    expect(await page.locator('.progress-part[data-state="never"]').count()).toBe(1);
  });

  test("no address of a run or folder of this machine is a headline", async () => {
    await page.route("**/api/about", async (route) => {
      const about = await (await route.fetch()).json();
      await route.fulfill({ json: { ...about, label: "/home/ada/work/shop/.engine" } });
    });
    await page.reload();
    await show(page, viewNamed("run"));
    await page.locator(".crumbs").getByText("up shop/prod").waitFor();
    const crumbs = await page.locator(".crumbs").innerText();
    expect(crumbs).toMatch(/^shop\/\.engine/);
    expect(crumbs).not.toContain("run-failed");
    expect(await page.locator("h1, h2").allInnerTexts()).not.toContain("run-failed");
    await page.unroute("**/api/about");
    await page.reload();
  });

  test("a long name is cut in its middle, so that its end is seen", async () => {
    const stage = `#/stages/${encodeURIComponent(hostile.app)}/${encodeURIComponent(hostile.stage)}`;
    await show(page, { address: stage, ready: ".is-resources .row" });
    const long = page.locator(".is-resources .middle-cut").filter({ hasText: "xxx" });
    const isCut = (part: string): Promise<boolean> =>
      long.locator(part).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect([await isCut(".cut-head"), await isCut(".cut-tail")]).toEqual([true, false]);
    expect(await long.innerText()).toMatch(/^long\/\s/);
  });

  test("times have a zone, and the choice of UTC is remembered", async () => {
    await show(page, viewNamed("run"));
    const head = () => page.locator(".page-title").innerText();
    expect(await head()).toMatch(/26 min ago, 2026-03-05 \d\d:04:00 UTC/);
    await page.getByRole("button", { name: "Show times in UTC" }).click();
    expect(await head()).toContain("2026-03-05 14:04:00 UTC by");
    await page.reload();
    await page.locator(".is-waterfall .row").first().waitFor();
    expect(await head()).toContain("2026-03-05 14:04:00 UTC by");
    const isOn = () => page.getByRole("button", { name: "Show times in UTC" }).getAttribute("aria-pressed");
    expect(await isOn()).toBe("true");
    await page.getByRole("button", { name: "Show times in UTC" }).click();
    expect(await isOn()).toBe("false");
  });
});

describeUnless(lacksBrowser, "few clicks lead to", () => {
  beforeAll(() => page.clock.setFixedTime(NOW));
  beforeEach(() => show(page, viewNamed("stages")));

  test("what failed and why, with one", async () => {
    expect(await clicks("shop/prod")).toBe(1);
    await page.getByText("edge/certificate failed: The challenge was not answered").waitFor();
  });

  test("who holds the lock, with one", async () => {
    expect(await clicks("shop/prod")).toBe(1);
    await page.getByText("runner@ci-7 holds the lock: up").waitFor();
  });

  test("when and by which run a value changed, with two", async () => {
    expect(await clicks("shop/prod", "services/api/")).toBe(2);
    await page.getByText(/Last changed 26 min ago.* by runner@ci-7, up: props\.replicas 2 → 3/).waitFor();
  });

  test("a resource of which part of the name is known, from anywhere, with two", async () => {
    await show(page, viewNamed("runs"));
    await clicks("Search");
    await page.keyboard.type("balanc");
    await clicks("shop/prod/edge/balancer");
    await page.getByRole("heading", { name: "edge/balancer" }).waitFor();
  });

  test("the lines of a handler that failed, with two", async () => {
    expect(await clicks("shop/prod", /^edge\/certificate$/)).toBe(2);
    await page.getByRole("log", { name: "Log of its handler" }).waitFor();
    expect(await content()).toContain("calling the API for edge/certificate");
  });

  test("the slowest resources, with two", async () => {
    expect(await clicks("shop/prod", /^slowest$/)).toBe(2);
    await slowestFirst();
  });

  test("the slowest resources of an earlier run, with two", async () => {
    await show(page, viewNamed("runs"));
    expect(await clicks(/failed[\s\S]*16 updated/, /^Took$/)).toBe(2);
    await slowestFirst();
  });

  async function slowestFirst(): Promise<void> {
    const took = async (): Promise<string[]> => page.locator(".is-waterfall .cell-took").allInnerTexts();
    await until(took, ([first]) => first?.includes("5.1 s") === true);
    const seconds = (await took()).map(
      (text) => Number(/[\d.]+(?= m?s)/.exec(text)?.[0]) * (/ms/.test(text) ? 0.001 : 1),
    );
    expect(seconds.slice(0, 12)).toEqual(seconds.slice(0, 12).toSorted((one, other) => other - one));
  }
});
