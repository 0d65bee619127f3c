import { describe, expect, test } from "vitest";
import { difference, membersOf, namesInTables } from "./doc-tables.ts";
import { filesBelow, read } from "./project.ts";

/** Members of an interface of core, wherever in core it is. */
function namesIn(interfaceName: string): string[] {
  const declares = new RegExp(`^export interface ${interfaceName}\\b`, "m");
  const file = filesBelow("core", (path) => path.endsWith(".ts")).find((path) => declares.test(read(path)));
  if (file === undefined) throw new Error(`core has no interface ${interfaceName}.`);
  return membersOf(read(file), interfaceName);
}

describe("docs/guide/hooks.md", () => {
  test("has a row for every hook, and no other", () => {
    const hooks = namesIn("EngineHooks");
    expect(hooks).toContain("beforeApply");
    expect(difference(hooks, namesInTables(read("docs/guide/hooks.md"), "hook"))).toEqual({
      undocumented: [],
      unknown: [],
    });
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
  test("reads the members of an interface, quoted or not", () => {
    const source =
      'interface Other { x: 1 } export interface EngineEvents { "run:started": 1; readonly warning: 2; ask(): void }';
    expect(membersOf(source, "EngineEvents")).toEqual(["run:started", "warning", "ask"]);
    expect(() => membersOf(source, "EngineHooks")).toThrow("no interface EngineHooks");
  });
});
