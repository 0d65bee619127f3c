import { describe, expect, test } from "vitest";
import { difference, namesInTables, sectionsOf } from "./doc-tables.ts";
import { entryExports } from "./entry-exports.ts";
import { read } from "./project.ts";

const entries = entryExports();
/** Another name of the package itself. */
const documented = entries.filter(({ specifier }) => specifier !== "scope-engine/plugins/index");

describe("what the entries export", () => {
  test("is found", () => {
    const names = entries.find(({ specifier }) => specifier === "scope-engine")?.exports ?? [];
    expect(names.filter(({ isValue }) => isValue).map(({ name }) => name)).toContain("engine");
    expect(names.find(({ name }) => name === "createEngine")?.isValue).toBe(false);
    expect(names.length).toBeGreaterThan(100);
  });

  test("has TSDoc, each of it", () => {
    const silent = entries.flatMap(({ specifier, exports }) =>
      exports.filter(({ doc }) => doc.trim() === "").map(({ name }) => `${name} of ${specifier}`),
    );
    expect(silent).toEqual([]);
  });
});

describe("docs/guide/entries.md", () => {
  const sections = sectionsOf(read("docs/guide/entries.md"));

  test("has a section for every entry, and no other", () => {
    const specifiers = documented.map(({ specifier }) => specifier);
    expect(difference(specifiers, [...sections.keys()])).toEqual({ undocumented: [], unknown: [] });
  });

  test.each(documented)("lists the values that $specifier exports, and no other", ({ specifier, exports }) => {
    const values = exports.filter(({ isValue }) => isValue).map(({ name }) => name);
    const rows = namesInTables(sections.get(specifier) ?? "", "export");
    expect(difference(values, rows)).toEqual({ undocumented: [], unknown: [] });
  });
});
