/** The page of a fleet that runs in another process, and of one that the page's own process continues. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.ts";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { builtMain, projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { type CliSession, startSession } from "../../helpers/terminal/cli-session.ts";
import { describeUnless } from "../../servers/given.ts";
import { describeWithRedis } from "../../servers/given-redis.ts";

const MESSAGE = "the server <b>db-7</b> does not answer";

const OTHER = "no disk for t5";

/** Two stages fail, each for another reason, until there is a file "fixed". */
const programOf = (stages: number, milliseconds: number): string => `
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fleet } from "scope-engine/fleet";
import { File } from "scope-engine/resources";
export default fleet("tenants", {
  stages: Array.from({ length: ${stages} }, (_, index) => ({ stage: "t" + index, input: index })),
  concurrency: 4,
  maxFailures: "100%",
  program: async (app, index) => {
    if (index === 3 && !existsSync("fixed")) throw new Error("${MESSAGE}");
    if (index === 5 && !existsSync("fixed")) throw new Error("${OTHER}");
    await sleep(${milliseconds});
    await File("plan", { path: "out/" + app.stage + ".txt", content: "small" });
  },
});
`;

/** No stage is named. */
const env = { ENGINE_STAGE: "" };

let browser: Browser | undefined;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  if (lacksBrowser === undefined) browser = await openBrowser();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => browser?.close());

async function project(
  stages: number,
  milliseconds = 0,
  make: typeof projectWithPeers = engineProject,
): Promise<Project> {
  const made = await make({ "tenants.run.ts": programOf(stages, milliseconds) });
  ends.push(() => made.remove());
  return made;
}

function session(folder: Project, ...args: string[]): CliSession {
  const isOnQueue = args.includes("--queue");
  const started = startSession(folder, args, { env, ...(isOnQueue && { program: [builtMain] }) });
  ends.push(() => started.leave());
  return started;
}

async function opened(folder: Project, ...args: string[]): Promise<Page> {
  const served = session(folder, "ui", "--no-open", ...args);
  const url = `http://127.0.0.1:${await served.next("http://127.0.0.1:")}`;
  if (!browser) throw new Error("There is no browser.");
  const { page, troubles, close } = await openPage(browser, url, { device: "desktop", colors: "light" });
  // A stage whose run failed before its first change has no state.
  const isExpected = (one: string): boolean => /^404 .*\/stages\/tenants\/t3$|404 \(Not Found\)$/.test(one);
  onTestFinished(() => expect(troubles.filter((one) => !isExpected(one))).toEqual([]));
  ends.push(close);
  return page;
}

const state = (page: Page, word: string): Promise<void> =>
  page.locator(".page-title .pill").getByText(word, { exact: true }).waitFor({ timeout: 90_000 });

