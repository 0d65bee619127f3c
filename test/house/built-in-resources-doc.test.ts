import { describe, expect, test } from "vitest";
import * as resources from "../../plugins/resources/index.ts";
import { difference, membersOf, namesInTables, sectionsOf } from "./doc-tables.ts";
import { filesBelow, read } from "./project.ts";

const types = Object.keys(resources);
const sections = sectionsOf(read("docs/guide/built-in-resources.md"));

/** Members of an interface of the built-in resources, wherever it is. */
function membersNamed(name: string): string[] {
  const declares = new RegExp(`^export interface ${name}\\b`, "m");
  const file = filesBelow("plugins/resources", (path) => path.endsWith(".ts")).find((path) =>
    declares.test(read(path)),
  );
  if (file === undefined) throw new Error(`plugins/resources has no interface ${name}.`);
  return membersOf(read(file), name);
}

describe("docs/guide/built-in-resources.md", () => {
  test("has a section for every built-in type, and no other", () => {
    const rest = [...sections.keys()].filter((title) => !title.includes(" "));
    expect(types).toContain("File");
    expect(difference(types, rest)).toEqual({ undocumented: [], unknown: [] });
  });

  test.each(types)("has the kind of %s, and every prop and output of it", (type) => {
    const section = sections.get(type) ?? "";
    expect(section).toMatch(/Kind `[a-z]+:[A-Z]\w+`/);
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const members = [...membersNamed(`${type}Props`), ...membersNamed(`${type}Output`)];
    expect(members.filter((name) => !named.includes(name))).toEqual([]);
    const rows = namesInTables(section, "prop");
    const unknown = rows.filter((name) => !membersNamed(`${type}Props`).includes(name));
    expect(unknown).toEqual([]);
  });
});
