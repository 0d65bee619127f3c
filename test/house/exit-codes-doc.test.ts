import ts from "typescript";
import { describe, expect, test } from "vitest";
import { difference, namesInTables } from "./doc-tables.ts";
import { read, sourceFiles } from "./project.ts";

/**
 * The numbers of expressions that become an exit code: what `process.exitCode` is set to, what `process.exit` is called
 * with, what a function called `exitCodeOf` or `exitCode…` returns, and a table called `SIGNALS`.
 */
function exitCodesIn(source: string): string[] {
  // Parsing takes long, and few files can have anything.
  if (!/process\s*\.\s*exit|function exitCode|SIGNALS/.test(source)) return [];
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const codes: string[] = [];
  const numbersIn = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isNumericLiteral(node)) codes.push(node.text);
    ts.forEachChild(node, numbersIn);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.left.getText() === "process.exitCode") numbersIn(node.right);
    else if (ts.isCallExpression(node) && node.expression.getText() === "process.exit") {
      if (node.arguments.every((one) => ts.isNumericLiteral(one))) node.arguments.forEach(numbersIn);
    } else if (ts.isFunctionDeclaration(node) && /^exitCode/.test(node.name?.text ?? "")) numbersIn(node.body);
    else if (ts.isVariableDeclaration(node) && node.name.getText() === "SIGNALS") numbersIn(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return codes;
}

const used = new Set(["0", ...sourceFiles().flatMap((file) => exitCodesIn(read(file)))]);

/** `130, 143` in a cell without code spans, as well as `` `130` ``. */
function codesIn(page: string, heading: string): string[] {
  const plain = page.replace(/^\| (\d[\d, ]*) \|/gm, (_, cell: string) => `| ${cell.replace(/\d+/g, "`$&`")} |`);
  return namesInTables(plain, heading);
}

describe("the exit codes", () => {
  test("are found", () => {
    expect([...used].sort()).toEqual(["0", "1", "130", "143", "2", "3"]);
  });

  test.each([
    ["docs/guide/exit-codes.md", "exit code"],
    ["docs/guide/command-line.md", "code"],
    ["docs/guide/ci.md", "code"],
  ])("are in %s, and no other", (page, heading) => {
    const rows = codesIn(read(page), heading);
    expect(difference([...used], rows)).toEqual({ undocumented: [], unknown: [] });
  });

  test("are in the help of the engine program", () => {
    const help = read("plugins/cli/program.ts");
    const [, text = ""] = /Exit codes: ([^`]*?interrupted)/.exec(help) ?? [];
    expect(difference([...used], text.match(/\d+/g) ?? [])).toEqual({ undocumented: [], unknown: [] });
  });
});

describe("the check", () => {
  test("finds codes however they are set", () => {
    expect(exitCodesIn("process.exitCode ||= 4; process.exit(5); process.exit(128 + n); f(6);")).toEqual(["4", "5"]);
    expect(exitCodesIn("function exitCodeOf(x) { return x ? 7 : 8; } const SIGNALS = { A: 9 };")).toEqual([
      "7",
      "8",
      "9",
    ]);
  });

  test("reads tables", () => {
    expect(codesIn("| code | |\n| --- | --- |\n| 0 | fine |\n| 130, 143 | x |\n", "code")).toEqual(["0", "130", "143"]);
  });
});
