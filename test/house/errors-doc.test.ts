import { describe, expect, test } from "vitest";
import { errorCodes } from "../../core/base/errors.ts";
import { difference, namesInTables, stringsIn } from "./doc-tables.ts";
import { read, sourceFiles } from "./project.ts";

describe("docs/guide/errors.md", () => {
  test("has a row for every code, and no other", () => {
    const rows = namesInTables(read("docs/guide/errors.md"), "code");
    expect(difference(errorCodes, rows)).toEqual({ undocumented: [], unknown: [] });
    expect(rows.length).toBe(new Set(rows).size);
  });
});

describe("the error codes", () => {
  test("are all in use", () => {
    const unseen = new Set<string>(errorCodes);
    for (const text of sourceFiles().map(read)) {
      // Parsing takes long: what has none of them is left alone.
      if (![...unseen].some((code) => text.includes(code))) continue;
      for (const found of stringsIn(text, "errorCodes")) unseen.delete(found);
    }
    expect([...unseen]).toEqual([]);
  });
});

describe("the check", () => {
  const page = [
    "| Code | Meaning |",
    "| --- | --- |",
    "| `FENCED` | another run wrote; see `STATE_LOCKED` |",
    "| `TIMEOUT`, `ABORTED` | it took too long |",
    "",
    "| Warning | Meaning |",
    "| --- | --- |",
    "| `OBSERVER_FAILED` | an observer threw |",
  ].join("\n");

  test("finds a code without a row, and a row without a code", () => {
    const rows = namesInTables(page, "code");
    expect(rows).toEqual(["FENCED", "TIMEOUT", "ABORTED"]);
    expect(difference(["FENCED", "NO_SCOPE"], rows)).toEqual({
      undocumented: ["NO_SCOPE"],
      unknown: ["TIMEOUT", "ABORTED"],
    });
  });

  test("finds a code that is only listed", () => {
    const source =
      'const errorCodes = ["FENCED", "TIMEOUT"] as const; throw new EngineError("FENCED", `x`); // TIMEOUT';
    expect([...stringsIn(source, "errorCodes")]).toEqual(["FENCED", "x"]);
  });
});
