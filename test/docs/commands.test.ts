import { describe, expect, test } from "vitest";
import { read } from "../house/project.ts";
import { commandLines, wrongWith } from "./commands.ts";
import { blocks, pages } from "./pages.ts";

/** What a page shows as something that is refused. */
const slips: ReadonlySet<string> = new Set(["engine dploy"]);

/** Command lines in a sentence: `engine state list --json`. */
function inSentences(text: string): string[] {
  const sentences = text.replaceAll(/^ {0,3}```[\s\S]*?^ {0,3}```$/gm, "").replaceAll("\\|", "|");
  const found = [...sentences.matchAll(/`((?:npx )?engine [a-z][^`]*)`/g)].flatMap(([, line = ""]) =>
    commandLines(line),
  );
  return found.filter((line) => !slips.has(line));
}

describe("the commands of the pages", () => {
  test("are commands of the engine program, with flags that they have", () => {
    const shell = blocks.filter(({ language }) => language === "sh");
    const shown = blocks.filter(({ language }) => language === "text");
    const lines = [
      ...shell.flatMap(({ place, code }) => commandLines(code).map((line) => ({ place, line }))),
      ...shown.flatMap(({ place, code }) => (code.match(/^\$ engine .*$/gm) ?? []).map((line) => ({ place, line }))),
      ...pages.flatMap((page) => inSentences(read(page)).map((line) => ({ place: page, line }))),
    ];
    expect(lines.length).toBeGreaterThan(60);
    const wrong = lines.flatMap(({ place, line }) => wrongWith(line).map((why) => `${place}: ${line.trim()}: ${why}`));
    expect(wrong).toEqual([]);
  });
});

describe("the check", () => {
  test.each([
    ["npx engine up --stage prod --lock-timeout 10m", []],
    ["engine state restore 2 --yes", []],
    ["engine dploy", ["engine has no command dploy"]],
    ["engine up --stge prod", ["engine up has no --stge"]],
    ["engine state lst", ["state has no command lst"]],
    ["engine up one.ts two.ts", ["up does not take two.ts"]],
    ["npx tsx app.ts --stage prod --anything", []],
  ])("reads %s", (line, wrong) => {
    expect(wrongWith(line)).toEqual(wrong);
  });

  test("finds a flag of a program that is a slip, and a value that is none", () => {
    expect(wrongWith("node app.ts --dstroy")).toEqual([expect.stringContaining("did you mean --destroy?")]);
    expect(wrongWith("node app.ts --concurrency many")[0]).toContain("--concurrency");
  });

  test("takes a block apart", () => {
    expect(commandLines("engine plan # look\nnpm ci && engine up \\\n  --yes\nls\n")).toEqual([
      "engine plan",
      "engine up    --yes",
    ]);
  });
});
