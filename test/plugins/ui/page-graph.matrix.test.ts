/** The graph of a resource, clicked in a real browser. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { fragmentOf } from "../../../plugins/ui/page/router.js";
import { lacksBrowser } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { withFixturePage } from "./page/fixture-page.js";
import { show } from "./page/views.js";

let page: Page;
withFixturePage((fixture) => {
  page = fixture.page;
});

const address = (path: string): string =>
  fragmentOf({ page: "resource", app: "shop", stage: "prod", fqn: `shop/prod/${path}`, tab: "graph" });

beforeEach(async () => {
  if (lacksBrowser !== undefined) return;
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, { address: address("services/api/task"), ready: ".node" });
  await page.getByRole("button", { name: "1", exact: true }).click();
});

const PARTS = ["config", "image", "logs", "role", "secret"].map((part) => `services/api/${part}`);
const ONE_STEP = ["services/api/task", ...PARTS, "net/private", "storage/database", "edge/balancer"].sort();

/** Returns the drawn paths below the stage, sorted. */
const drawn = (): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(".node")].map(({ title }) => title.split("\\n")[0]).sort()`);

async function steps(name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.locator(`.chip[aria-pressed="true"]`, { hasText: name }).waitFor();
  await page.locator(".node").first().waitFor();
}

/** Points of edges that are inside nodes, apart from the borders where edges end. */
const CROSSED = `(() => {
  const boxes = [...document.querySelectorAll(".node")].map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { name: node.innerText, left: left + 3, right: right - 3, top: top + 3, bottom: bottom - 3 };
  });
  return [...document.querySelectorAll(".edge")].flatMap((edge) => {
    const [length, matrix] = [edge.getTotalLength(), edge.getScreenCTM()];
    const points = Array.from({ length: 200 }, (_, at) => edge.getPointAtLength((length * at) / 199).matrixTransform(matrix));
    return boxes.flatMap(({ name, left, right, top, bottom }) =>
      points.some(({ x, y }) => x > left && x < right && y > top && y < bottom) ? [name] : [],
    );
  });
})()`;

/** Texts that are wider or higher than their nodes, or whose end is cut off. */
const OVERFLOWING = `[...document.querySelectorAll(".node")].flatMap((node) => {
  const box = node.getBoundingClientRect();
  const parts = [...node.querySelectorAll(".node-name, .node-scope, .node-kind, .cut-tail")];
  const isOut = parts.some((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < box.left || right > box.right + 0.5 || top < box.top || bottom > box.bottom;
  });
  const isCut = [...node.querySelectorAll(".cut-tail")].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
  return isOut || isCut ? [node.innerText] : [];
})`;

/** Share of the canvas between the outermost nodes and edges: width and height. */
const COVERED = `(() => {
  const canvas = document.querySelector(".drawing-box").getBoundingClientRect();
  const all = [...document.querySelectorAll(".node, .edge")].map((one) => one.getBoundingClientRect());
  const span = (start, end) => Math.max(...all.map((one) => one[end])) - Math.min(...all.map((one) => one[start]));
  return [span("left", "right") / canvas.width, span("top", "bottom") / canvas.height];
})()`;

const OUTSIDE = `(() => {
  const { left, right, top, bottom } = document.querySelector(".drawing-box").getBoundingClientRect();
  return [...document.querySelectorAll(".node")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
  }).length;
})()`;

describeUnless(lacksBrowser, "the graph of a resource", () => {
  test("draws what it depends on and what depends on it, one step away, and no siblings", async () => {
    expect(await drawn()).toEqual(ONE_STEP);
    await page.getByText("2 resources further away are not drawn.").waitFor();
  });

  test("draws more steps once that is asked for, and never siblings", async () => {
    await steps("2");
    const two = [...ONE_STEP, "net/vpc", "dns/www"].sort();
    await until(drawn, (names) => names.length === two.length);
    expect(await drawn()).toEqual(two);
    await steps("All");
    await page.getByText("not drawn").waitFor({ state: "detached" });
    expect(await drawn()).toEqual(two);
  });

  test("keeps the number of steps from one resource to the next", async () => {
    await steps("2");
    await page.locator(".node", { hasText: "database" }).click();
    await page.getByRole("heading", { level: 1, name: "storage/database" }).waitFor();
    await page.locator(".node").first().waitFor();
    expect(await page.locator('.chip[aria-pressed="true"]').innerText()).toBe("2");
    // Twelve dependents, and the balancer behind them.
    expect((await drawn()).length).toBeGreaterThan(12);
  });

  test.each([1440, 390])("has names within their boxes, with both ends in sight, %s wide", async (width) => {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    const [fqn, kind] = [`shop/prod/${"long-scope/".repeat(40)}${"x".repeat(3_000)}-the-end`, "kind:".repeat(500)];
    const answer = { nodes: [{ fqn, kind, status: "ready" }], edges: [], left: 0 };
    await page.route("**/neighbours?**", (route) => route.fulfill({ json: answer }), { times: 1 });
    await show(page, { address: address("edge/balancer"), ready: ".node" });
    await page.locator(".node", { hasText: "-the-end" }).waitFor();
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
  });

  test.each(["1", "2", "All"])("has edges that cross no node, %s steps far", async (name) => {
    await steps(name);
    for (const path of ["services/api/task", "storage/database", "edge/balancer", "net/private"]) {
      await show(page, { address: address(path), ready: ".node" });
      await page.getByRole("heading", { level: 1, name: path }).waitFor();
      await page.locator(".node").first().waitFor();
      expect([path, await page.evaluate(CROSSED)]).toEqual([path, []]);
    }
  });

  test("fills its canvas", async () => {
    const [width, height] = await page.evaluate<[number, number]>(COVERED);
    expect(width).toBeGreaterThan(0.9);
    expect(height).toBeGreaterThan(0.9);
  });

  test("fits into the canvas once that is asked for", async () => {
    await steps("All");
    await show(page, { address: address("storage/database"), ready: ".node" });
    for (let turn = 0; turn < 4; turn++) await page.getByRole("button", { name: "Zoom in" }).click();
    expect(await page.evaluate(OUTSIDE)).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Show all" }).click();
    expect(await page.evaluate(OUTSIDE)).toBe(0);
  });

  test("opens no other resource at the end of a drag", async () => {
    const node = await page.locator(".node", { hasText: "database" }).boundingBox();
    if (!node) throw new Error("The node is not drawn.");
    await page.mouse.move(node.x + 20, node.y + 20);
    await page.mouse.down();
    await page.mouse.move(node.x + 120, node.y + 50, { steps: 4 });
    await page.mouse.up();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("services/api/task");
    expect((await page.locator(".node", { hasText: "database" }).boundingBox())?.x).toBeCloseTo(node.x + 100, 0);
  });
});
