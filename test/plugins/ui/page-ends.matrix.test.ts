/** The states of runs in event files, in a real browser: ended late, cut off, silent, or failed with others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { NOTHING_DONE } from "../../../core/base/index.js";
import { startServer, type UiServer } from "../../../plugins/ui/server/index.js";
import { runFiles } from "../../../plugins/ui/sources/index.js";
import { lacksBrowser, openBrowser, openPage } from "../../docs/browser.js";
import { describeUnless } from "../../servers/given.js";
import { builtPage } from "./page/built.js";

let browser: Browser;
let html = "";
beforeAll(async () => {
  if (lacksBrowser === undefined) [browser, html] = await Promise.all([openBrowser(), builtPage()]);
});
afterAll(() => browser?.close());

const AGES_AGO = "2026-01-02T03:04:05.678Z";
const line = (event: object, time = new Date().toISOString()): string =>
  `${JSON.stringify({ v: 1, time, ...event })}\n`;
const info = (by: object) => ({ run: "1", app: "shop", stage: "dev", phase: "up", planned: false, by });
const started = (by: object, time?: string): string => line({ type: "run:started", ...info(by) }, time);
const finished = (by: object, more: object = {}): string =>
  line({
    type: "run:finished",
    ...info(by),
    ok: true,
    interrupted: false,
    summary: NOTHING_DONE,
    duration: 5,
    errors: [],
    ...more,
  });
const elsewhere = { user: "ann", host: "elsewhere", pid: 1 };

/** Runs until it is told to end. */
async function runningProcess(): Promise<{ readonly by: object; end(): Promise<void> }> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const end = async (): Promise<void> => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { by: { user: "ann", host: hostname(), pid: child.pid }, end };
}

interface Shown {
  readonly page: Page;
  readonly server: UiServer;
  append(...lines: readonly string[]): Promise<void>;
}

