/** The button that checks for drift, clicked in a real browser, with the real server and a real process. */
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { engine, Resource } from "../../../plugins/index.js";
import { startServer } from "../../../plugins/ui/server/index.js";
import { fleetSource, LiveRuns, Looks, stageSource } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

const Front = Resource("look:Front", { create: () => ({ id: "f-1" }), delete: () => {} });
const name = { app: "look", stage: "dev" };
const store = memoryStore();

let html = "";
beforeAll(async () => {
  if (lacksBrowser !== undefined) return;
  html = await builtPage();
  for (const stage of [name.stage, "prod"]) {
    const app = await engine(name.app, { stage, stateStore: store, argv: [], quiet: true, telemetry: false });
    await Front("front");
    await app.finalize();
  }
});

interface Drifts {
  readonly resources?: readonly object[];
}

/** @param code run by the process that checks */
async function opened(
  code: string,
  allowChanges = true,
): Promise<{ readonly page: Page; readonly troubles: readonly string[] }> {
  const runs = new LiveRuns();
  const redact = (text: string): string => text;
  const looks = new Looks({ ...name, command: [process.execPath, "-e", code], runs, redact });
  const source = {
    label: "memory",
    stages: stageSource(store),
    fleets: fleetSource(store),
    runs,
    stage: name,
    look: looks.begin.bind(looks),
    redact,
  };
  const server = await startServer(source, { html, allowChanges });
  const browser = await openBrowser();
  onTestFinished(async () => {
    await browser.close();
    await server.close();
  });
  const drift = await openPage(browser, server.url("/stages/look/dev/drift"), { device: "desktop", colors: "light" });
  return drift;
}

const printing = ({ resources = [] }: Drifts): string =>
  `console.log(${JSON.stringify(JSON.stringify({ ...name, resources, same: 1, unread: [], errors: [] }))})`;
const button = (page: Page) => page.getByRole("button", { name: "Check now" });

describeUnless(lacksBrowser, "the button that checks for drift", () => {
  test("begins a check, which is found again after the page is reloaded", async () => {
    const changes = [{ path: "/output/id", old: "f-1", new: "f-2" }];
    const one = { kind: "look:Front", id: "front", fqn: "look/dev/front", gone: false, changes };
    const { page, troubles } = await opened(printing({ resources: [one] }));
    await page.getByText("No check for drift yet").waitFor();
    await button(page).click();
    await page.locator(".drift-item").filter({ hasText: "f-2" }).waitFor();
    await page.reload();
    await page.locator(".drift-item").filter({ hasText: "f-2" }).waitFor();
    await page.getByRole("link", { name: "Show the run" }).click();
    await page.getByRole("heading", { name: "drift look/dev" }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("finds a check without drift again, and says how many resources it read", async () => {
    const { page } = await opened(printing({}));
    await button(page).click();
    await page.getByText("1 resource checked.").waitFor();
    await page.reload();
    await page.getByText("1 resource checked.").waitFor();
  });

  test("is disabled on a stage that the program is not for, with the command that checks it", async () => {
    const { page } = await opened(printing({}));
    await page.evaluate('location.hash = "#/stages/look/prod/drift"');
    await page.getByText("engine ui FILE --stage prod --allow-changes").waitFor();
    expect(await button(page).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("engine ui FILE --stage prod --allow-changes");
    await page.evaluate('location.hash = "#/stages/look/dev/drift"');
    await page.getByText("Reads each real resource").waitFor();
    expect(await button(page).isDisabled()).toBe(false);
  });

  test("is disabled on a server that allows no changes, with the command to copy", async () => {
    const { page } = await opened(printing({}), false);
    await page.getByText("This server is read-only").waitFor();
    expect(await button(page).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("engine ui FILE --allow-changes");
  });

  test("shows why a check failed, and not that there is no drift", async () => {
    const { page } = await opened('console.error("no credentials"); process.exit(1)');
    await button(page).click();
    await page.getByRole("region", { name: "Last check" }).getByText("no credentials").waitFor();
    expect(await page.getByText("No drift", { exact: true }).count()).toBe(0);
  });
});
