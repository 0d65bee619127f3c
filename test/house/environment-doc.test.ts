import { describe, expect, test } from "vitest";
import { difference, namesInTables } from "./doc-tables.ts";
import { read, sourceFiles } from "./project.ts";
import { variablesRead } from "./variables-read.ts";

const rowsOf = (page: string): string[] => namesInTables(page, "variable");

describe("docs/guide/environment.md", () => {
  test("has a row for every variable that is read, and no other", () => {
    // A first program that is written is no part of the engine.
    const files = sourceFiles().filter((file) => file !== "plugins/cli/init/project.ts");
    const variables = new Set(files.flatMap((file) => [...variablesRead(read(file))]));
    expect(variables).toContain("ENGINE_STAGE");
    const rows = rowsOf(read("docs/guide/environment.md"));
    expect(difference([...variables], rows)).toEqual({ undocumented: [], unknown: [] });
    expect(rows.length).toBe(new Set(rows).size);
  });
});

describe("the check", () => {
  test("finds variables however they are read", () => {
    expect([...variablesRead("options.env.CI; env.NO_COLOR; other.NOT_THIS;")]).toEqual(["CI", "NO_COLOR"]);
    expect([...variablesRead("const { CI, TERM: terminal, lower } = options.env ?? process.env;")]).toEqual([
      "CI",
      "TERM",
    ]);
    expect([...variablesRead("function f({ RUN_ID }: Environment, { OTHER }: Options) {}")]).toEqual(["RUN_ID"]);
    expect([...variablesRead('for (const name of ["A_B", "C"]) env[name];')]).toEqual(["A_B"]);
    expect([...variablesRead('const code = "RUN_FAILED";')]).toEqual([]);
  });
});
