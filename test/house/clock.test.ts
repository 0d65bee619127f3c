import ts from "typescript";
import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

/** The one place that may read the wall clock, for times that people read and nothing is decided by (DESIGN 6.4). */
const forPeople = ["core/base/machine/platform.ts", "core/base/machine/wall-clock.ts"];
/** When this process started, which tells it from others with its pid: it is compared with what the system says of its start. */
const ofItself = ["core/base/machine/system.ts"];
const allowed = [...forPeople, ...ofItself];

/** Lines that ask what time it is; turning a given time into a Date is another matter. */
function clockReads(text: string): number[] {
  // Parsing takes long, and few files can have anything.
  if (!/\bDate\b|timeOrigin/.test(text)) return [];
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (readsClock(node)) lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function readsClock(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return isNamed(node.expression, "Date") && !node.arguments?.length;
  if (ts.isCallExpression(node)) return isNamed(node.expression, "Date");
  if (ts.isPropertyAccessExpression(node)) {
    return (isNamed(node.expression, "Date") && node.name.text === "now") || node.name.text === "timeOrigin";
  }
  return false;
}

/** `Date` and `globalThis.Date`. */
function isNamed(node: ts.Expression, name: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === name;
  return ts.isIdentifier(node) && node.text === name;
}

describe("the core", () => {
  test("decides nothing by the wall clock", () => {
    const files = filesBelow("core", (path) => path.endsWith(".ts") && !path.startsWith("core/testing/"));
    const readers = files.filter((file) => clockReads(read(file)).length > 0);
    expect(readers.filter((file) => !allowed.includes(file))).toEqual([]);
  });
});

describe("the check", () => {
  test.each([
    "const now = Date.now();",
    "new Date()",
    "new Date",
    "Date()",
    "globalThis.Date.now()",
    "const f = Date.now;",
    "performance.timeOrigin",
  ])("finds %s", (text) => {
    expect(clockReads(text)).toEqual([1]);
  });

  test.each([
    "new Date(text)",
    "value instanceof Date",
    "performance.now()",
    "process.hrtime.bigint()",
    "// Date.now()",
    "given.now()",
  ])("leaves %s alone", (text) => {
    expect(clockReads(text)).toEqual([]);
  });
});