describeUnless(lacksBrowser ?? lacksPackage, "the page of a fleet", () => {
  test("pauses, resumes and cancels the run of another process, and leads to a stage that failed", async () => {
    const folder = await project(2_000, 200);
    const conducted = session(folder, "fleet", "up", "tenants.run.ts", "--wait");
    await conducted.next("t3");
    const page = await opened(folder, "--app=tenants", "--stage=t3", "--allow-changes");
    await page.goto(page.url().replace(/#.*/, "#/stages"));
    await page.locator(".is-stages .row", { hasText: "fleet" }).getByRole("link").click();
    await state(page, "running");
    await page.getByText(/per second · about .* left/).waitFor();

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("was asked to pause").waitFor();
    await state(page, "paused");
    await page.getByRole("button", { name: "Resume" }).click();
    await state(page, "running");

    await page.getByRole("searchbox", { name: "Filter by name" }).fill("t3");
    await page.getByRole("button", { name: /^failed/ }).click();
    await page.getByText(/^1 of \d+ stages/).waitFor();
    expect(await page.locator(".fleet-cell").allInnerTexts()).toEqual(["t3"]);

    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it running" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the up" }).click();
    await state(page, "cancelled");
    expect((await conducted.ended).code).toBe(1);

    await page.goto(page.url().replace(/#.*/, "#/stages"));
    await page.reload();
    await page.locator(".is-stages .row", { hasText: "fleet" }).getByRole("link").click();
    await state(page, "cancelled");

    const cause = page.getByRole("region", { name: "Failures by cause" });
    for (const message of [MESSAGE, OTHER]) expect(await cause.innerText()).toContain(message);
    expect(await cause.getByRole("article").count()).toBe(2);
    await cause.getByRole("link", { name: "t3", exact: true }).click();
    await page.getByRole("heading", { name: "tenants/t3" }).waitFor();
    await page.getByText("in the up of the fleet").waitFor();
    expect(await page.locator("main").innerText()).toContain(MESSAGE);
  });

  describeWithRedis("on a queue", (queue) => {
    test("resumes, pauses and retries a run in its own process, and workers run its stages", async () => {
      const folder = await project(160, 150, projectWithPeers);
      const worker = session(folder, "worker", "tenants.run.ts", "--queue", queue, "--concurrency=4");
      await worker.next("takes stages of version");
      const conducted = session(folder, "fleet", "up", "tenants.run.ts", "--queue", queue);
      await worker.next("changed   tenants/t9 ");
      conducted.process.kill("SIGINT");
      expect((await conducted.ended).code).toBe(130);

      const page = await opened(folder, "tenants.run.ts", "--queue", queue, "--allow-changes");
      await state(page, "interrupted");
      await page.getByRole("button", { name: "Resume" }).click();
      await state(page, "running");
      await page.getByRole("button", { name: "Pause" }).click();
      await state(page, "paused");
      await page.getByRole("button", { name: "Resume" }).click();
      await state(page, "failed");

      await folder.write("fixed", "");
      await page.getByRole("button", { name: "Retry what failed" }).click();
      await worker.next("changed   tenants/t3 ");
      await state(page, "done");
      expect(await folder.read("out/t3.txt")).toBe("small");
      expect(worker.output.match(/^changed/gm)).toHaveLength(160);
    });
  });

  test("resumes a run that was cancelled, and stages that had ended do not run again", async () => {
    const folder = await project(300, 300);
    await folder.write("fixed", "");
    const conducted = session(folder, "fleet", "up", "tenants.run.ts");
    const page = await opened(folder, "tenants.run.ts", "--allow-changes");
    await state(page, "running");
    await page.locator('.fleet-cell[data-outcome="changed"]').first().waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the up" }).click();
    await state(page, "cancelled");
    expect((await conducted.ended).code).toBe(1);
    await page.getByText("Cancelled", { exact: true }).waitFor();
    expect(await page.locator(".fleet-orders button").allInnerTexts()).toEqual(["Resume"]);
    await page.getByRole("button", { name: "Resume" }).click();
    await state(page, "running");
    await state(page, "done");
    await page.getByText("300 of 300 stages").waitFor();
    expect(await folder.read("out/t299.txt")).toBe("small");
  });

  test("begins what failed again in its own process if it has the program; without permission it names the command", async () => {
    const folder = await project(12);
    expect((await folder.engineWith(env, "fleet", "up", "tenants.run.ts")).code).toBe(1);
    const looking = await opened(folder, "tenants.run.ts");
    await state(looking, "failed");
    await looking.getByText("engine fleet retry tenants.run.ts").waitFor();
    expect(await looking.getByRole("button", { name: "Retry what failed" }).count()).toBe(0);

    const page = await opened(folder, "tenants.run.ts", "--allow-changes");
    await folder.write("fixed", "");
    await page.getByRole("button", { name: "Retry what failed" }).click();
    await state(page, "done");
    await page.getByText("12 of 12 stages").waitFor();
    const inOrder = Array.from({ length: 12 }, (_, index) => `t${index}`);
    expect(await page.locator(".fleet-cell").allInnerTexts()).toEqual(inOrder);
    expect(await folder.read("out/t3.txt")).toBe("small");
  });
});
