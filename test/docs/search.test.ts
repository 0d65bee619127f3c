/**
 * The first results of the search for words that people use; searched as a browser does, in the texts of the built
 * site.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { root } from "../house/project.ts";
import { folder, lacksSite } from "./site-server.ts";

interface Found {
  readonly url: string;
  readonly kind: string;
}

const sections: Found[] =
  lacksSite === undefined ? JSON.parse(readFileSync(join(folder, "assets/search.json"), "utf8")) : [];
const { excerptOf, find, makeIndex } = await import(`${root}docs/theme/assets/ranking.js`);
const index = makeIndex(MiniSearch);
index.addAll(sections);
const found = (question: string): Found[] => find(index, sections, question);

describe.skipIf(lacksSite !== undefined)("the search", () => {
  test.each([
    ["import", "guide/moving-from-terraform.html"],
    ["rollback", "guide/state-commands.html#restore"],
    ["undo", "guide/state-commands.html#restore"],
    ["migrate", "guide/state-commands.html#migrate"],
    ["lock", "guide/state.html#one-writer"],
    ["force unlock", "guide/state-commands.html#unlock"],
    ["drift", "guide/plans.html#refresh-and-drift"],
    ["rename", "guide/resources.html#renaming"],
    ["dry run", "guide/plans.html"],
    ["preview environments", "guide/recipes.html#preview-environments"],
    ["github actions", "guide/recipes.html#github-actions"],
    ["rotate password", "guide/secrets.html#changing-the-password-or-key"],
    ["delete protection", "guide/guards.html#which-guard-to-use"],
    ["deletion protection", "guide/guards.html#which-guard-to-use"],
  ])("answers %s by %s", (question, url) => {
    expect(found(question)[0]?.url).toBe(url);
  });

  test.each(["lock", "resource", "plan", "secret", "state", "scope", "plugin", "delete"])(
    "finds guides for %s before anything of the API",
    (word) => {
      const kinds = found(word).map(({ kind }) => kind);
      expect(kinds.indexOf("guide")).toBeGreaterThanOrEqual(0);
      const api = kinds.indexOf("api");
      expect(api === -1 || api > kinds.lastIndexOf("guide")).toBe(true);
    },
  );

  test.each(["journal", "cleanup", "checkpoint", "rooms", "plans run the lifecycle", "delete protection"])(
    "ranks internals and decisions behind all pages of the guide for %s",
    (question) => {
      const kinds = found(question).map(({ kind }) => kind);
      const first = kinds.indexOf("background");
      expect(kinds.some((kind) => kind === "guide" || kind === "row")).toBe(true);
      expect(kinds.filter((kind, at) => kind !== "background" && first >= 0 && at > first)).toEqual([]);
    },
  );

  test("finds a word with a slip in it, and by its beginning", () => {
    expect(found("encryptd secrets").map(({ url }) => url)).toContain("guide/secrets.html");
    expect(found("check").length).toBeGreaterThan(0);
  });
});

test("an excerpt is about the match, which is apart from the rest", () => {
  const text = `${"before ".repeat(60)}the ledger locks nothing ${"behind ".repeat(60)}`;
  const pieces: { text: string; isHit?: boolean }[] = excerptOf(text, "how do I lock");
  expect(pieces.filter(({ isHit }) => isHit).map((piece) => piece.text)).toEqual(["locks"]);
  expect(pieces.map((piece) => piece.text).join("")).toMatch(/^… .*the ledger locks nothing.* …$/);
});
