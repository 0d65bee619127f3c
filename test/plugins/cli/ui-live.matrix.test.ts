/** `engine up --ui` of the packed package, with its page in a real browser. */
import { connect } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.ts";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { type CliSession, startSession } from "../../helpers/terminal/cli-session.ts";
import { describeUnless } from "../../servers/given.ts";

/** Each step waits for a file with its name. Once there is a file `less`, the second step is left out. */
const PROGRAM = `
import { existsSync } from "node:fs";
import { engine, Resource } from "scope-engine";
import { approval } from "scope-engine/plugins/approval";

const Step = Resource("demo:Step", {
  async create({ id }) {
    while (!existsSync(id + ".gate")) await new Promise((resolve) => setTimeout(resolve, 10));
    return { id };
  },
  delete() {},
});
const app = await engine("shop", { plugins: [approval()] });
await Step("one");
if (existsSync("less")) await Step("three");
else await Step("two");
await app.finalize();
`;

let browser: Browser;
let project: Project;
let session: CliSession | undefined;

beforeAll(async () => {
  if (lacksBrowser !== undefined || lacksPackage !== undefined) return;
  browser = await openBrowser();
  project = await engineProject({ "engine.run.ts": PROGRAM });
});
afterEach(() => session?.leave());
afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

async function upWithPage(
  ...args: string[]
): Promise<{ readonly up: CliSession; readonly page: Page; readonly url: string }> {
  const up = startSession(project, ["up", "--ui", "--no-open", ...args]);
  session = up;
  const url = `http://127.0.0.1:${await up.next("page of this run: http://127.0.0.1:")}`;
  const { page } = await openPage(browser, url, { device: "desktop", colors: "light" });
  await page.getByRole("heading", { name: "up shop/" }).waitFor();
  return { up, page, url };
}

const row = (page: Page, name: string, state: string): Promise<void> =>
  page.locator(".is-waterfall [role=row]").filter({ hasText: name }).filter({ hasText: state }).waitFor();

function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

describeUnless(lacksBrowser ?? lacksPackage, "engine up --ui in a browser", () => {
  test("leaves no lock, no file and no port where it is killed", async () => {
    const { up, page, url } = await upWithPage();
    await row(page, "one", "running");
    const during = await project.names();
    up.process.kill("SIGKILL");
    await up.ended;
    await page.getByText("no connection; retrying").waitFor();
    await page.locator(".page-title").filter({ hasText: "cut off" }).waitFor();
    expect(await isServed(url)).toBe(false);
    expect(await project.names()).toEqual(during);
  });

  test("shows each row as it comes, and ends with the summary", async () => {
    const { up, page, url } = await upWithPage("--lock=eager");
    await row(page, "one", "running");
    await project.write("one.gate", "");
    await row(page, "two", "running");
    await row(page, "one", "created");
    await project.write("two.gate", "");
    await page.locator(".summary-part, .progress-text").filter({ hasText: "2 created" }).first().waitFor();
    expect((await up.ended).code).toBe(0);
    await row(page, "two", "created");
    expect(await page.locator(".page-title").innerText()).toContain("done");
    expect(await isServed(url)).toBe(false);
  });

  test("asks in the page, where changes are allowed, and goes on with the answer", async () => {
    for (const gate of ["one", "two"]) await project.write(`${gate}.gate`, "");
    expect((await project.engine("up", "--stage=dev")).code).toBe(0);
    await project.write("less", "");
    const { up, page } = await upWithPage("--allow-changes");
    await row(page, "three", "running");
    await project.write("three.gate", "");
    const question = page.getByRole("dialog", { name: "Delete this resource?" });
    await question.waitFor();
    expect(await page.title()).toContain("A question waits");
    expect(await question.innerText()).toMatch(/shop\/dev[\s\S]*delete\s+1[\s\S]*two/);
    await question.getByRole("button", { name: "Delete 1 resource" }).click();
    await row(page, "two", "deleted");
    expect((await up.ended).code).toBe(0);
    expect(up.output).toMatch(/1 created.*1 deleted|1 deleted/);
  });
});
