import { describe, expect, test } from "vitest";
import { difference, membersOf, namesInTables, rowsOf, typesOf } from "./doc-tables.ts";
import { filesBelow, read } from "./project.ts";

/** The text of core that declares an interface. */
function declaring(interfaceName: string): string {
  const declares = new RegExp(`^export interface ${interfaceName}\\b`, "m");
  const file = filesBelow("core", (path) => path.endsWith(".ts")).find((path) => declares.test(read(path)));
  if (file === undefined) throw new Error(`core has no interface ${interfaceName}.`);
  return read(file);
}

/** Members of an interface of core, wherever in core it is. */
function namesIn(interfaceName: string): string[] {
  return membersOf(declaring(interfaceName), interfaceName);
}

const page = read("docs/guide/hooks.md");
/** `SeriesHook<ApplyContext>` and so on, by hook. */
const types = typesOf(declaring("EngineHooks"), "EngineHooks");
const kinds: Readonly<Record<string, string>> = {
  WaterfallHook: "waterfall, synchronous",
  AroundHook: "around",
  EveryHook: "every",
  SeriesHook: "series",
  FirstAnswerHook: "first answer",
  SyncFirstAnswerHook: "first answer, synchronous",
};

describe("docs/guide/hooks.md", () => {
  test("has a row for every hook, and no other", () => {
    const hooks = namesIn("EngineHooks");
    expect(hooks).toContain("beforeApply");
    expect(difference(hooks, namesInTables(page, "hook"))).toEqual({ undocumented: [], unknown: [] });
  });

  test("has the rows in the order of the code, each with its kind, when it is called, and what throwing does", () => {
    const rows = rowsOf(page, "hook");
    expect(rows.map(([name]) => name)).toEqual(namesIn("EngineHooks").map((name) => `\`${name}\``));
    for (const [name = "", kind, when, may, throwing] of rows) {
      const hook = name.slice(1, -1);
      const expected = kinds[types.get(hook)?.split("<")[0] ?? ""];
      expect({ hook, kind }).toEqual({ hook, kind: expected });
      expect({ hook, when: when !== "", throwing: throwing !== "" }).toEqual({ hook, when: true, throwing: true });
      expect({ hook, may: typeof may }).toEqual({ hook, may: "string" });
    }
  });

  test("names the context that the taps of each hook are given, with every member that it adds", () => {
    const rows = rowsOf(page, "hooks");
    for (const [hook, type] of types) {
      const context = /<(\w+)/.exec(type)?.[1] ?? "";
      const row = rows.find(([names]) => names?.includes(`\`${hook}\``))?.[1] ?? "";
      expect({ hook, row }).toEqual({ hook, row: expect.stringContaining(`\`${context}\``) });
      // Said once above the table, of all that is about one resource.
      const isSaid = (member: string): boolean => member === "scope" && !row.includes("`scope`");
      const missing = namesIn(context).filter((member) => !isSaid(member) && !new RegExp(`\`${member}\\b`).test(row));
      expect({ hook, missing }).toEqual({ hook, missing: [] });
    }
  });
});

describe("docs/guide/events.md", () => {
  test("has a row for every event, and no other", () => {
    const events = namesIn("EngineEvents");
    expect(events).toContain("run:started");
    expect(difference(events, namesInTables(read("docs/guide/events.md"), "event"))).toEqual({
      undocumented: [],
      unknown: [],
    });
  });
});

describe("the check", () => {
  test("reads the members of an interface, quoted or not, and their types", () => {
    const source =
      'interface Other { x: 1 } export interface EngineEvents { "run:started": 1; readonly warning: A<B, C>; ask(): void }';
    expect(membersOf(source, "EngineEvents")).toEqual(["run:started", "warning", "ask"]);
    expect(typesOf(source, "EngineEvents").get("warning")).toBe("A<B, C>");
    expect(() => membersOf(source, "EngineHooks")).toThrow("no interface EngineHooks");
  });

  test("reads the cells of a table's rows, also with a bar in a code span", () => {
    const table = "| Hook | when |\n| --- | --- |\n| `a` | now `x \\| y` |\n| `b` |  |\n\n| other |\n| --- |\n| c |\n";
    expect(rowsOf(table, "hook")).toEqual([
      ["`a`", "now `x | y`"],
      ["`b`", ""],
    ]);
  });
});
