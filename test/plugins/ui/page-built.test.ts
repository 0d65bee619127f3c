import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { builtPage } from "./page/built.js";

let page = "";
beforeAll(async () => {
  page = await builtPage();
});

/** Returns only the matches, because a failed test would print the whole page. */
const found = (pattern: RegExp): readonly string[] => [...page.matchAll(pattern)].map(([text]) => text);

describe("the page as it is built", () => {
  test("has at most 90 kB, all in all", ({ task }) => {
    const size = gzipSync(page, { level: 9 }).length;
    task.meta.note = `the page of engine ui: ${(size / 1_000).toFixed(1)} kB gzip, ${(page.length / 1_000).toFixed(0)} kB`;
    expect(size).toBeLessThanOrEqual(90_000);
  });

  test("loads nothing, from nowhere", () => {
    const addresses = [...page.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`)<]+/g)].map(([address]) => address);
    // Namespaces, not links.
    expect(addresses.filter((address) => !address.startsWith("http://www.w3.org/"))).toEqual([]);
    expect([...page.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?!data:)[^"]*"/g)]).toEqual([]);
    expect(found(/@import|url\((?!#)|\bimport\(/g)).toEqual([]);
  });

  test("makes no code of texts", () => {
    expect(found(/\beval\(|new Function\b|\bFunction\(["'`]/g)).toEqual([]);
  });

  test("says by itself that nothing but its own script and style may run", () => {
    expect(
      found(/http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/g),
    ).toHaveLength(1);
    expect(found(/unsafe-/g)).toEqual([]);
  });

  test("is the same each time", async () => {
    expect((await builtPage()) === page).toBe(true);
  });
});
