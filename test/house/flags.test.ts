import ts from "typescript";
import { describe, expect, test } from "vitest";
import { makeProgram } from "../../plugins/cli/program.ts";
import { FLAGS } from "../../plugins/internal/flags/table.ts";
import { read, sourceFiles } from "./project.ts";

/** The rows, and what makes options of commands out of them. */
const TABLE = ["plugins/internal/flags/engine-flags.ts", "plugins/internal/flags/command-flags.ts"];
const DERIVES = "plugins/cli/flags.ts";
const MAKES_OPTIONS = new Set(["option", "requiredOption", "addOption", "Option", "createOption"]);
/** They are commander's own. */
const NO_ROWS = new Set(["--help", "--version"]);

/** What a source text writes down of flags: each as `name:line`. */
function flagsWritten(text: string): string[] {
  const file = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const add = (node: ts.Node, what: string): void => {
    found.push(`${what}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && isFlag(node.text)) add(node, node.text);
    else if (ts.isTemplateHead(node) && isFlag(node.text.replace(/=$/, ""))) add(node, node.text);
    else if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && MAKES_OPTIONS.has(calledBy(node)))
      add(node, calledBy(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function calledBy({ expression }: ts.CallExpression | ts.NewExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function isFlag(text: string): boolean {
  const [name = ""] = text.split(/[= ]/, 1);
  return /^--[a-z]+(-[a-z]+)*$/.test(name) && !/ [^<[]/.test(text) && !NO_ROWS.has(name);
}

describe("a flag", () => {
  test("is written in the table, and nowhere else", () => {
    const places = ["plugins/cli/", "plugins/cli-args/", "plugins/internal/"];
    const files = sourceFiles().filter((file) => places.some((place) => file.startsWith(place)));
    expect(files).toContain(DERIVES);
    const elsewhere = files
      .filter((file) => file !== DERIVES && !TABLE.includes(file))
      .flatMap((file) => flagsWritten(read(file)).map((found) => `${file} ${found}`));
    expect(elsewhere).toEqual([]);
    expect(flagsWritten(read(DERIVES)).map((found) => found.replace(/:.*/, ""))).toEqual(["addOption", "Option"]);
    expect(TABLE.flatMap((file) => flagsWritten(read(file))).length).toBeGreaterThanOrEqual(FLAGS.length);
  });

  test("has one row", () => {
    const names = FLAGS.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("is of use to a command or to a program", () => {
    expect(FLAGS.filter(({ says, offers }) => !says && offers.length === 0)).toEqual([]);
  });

  test("belongs to commands that there are, each of which is told once what it is", () => {
    const program = makeProgram("0.0.0");
    const unknown = FLAGS.flatMap(({ name, offers, impliedBy = [] }) => {
      const offered = offers.flatMap(({ to }) => to);
      const twice = offered.filter((command, index) => offered.indexOf(command) !== index);
      const absent = [...offered, ...impliedBy].filter((path) => {
        const words = path.split(" ");
        return !words.reduce((found, word) => found?.commands.find((one) => one.name() === word), program as Found);
      });
      return [...twice, ...absent].map((command) => `${name} ${command}`);
    });
    expect(unknown).toEqual([]);
  });
});

type Found = ReturnType<typeof makeProgram> | undefined;

describe("the check", () => {
  test.each([
    ['command.option("-x, --extra <n>", "more");', ["option:1"]],
    ['new Option("--extra <n>");', ["Option:1", "--extra <n>:1"]],
    [`const words = ["--extra", \`--more=\${value}\`, "--lock=eager"];`, ["--extra:1", "--more=:1", "--lock=eager:1"]],
    ['if (argv.includes("--")) fail("Pass --yes.", "--destroy contradicts --read", "--help");', []],
  ])("reads %s", (text, found) => {
    expect(flagsWritten(text)).toEqual(found);
  });
});
