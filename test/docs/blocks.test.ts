import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Block, KNOWN_MARKS } from "./blocks.ts";
import { blocks } from "./pages.ts";

/** Blocks that are type-checked and not run: page, a text of the block, reason. */
const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guide/comparison.md": {
    "demo:User": "the shell block behind it runs it, and ends it in its midst",
  },
  "docs/guide/providers.md": {
    'from "./providers/postgresql.js"': "its provider is a program of others",
    "export interface RoleProps": "it is what engine add writes",
  },
  "docs/guide/telemetry.md": { posthogSink: "its project is on the network" },
  "docs/guide/plugins.md": { "webhook({": "its chat is on the network" },
  "docs/guide/postgres.md": { newToken: "its tokens come from a cloud" },
  "docs/guide/stores.md": { "rediss://": "its server has a certificate of a company's own authority" },
};

const languages = new Set(["ts", "js", "sh", "json", "yaml", "text", "diff"]);
const placesOf = (found: readonly Block[]): string[] => found.map(({ place }) => place);
const isData = ({ language }: Block): boolean => language === "json" || language === "yaml";

function wrongIn({ language, code }: Block): readonly string[] {
  try {
    if (language === "json") JSON.parse(code);
    return language === "json" ? [] : parseAllDocuments(code).flatMap(({ errors }) => errors.map(String));
  } catch (error) {
    return [String(error)];
  }
}

describe("the blocks of the pages", () => {
  test("name a language that is checked", () => {
    expect(blocks.length).toBeGreaterThan(60);
    expect(placesOf(blocks.filter(({ language }) => !languages.has(language)))).toEqual([]);
  });

  test("have marks that mean something", () => {
    const odd = blocks.filter(({ marks }) => [...marks].some((mark) => !KNOWN_MARKS.has(mark)));
    expect(placesOf(odd)).toEqual([]);
  });

  test("are run where they are programs, or say why not", () => {
    const programs = blocks.filter(({ language }) => language === "ts" || language === "js");
    const unmarked = programs.filter(({ marks }) => marks.has("runnable") === marks.has("checked"));
    expect(placesOf(unmarked)).toEqual([]);
    const checked = programs.filter(({ marks }) => marks.has("checked"));
    const reasons = Object.entries(notRun).flatMap(([page, lines]) => Object.keys(lines).map((line) => [page, line]));
    const has = ({ page, code }: Block): boolean =>
      reasons.some(([at, line = ""]) => at === page && code.includes(line));
    expect(placesOf(checked.filter((block) => !has(block)))).toEqual([]);
    const used = reasons.filter(([at, line = ""]) => checked.some((one) => one.page === at && one.code.includes(line)));
    expect(reasons).toEqual(used);
  });

  test("parse where they are data", () => {
    const wrong = blocks.filter(isData).flatMap((block) => wrongIn(block).map((why) => `${block.place}: ${why}`));
    expect(wrong).toEqual([]);
  });
});
