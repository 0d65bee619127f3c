/** A real browser for tests of pages: it has no access to the internet, and reports its requests. */
import { type Browser, chromium, type Page } from "playwright-core";
import { given } from "../servers/given.ts";

/** Undefined if there is a browser; otherwise the reason why not. */
export const lacksBrowser = await given("browser");

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
];

/** Adds up how far elements move without input, from the first paint on. */
const WATCH_SHIFTS = `
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;

export function openBrowser({ showsScrollbars = false } = {}): Promise<Browser> {
  const ignoreDefaultArgs = showsScrollbars ? ["--hide-scrollbars"] : [];
  return chromium.launch({ executablePath: "/usr/bin/chromium", args, ignoreDefaultArgs });
}

export interface View {
  readonly device: "desktop" | "phone";
  readonly colors: "light" | "dark";
}

export interface Opened {
  readonly page: Page;
  /** Errors on the console, exceptions, failed requests, and requests that would leave the machine. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

/** Opens a page in a context of its own, and waits until it and its fonts are loaded. */
export async function openPage(browser: Browser, url: string, { device, colors }: View): Promise<Opened> {
  const isPhone = device === "phone";
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: colors,
    isMobile: isPhone,
    hasTouch: isPhone,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await context.addInitScript(WATCH_SHIFTS);
  const troubles: string[] = [];
  const { host } = new URL(url);
  await context.route("**/*", (route) => {
    const asked = new URL(route.request().url());
    if (asked.host === host) return route.continue();
    troubles.push(`asked for ${asked.href}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`exception: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(url);
  await page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestIdleCallback(() => done())))");
  return { page, troubles, close: () => context.close() };
}
