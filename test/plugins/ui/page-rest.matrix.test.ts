/** Loads the omitted parts of a large value on the page, from the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { startServer, type UiServer } from "../../../plugins/ui/server/index.js";
import { allRuns, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, type Opened, openBrowser, openPage } from "../../docs/browser.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Large = Resource("demo:Large", {
  create: ({ props }: { props: { value: unknown } }) => ({ value: props.value }),
  delete: () => {},
});

const list = Array.from({ length: 1_200 }, (_, index) => `element ${index}`);
const members = Object.fromEntries(list.map((text, index) => [`name/${index}~`, text]));
const text = `${"x".repeat(299_990)}the end`;

const store = memoryStore();
const stages = stageSource(store, { env: {} });
let browser: Browser;
let server: UiServer;
let opened: Opened;
let page: Page;

beforeAll(async () => {
  if (lacksBrowser !== undefined) return;
  const given = { stage: "dev", stateStore: store, argv: [], quiet: true, telemetry: false } as const;
  const app = await engine("shop", given);
  await Promise.all(Object.entries({ list, members, text }).map(([id, value]) => Large(id, { value })));
  await app.finalize();
  const [started, html] = await Promise.all([openBrowser(), builtPage()]);
  browser = started;
  server = await startServer({ label: "memory", stages, runs: allRuns([]), redact: (one) => one }, { html });
  opened = await openPage(browser, server.url("/stages/shop/dev"), { device: "desktop", colors: "light" });
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await stages.close();
});

/** Its output, with all omitted parts loaded. */
async function wholeOutput(id: string): Promise<string> {
  await page.evaluate(`location.hash = "#/stages/shop/dev/resource/shop%2Fdev%2F${id}"`);
  await page.getByRole("heading", { level: 1, name: id, exact: true }).waitFor();
  const output = page.getByRole("region", { name: "Output" });
  const more = output.getByRole("button", { name: /^(Show|Load) more/ });
  await more.waitFor();
  for (let asked = 0; (await more.count()) > 0; asked++) {
    expect(asked).toBeLessThan(20);
    // One button shows or loads more, whether the rest is already here or not.
    const before = await more.innerText();
    await more.click();
    // The same label would mean that nothing was loaded.
    await until(async () => !(await more.allInnerTexts()).includes(before));
  }
  return output.innerText();
}

describeUnless(lacksBrowser, "what is left out of a value", () => {
  test.each([
    ["list", "element"],
    ["members", "element"],
  ])("comes when it is asked for: %s", async (id, word) => {
    const shown = await wholeOutput(id);
    const numbers = [...shown.matchAll(new RegExp(`${word} (\\d+)`, "g"))].map(([, number]) => Number(number));
    expect(numbers).toEqual(list.map((_, index) => index));
    expect(opened.troubles).toEqual([]);
  });

  test("comes when it is asked for: a text", async () => {
    const shown = await wholeOutput("text");
    expect(/x+the end/.exec(shown)?.[0]).toBe(text);
    expect(opened.troubles).toEqual([]);
  });

  test("is said not to come where the server is gone, and comes once it is there again", async () => {
    await page.evaluate(`location.hash = "#/stages/shop/dev"`);
    await page.evaluate(`location.hash = "#/stages/shop/dev/resource/shop%2Fdev%2Ftext"`);
    const output = page.getByRole("region", { name: "Output" });
    const load = output.getByRole("button", { name: /^Load more/ });
    for (const left of [/299,597/, /296,797/]) await output.getByRole("button", { name: left }).click();
    await load.waitFor();
    await page.route("**/part?**", (route) => route.abort());
    await load.click();
    await page.getByText("The server does not answer").waitFor();
    await page.unrouteAll();
    await load.click();
    await page.getByText("The server does not answer").waitFor({ state: "detached" });
    // Shows the loaded part first.
    for (const left of [/274,397/, /95,197/]) await output.getByRole("button", { name: left }).click();
    await output.getByRole("button", { name: "Load more (94,997 characters)" }).waitFor();
  });
});