async function shown(to: string, ...lines: readonly string[]): Promise<Shown> {
  const folder = await mkdtemp(join(tmpdir(), "page-ends-"));
  const file = join(folder, "run.ndjson");
  await writeFile(file, lines.join(""));
  const runs = await runFiles(file);
  const server = await startServer({ label: "runs", runs, redact: (text) => text }, { html });
  const { page, close } = await openPage(browser, server.url(to), { device: "desktop", colors: "light" });
  onTestFinished(async () => {
    runs.close();
    await close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  return { page, server, append: (...more) => appendFile(file, more.join("")) };
}

const titled = (page: Page, state: string): Promise<void> =>
  page.locator(".page-title").filter({ hasText: state }).waitFor();
const listed = (page: Page, text: string): Promise<void> =>
  page.getByRole("row").filter({ hasText: "shop/dev" }).filter({ hasText: text }).waitFor();

describeUnless(lacksBrowser, "the page of a run in a file", () => {
  test("shows the end of a run whose last lines arrive after its process has ended", async () => {
    const { by, end } = await runningProcess();
    const { page, append } = await shown("/runs/1", started(by));
    await titled(page, "running");
    await end();
    await titled(page, "cut off");
    await append(line({ type: "resource:created", kind: "a:B", fqn: "shop/dev/late", duration: 5 }));
    await page.getByRole("row").filter({ hasText: "late" }).waitFor();
    await append(finished(by));
    await titled(page, "done");
    await page.goto(page.url().replace(/#.*$/, "#/runs"));
    await listed(page, "done");
  });

  test("shows no run of another machine as running of which nothing was heard for minutes", async () => {
    const { page, append } = await shown("/runs", started(elsewhere, AGES_AGO));
    await listed(page, "silent");
    await listed(page, "from another machine");
    await page.getByRole("row").filter({ hasText: "silent" }).click();
    await titled(page, "silent");
    await append(line({ type: "resource:started", kind: "a:B", fqn: "shop/dev/web", action: "create" }));
    await titled(page, "running");
  });

  test("does not count on beside a run whose process was killed with the server", async () => {
    const { page, server } = await shown("/runs/1", started(elsewhere));
    await titled(page, "running");
    await server.close();
    await titled(page, "cut off");
    const counted = await page.locator(".page-title").innerText();
    await page.getByText("no connection; retrying").waitFor();
    await page.evaluate("{ const real = Date.now; Date.now = () => real() + 3_600_000; }");
    // Each attempt to connect renders the page again.
    for (let attempt = 0; attempt < 2; attempt++) await page.waitForRequest("**/events**");
    expect(await page.locator(".page-title").innerText()).toBe(counted);
  });

  test("shows one failure once, and the handlers that it stopped beside it", async () => {
    const fqns = Array.from({ length: 16 }, (_, index) => `shop/dev/r${index}`);
    const failureOf = (fqn: string) => ({
      code: "HANDLER_FAILED",
      fqn,
      message: `create of "${fqn}" failed: ${fqn.endsWith("r3") ? "quota exceeded" : "The operation was aborted"}`,
      causes: fqn.endsWith("r3")
        ? ["Error: quota exceeded"]
        : ["AbortError: The operation was aborted", "EngineError [ABORTED]: The program ended with an error."],
      frames: [],
    });
    const begun = fqns.map((fqn) => line({ type: "resource:started", kind: "a:B", fqn, action: "create" }));
    const sorted = [...fqns.filter((fqn) => fqn.endsWith("r3")), ...fqns.filter((fqn) => !fqn.endsWith("r3"))];
    const failed = sorted.map((fqn) =>
      line({ type: "resource:failed", kind: "a:B", action: "create", ...failureOf(fqn) }),
    );
    const ended = { code: "ABORTED", message: "The program ended with an error.", causes: [], frames: [] };
    const errors = [...fqns.map(failureOf), ended];
    const over = finished(elsewhere, { ok: false, summary: { ...NOTHING_DONE, failed: 16 }, errors });
    const { page, append } = await shown("/runs/1", started(elsewhere), ...begun);
    await append(...failed);
    await page.getByText("15 others stopped with it").waitFor();
    expect(await page.locator("article.failure").count()).toBe(1);
    await append(over);
    await titled(page, "failed");
    expect(await page.locator("article.failure").count()).toBe(1);
    expect(await page.locator(".progress-text").innerText()).toMatch(/1 failed\s*15 stopped with it/);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("button", { name: "shop/dev/r7" }).click();
    await page.locator(".panel").getByText("The operation was aborted").first().waitFor();
    await page.goto(page.url().replace(/#.*$/, "#/runs"));
    await listed(page, "1 failed");
    await listed(page, "15 stopped with it");
  });

  test("says in a word that a policy refused a run, in the list and in the run, and why", async () => {
    const message = '"shop/dev/bucket" may not be created: public buckets are not allowed (plugin "policy")';
    const errors = [{ code: "VETOED", message, fqn: "shop/dev/bucket", causes: [], frames: [] }];
    const { page } = await shown(
      "/runs",
      started(elsewhere),
      finished(elsewhere, { ok: false, summary: { ...NOTHING_DONE, created: 2, failed: 1 }, errors }),
    );
    await listed(page, "vetoed");
    await listed(page, "public buckets are not allowed");
    await listed(page, "2 created");
    await page.getByRole("row").filter({ hasText: "vetoed" }).click();
    await titled(page, "vetoed");
    await page.locator("article.failure").filter({ hasText: message }).waitFor();
  });

  test("says why a destroy was refused, and not that there was nothing to do", async () => {
    const message = '"shop/dev/db" is protected.';
    const errors = [{ code: "PROTECTED", message, causes: [], frames: [] }];
    const { page } = await shown(
      "/runs",
      started(elsewhere),
      finished(elsewhere, { ok: false, phase: "destroy", errors }),
    );
    await listed(page, message);
    expect(await page.getByText("nothing to do").count()).toBe(0);
    await page.getByRole("row").filter({ hasText: "refused" }).click();
    await page.locator("article.failure").filter({ hasText: message }).waitFor();
    expect(await page.getByText("nothing to do").count()).toBe(0);
  });
});
