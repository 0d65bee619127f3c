/** The page of a running process, in a real browser: it opens with the run, and says if a question waits. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { approval } from "../../../plugins/approval/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { LivePage } from "../../../plugins/ui/live-page.js";
import { uiWith } from "../../../plugins/ui/plugin.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { World } from "../../helpers/apps/world.js";
import { engineProject, lacksPackage } from "../../helpers/processes/engine-project.js";
import { startSession } from "../../helpers/terminal/cli-session.js";
import { until } from "../../helpers/time/until.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

let browser: Browser;
let html = "";
beforeAll(async () => {
  if (lacksBrowser === undefined) [browser, html] = await Promise.all([openBrowser(), builtPage()]);
});
afterAll(() => browser?.close());

const Thing = new World().type();
const view = { device: "desktop", colors: "light" } as const;

/** A terminal at which a question is asked until it is answered. */
function askingTerminal() {
  const asked: ((answer: string) => void)[] = [];
  const terminal = {
    isThere: true,
    show: () => {},
    ask: (_question: string, signal?: AbortSignal) =>
      new Promise<string>((resolve) => {
        asked.push(resolve);
        signal?.addEventListener("abort", () => resolve(""));
      }),
  };
  return { asked, terminal };
}

const PROGRAM = `
import { engine, Resource } from "scope-engine";
import { approval } from "scope-engine/plugins/approval";
const Thing = Resource("beside:Thing", { create: () => ({}), delete: () => {} });
const app = await engine("beside", { plugins: [approval()] });
if (!process.env.WITHOUT) await Thing("one", {});
await app.finalize();
`;

describeUnless(lacksBrowser ?? lacksPackage, "a run without a terminal", () => {
  test.each([
    ["approves", "Delete 1 resource", 0],
    ["refuses", "Refuse", 1],
  ])("waits for the page, which %s its deletes, with --ui --allow-changes", async (_word, button, code) => {
    const project = await engineProject({ "engine.run.mjs": PROGRAM });
    onTestFinished(() => project.remove());
    expect((await project.engine("up", "engine.run.mjs", "--stage=dev")).code).toBe(0);
    const args = ["up", "engine.run.mjs", "--ui", "--allow-changes", "--no-open"];
    const run = startSession(project, args, { env: { WITHOUT: "1" } });
    onTestFinished(() => run.leave());
    const url = await run.next("a question waits for an answer on the page: ");
    const { page, close } = await openPage(browser, url.trim(), view);
    onTestFinished(close);
    // A page that was closed and opened again still answers.
    await page.getByRole("dialog", { name: /^Delete this resource/ }).waitFor();
    await page.reload();
    await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
    expect((await run.ended).code).toBe(code);
  });

  test("is refused in CI, where nobody can open the page, and says what to do", async () => {
    const project = await engineProject({ "engine.run.mjs": PROGRAM });
    onTestFinished(() => project.remove());
    expect((await project.engine("up", "engine.run.mjs", "--stage=dev")).code).toBe(0);
    const env = { WITHOUT: "1", CI: "true" };
    const { code, stderr } = await project.engineWith(
      env,
      ...["up", "engine.run.mjs", "--stage=dev", "--ui", "--allow-changes", "--no-open"],
    );
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("or pass the option `approved`");
  });
});

describeUnless(lacksBrowser, "the page of a running process", () => {
  test("opens before its run begins, and shows that run and no list", async () => {
    const live = new LivePage({ html });
    const server = await live.server();
    onTestFinished(() => live.close());
    const { page, troubles, close } = await openPage(browser, server.url(), view);
    onTestFinished(close);
    await page.getByText("The run has not begun yet").waitFor();
    const observers: ((type: string, event: object) => void)[] = [];
    const events = { on: (_name: string, observer: (typeof observers)[0]) => observers.push(observer), off: () => {} };
    const hooks = { ask: { tapPromise: () => {} } };
    live.observe({ hooks, events, options: () => undefined, redact: (text: string) => text } as never);
    const run = { run: "1", app: "shop", stage: "dev", phase: "up", planned: false };
    observers[0]?.("run:started", {
      type: "run:started",
      time: new Date().toISOString(),
      ...run,
      by: { user: "a", host: "b", pid: 1 },
    });
    await page.getByRole("heading", { name: "up shop/dev" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(troubles).toEqual([]);
  });

  test("says in its title and in the list that a question waits, also if it may not answer", async () => {
    const { asked, terminal } = askingTerminal();
    let url = "";
    const opened = (at: string): void => {
      url = at;
    };
    const plugin = uiWith({ opened }, { html, terminal });
    const stateStore = memoryStore();
    const up = (program: () => unknown, plugins = [plugin, approval()]) =>
      createEngine().up("beside", { stage: "dev", stateStore, env: {}, plugins }, program);
    await up(() => Thing("one"), []);
    const run = up(() => {});
    await until(() => asked.length > 0 && url !== "");
    const { page, close } = await openPage(browser, url, view);
    onTestFinished(close);
    const question = page.getByRole("dialog", { name: /^Delete this resource/ });
    await question.getByText("engine up --ui --allow-changes").waitFor();
    expect(await question.getByRole("button", { name: /Refuse|Delete/ }).count()).toBe(0);
    expect(await page.title()).toBe("A question waits · up beside/dev · scope-engine");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "a question waits for an answer" }).waitFor();
    expect(await page.title()).toBe("A question waits · Runs · scope-engine");
    await page.getByRole("row").filter({ hasText: "asks" }).click();
    await question.waitFor();
    asked[0]?.("y");
    await page.getByRole("row").filter({ hasText: "deleted" }).waitFor();
    expect(await run).toMatchObject({ summary: { deleted: 1 } });
    expect(await page.title()).toBe("up beside/dev · scope-engine");
  });
});
