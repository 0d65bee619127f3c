import { describe, expect, test } from "vitest";
import { problemsOfPage, problemsOfSource } from "./prose.ts";

const long = `${"word ".repeat(30)}end`;

describe("the rules of prose", () => {
  test("find a header that begins with a question word, also behind the line of a program", () => {
    expect(problemsOfSource("/** What a store is. */\n")).toHaveLength(1);
    expect(problemsOfSource("#!/usr/bin/env node\n/**\n * How it starts.\n */\n")).toHaveLength(1);
    expect(problemsOfSource("/** Whatsoever. */\n/** What a part is. */\n")).toEqual([]);
  });

  test("find a comment that is too wide and can be broken", () => {
    expect(problemsOfSource(`const a = 1;\n  // ${long}\n`)).toEqual(["2: 158 columns: at most 120"]);
    expect(problemsOfSource(`const a = "${long}";\n// ${"x".repeat(200)}\n`)).toEqual([]);
  });

  test("find a rare word in a message, and none in code or in a comment", () => {
    expect(problemsOfSource("throw new Error(`The run begins anew.`);\n")).toEqual(['1: "anew": write again']);
    expect(problemsOfSource('const anew = "anew"; // anew\n')).toEqual([]);
  });

  test("find both in a page, outside of code, tables and links", () => {
    expect(problemsOfPage(`# Title\n\n${long}\n\nNobody knows.\n`)).toHaveLength(2);
    expect(problemsOfPage(`| ${long} |\n\`\`\`\n${long} nobody\n\`\`\`\n\n[text](nobody.md) and \`nobody\`\n`)).toEqual(
      [],
    );
  });
});
