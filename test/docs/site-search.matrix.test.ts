/** The search of the built site in a real browser, with questions that people ask. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { lacksBrowser, openBrowser, openPage, type View } from "./browser.ts";
import { lacksSite, type SiteServer, serveSite } from "./site-server.ts";

let browser: Browser;
let site: SiteServer;

beforeAll(async () => {
  if ((lacksSite ?? lacksBrowser) !== undefined) return;
  [browser, site] = await Promise.all([openBrowser(), serveSite()]);
});
afterAll(() => Promise.all([browser?.close(), site?.close()]));

const desktop: View = { device: "desktop", colors: "light" };

/** A question, and a text below the heading that answers it. */
const questions = [
  ["how do I import something that exists", /adopt/],
  ["how do I roll back", /engine state restore/],
  ["how do I rename a resource", /aliases/],
  ["how do I share state", /bucket/],
  ["how do I rotate a password", /ENGINE_NEW_PASSWORD|newPassword/],
  ["delete protection", /protect: true/],
] as const;

describeUnless(lacksSite ?? lacksBrowser, "the search", () => {
  test.each(questions)("answers “%s” in two clicks", async (question, answer) => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, desktop);
    await page.click(".search-open");
    await page.fill(".search input", question);
    await page.locator(".search [role=option] a").first().waitFor();
    expect(await page.locator(".search [role=option] p").first().textContent()).not.toBe("");
    await page.locator(".search [role=option] a").first().click();
    await page.waitForURL("**/guide/**");
    expect(await page.evaluate(textBelowTarget)).toMatch(answer);
    expect(troubles).toEqual([]);
    await close();
  });

  test("shows internals and decisions below the guide", async () => {
    const { page, troubles, close } = await openPage(browser, `${site.url}index.html`, desktop);
    await page.click(".search-open");
    await page.fill(".search input", "journal");
    await page.locator(".search [role=option] a").first().waitFor();
    const hrefs: string[] = await page.evaluate(
      "[...document.querySelectorAll('.search [role=option] a')].map((link) => new URL(link.href).pathname)",
    );
    const isBackground = hrefs.map((href) => /^\/(internals|decisions)\//.test(href));
    expect(isBackground).toEqual([...isBackground].sort((one, other) => Number(one) - Number(other)));
    expect(new Set(isBackground)).toEqual(new Set([false, true]));
    expect(troubles).toEqual([]);
    await close();
  });

  test.each([
    ["checkpoint", "Checkpoints"],
    ["STATE_LOCKED", "STATE_LOCKED Errors"],
    ["beforePrune", "beforePrune Hooks"],
    ["lockTimeout", "lockTimeout Options"],
    ["definePlugin", "definePlugin scope-engine"],
  ])("finds %s by its name, and leads to it by the keyboard", async (word, title) => {
    const { page, troubles, close } = await openPage(browser, `${site.url}guide/scopes.html`, desktop);
    await page.keyboard.press("Control+k");
    await page.keyboard.type(word);
    await page.locator(".search [role=option]:first-child", { hasText: title }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.endsWith("/guide/scopes.html"));
    expect(await page.textContent("main")).toContain(word);
    expect(troubles).toEqual([]);
    await close();
  });

  test("says so if nothing is found", async () => {
    const { page, close } = await openPage(browser, `${site.url}index.html`, desktop);
    await page.click(".search-open");
    await page.fill(".search input", "xyzzyx");
    await page.locator(".search .status", { hasText: "Nothing about" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".search").isVisible()).toBe(false);
    await close();
  });
});

/**
 * Runs in the page: the text from the heading of the address to the next one of its rank; the whole page without such a
 * heading.
 */
const textBelowTarget = `(() => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return document.querySelector("main").textContent;
  let text = "";
  for (let at = target; at && (at === target || at.tagName !== target.tagName); at = at.nextElementSibling) text += at.textContent;
  return text;
})()`;
