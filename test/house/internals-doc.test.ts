import { existsSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { difference } from "./doc-tables.ts";
import { targetOf } from "./import-rules.ts";
import { filesBelow, read, root, sourceFiles } from "./project.ts";
import { levelOf, ROOMS } from "./rooms.ts";
import { importsOf } from "./source-imports.ts";

const pages = filesBelow("docs/internals", (path) => path.endsWith(".md"));
const rooms = read("docs/internals/rooms.md");

/** What stands in code spans; not in blocks of code. */
function codeIn(text: string): string[] {
  return [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

/** Paths from the root that a page names, in drawings those of files, but for patterns such as `adapters/NAME/index.ts`. */
function pathsIn(text: string): string[] {
  const isPath = (code: string): boolean => /^(core|plugins|adapters|docs|test|\.github)\/[\w./-]*$/.test(code);
  const drawn = [...text.matchAll(/\b(?:core|plugins|adapters|test)\/[\w./-]*\.ts\b/g)].map(([path]) => path);
  return [...new Set([...codeIn(text).filter(isPath), ...drawn])].filter((path) => !path.includes("NAME"));
}

interface Named {
  readonly file: string;
  readonly name: string;
}

/** Functions in the second column of a table, `name()`, each with the file in the first. */
function functionsIn(text: string): Named[] {
  return text.split("\n").flatMap((line) => {
    const [, file = "", names = ""] = /^\| `([\w./-]+\.ts)` \| (.*?) \|/.exec(line) ?? [];
    return [...names.matchAll(/`(\w+)\(\)`(?! of)/g)].map(([, name = ""]) => ({ file, name }));
  });
}

/** Rows of several pages name the same files. */
const made = new Map<string, Set<string>>();

function madeInFile(file: string): Set<string> {
  const names = made.get(file) ?? madeIn(read(file));
  made.set(file, names);
  return names;
}

/** Names of the functions, methods and getters that a source text makes. */
function madeIn(text: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isMade =
      ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node) || isFunctionValue(node);
    if (isMade && node.name) names.add(node.name.getText().replace(/^#/, ""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
  return names;
}

function isFunctionValue(node: ts.Node): node is ts.VariableDeclaration | ts.PropertyAssignment {
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return false;
  return node.initializer !== undefined && ts.isFunctionLike(node.initializer);
}

/** The parts of a page below its headings of the third level. */
function partsOf(text: string): Map<string, string> {
  const parts = text.split(/^## /m).flatMap((chapter) => chapter.split(/^### /m).slice(1));
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), part] as const));
}

/** The rooms that a section of docs/internals/rooms.md says one may use. */
function usesIn(section: string): string[] {
  const [, uses = ""] = /^May use: (.*?)\.$/ms.exec(section) ?? [];
  return codeIn(uses);
}

/** The rooms that each room of core uses. */
function usedRooms(): Map<string, Set<string>> {
  const used = new Map(ROOMS.map((room) => [room, new Set<string>()] as const));
  for (const file of sourceFiles()) {
    const from = ROOMS[levelOf(file) ?? -1];
    for (const { specifier = "" } of importsOf(read(file))) {
      const to = ROOMS[levelOf(targetOf(file, specifier) ?? "") ?? -1];
      if (from !== undefined && to !== undefined && to !== from) used.get(from)?.add(to);
    }
  }
  return used;
}

describe("docs/internals", () => {
  test.each(pages)("%s names files and folders that there are", (page) => {
    const paths = pathsIn(read(page));
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  test.each(pages)("%s names functions that are in the files beside them", (page) => {
    const missing = functionsIn(read(page)).filter(
      ({ file, name }) => !existsSync(root + file) || !madeInFile(file).has(name),
    );
    expect(missing).toEqual([]);
  });

  test("walks through a good part of the files", () => {
    expect(functionsIn(read("docs/internals/how-a-run-works.md")).length).toBeGreaterThan(80);
  });
});

describe("docs/internals/rooms.md", () => {
  const sections = partsOf(rooms);
  const used = usedRooms();

  test("has a section for each room, from the ground up", () => {
    expect([...sections.keys()]).toEqual(ROOMS);
  });

  test.each(ROOMS)("says all that %s uses", (room) => {
    const may = usesIn(sections.get(room) ?? "");
    expect([...(used.get(room) ?? [])].filter((one) => !may.includes(one))).toEqual([]);
  });

  test("has each adapter and each plugin", () => {
    const folders = (top: string): string[] =>
      [...new Set(sourceFiles().flatMap((file) => (file.match(`^${top}/[^/]+(?=/)`) ?? [])[0] ?? []))].sort();
    const there = [...folders("adapters"), ...folders("plugins")];
    const named = pathsIn(rooms).filter((path) => /^(adapters|plugins)\/[\w-]+$/.test(path));
    expect(difference(there, [...new Set(named)])).toEqual({ undocumented: [], unknown: [] });
  });
});

describe("the check", () => {
  test("finds paths, those of files in drawings, too, and no patterns", () => {
    const text = "`core/a.ts` and `core/b`, `adapters/NAME/index.ts`, `x`\n\n```text\ncore/c -> core/d.ts\n```\n";
    expect(pathsIn(text)).toEqual(["core/a.ts", "core/b", "core/d.ts"]);
  });

  test("finds functions of the file in a row, and leaves those of others", () => {
    const row = "| `core/a.ts` | `one()`, `Two`, `three()` of `core/b.ts` | `four()` |";
    expect(functionsIn(row)).toEqual([{ file: "core/a.ts", name: "one" }]);
  });

  test("tells what a file makes from what it calls", () => {
    const source =
      "export async function one() { five(); }\nconst two = () => 1;\nclass A {\n  static async three() {}\n  #four() {}\n}";
    expect([...madeIn(source)]).toEqual(["one", "two", "three", "four"]);
  });
});
