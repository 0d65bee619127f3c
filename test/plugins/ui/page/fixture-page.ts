/** The page, built from the present sources, with generated stages and runs, for all tests of a file. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { lacksBrowser, openBrowser, openPage } from "../../../docs/browser.js";
import { builtPage } from "./built.js";
import { type FixtureServer, serveFixture } from "./server.js";

interface FixturePage {
  readonly page: Page;
  readonly server: FixtureServer;
}

/** @param use called with the page before the first test, if there is a browser */
export function withFixturePage(use: (fixture: FixturePage) => void): void {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (lacksBrowser !== undefined) return;
    const browser = await openBrowser();
    ends.push(() => browser.close());
    const server = await serveFixture(await builtPage());
    ends.push(() => server.close());
    const { page } = await openPage(browser, server.url, { device: "desktop", colors: "light" });
    use({ page, server });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
}
