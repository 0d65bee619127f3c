import ts from "typescript";
import { describe, expect, test } from "vitest";
import { FLAGS } from "../../plugins/internal/flags/table.ts";
import { columnOf, difference, membersOf, namesInTables, sectionsOf, stringsIn } from "./doc-tables.ts";
import { read } from "./project.ts";

const page = read("docs/guide/options.md");
const source = read("core/contract/options.ts");

/** The strings of a type that is a union, or that picks members. */
function namesOfType(text: string, name: string): string[] {
  const file = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const found = file.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name);
  return found ? [...stringsIn(`type X = ${found.getText().split("=")[1]}`)] : [];
}

describe("docs/guide/options.md", () => {
  test("has a row for every option of engine(), and no other", () => {
    const options = membersOf(source, "EngineOptions");
    expect(options).toContain("stateStore");
    const rows = namesInTables(page, "option");
    expect(difference(options, rows)).toEqual({ undocumented: [], unknown: [] });
    expect(rows.length).toBe(new Set(rows).size);
  });

  test("names every option that a child scope may override, and no other", () => {
    const options = namesOfType(source, "InheritedOptions");
    expect(options).toContain("password");
    const [, sentence = ""] = /may override these[^:]*: (.*?)\. /s.exec(page) ?? [];
    const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(difference(options, named)).toEqual({ undocumented: [], unknown: [] });
  });

  test("has every flag that a program understands, and no other", () => {
    const flags = FLAGS.filter(({ says }) => says).map(({ name }) => name);
    expect(flags).toContain("--stage");
    const named = columnOf(page, "option", "flag").flatMap((cell) => cell.match(/--[a-z]+(-[a-z]+)*/g) ?? []);
    expect(difference(flags, [...new Set(named)])).toEqual({ undocumented: [], unknown: [] });
  });
});

describe("docs/guide/resources.md", () => {
  test("has a row for every option of a resource, and no other", () => {
    const options = membersOf(read("core/contract/resource-options.ts"), "ResourceOptions");
    expect(options).toContain("protect");
    const rows = namesInTables(read("docs/guide/resources.md"), "option");
    expect(difference(options, rows)).toEqual({ undocumented: [], unknown: [] });
  });

  test("names every member of a retry policy", () => {
    const [row = ""] = /^\| `retry`.*$/m.exec(read("docs/guide/resources.md")) ?? [];
    const members = membersOf(read("core/contract/resource-options.ts"), "RetryPolicy");
    expect(members.filter((name) => !row.includes(name))).toEqual([]);
  });
});

describe("docs/guide/writing-resources.md", () => {
  const text = read("docs/guide/writing-resources.md");
  const sections = sectionsOf(text);

  test("has a row for everything that a handler is told", () => {
    const members = membersOf(read("core/contract/definition.ts"), "HandlerBase");
    expect(members).toContain("physicalName");
    const rows = namesInTables(sections.get("Defining a type") ?? "", "member").map((name) => name.replace(/\(.*/, ""));
    expect(members.filter((name) => !rows.includes(name))).toEqual([]);
  });

  test("has a row for every member of a definition", () => {
    const definition = read("core/contract/definition.ts");
    const members = ["Handlers", "LocalHandlers", "HandlersDefinition"].flatMap((name) => membersOf(definition, name));
    expect(members).toContain("replaceOn");
    const rows = namesInTables(sections.get("Defining a type") ?? "", "member").map((name) => name.replace(/\W.*/, ""));
    expect(members.filter((name) => !rows.includes(name))).toEqual([]);
  });
});

describe("the check", () => {
  test("reads one column of a table", () => {
    const table = "| a | b |\n| --- | --- |\n| `x` | `--x` \\| y |\n\n| c | b |\n| --- | --- |\n| z | no |\n";
    expect(columnOf(table, "a", "b")).toEqual(["`--x` \\| y"]);
  });

  test("reads the strings of a type", () => {
    expect(namesOfType('type A = "x"; export type B = Pick<C, "y" | "z">;', "B")).toEqual(["y", "z"]);
  });
});
