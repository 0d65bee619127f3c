import ts from "typescript";
import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

/** Milliseconds that a test may let pass without saying why. */
const SHORT = 200;

/** How timers are called here. */
const timers = new Set(["setTimeout", "pause", "sleep", "passed", "wait", "delay"]);

const CALLED = new RegExp(`\\b(?:${[...timers].join("|")})\\s*\\(`);
/** A number of three digits and more, however it is written. */
const LARGE = /\b\d[\d_]{2}|\b\d+e\d/;

/** Where real time passes, or may pass, and why nothing shorter would do. */
const reasons: Readonly<Record<string, string>> = {
  "test/adapters/redis-outage.matrix.test.ts": "a server of a cluster is down for as long as several attempts take",
  "test/adapters/redis-outage.test.ts": "a server is down, or stands still, for as long as several attempts take",
  "test/adapters/redis-requests.test.ts": "its clock is a false one",
  "test/e2e/programs/canary.child.ts": "it ends by an error long before",
  "test/e2e/programs/live.child.ts": "it stays silent for longer than it takes until a live line appears",
  "test/e2e/programs/locked.child.ts": "it holds a lock until it is killed",
  "test/e2e/programs/spawning.child.ts": "it stays until it is killed",
  "test/plugins/cli/state/push-input.matrix.test.ts":
    "a writer takes its time, and a reader without patience would be gone by then",
  "test/runtimes/run.mjs": "a check is given up after that, and none takes so long",
};

/** Lines that wait for at least so long. */
function waitsIn(text: string): number[] {
  // Parsing takes long, and few files can have anything.
  if (!CALLED.test(text) || !LARGE.test(text)) return [];
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && timers.has(nameOf(node.expression)) && node.arguments.some(isLong)) {
      lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function nameOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : "";
}

function isLong(argument: ts.Expression): boolean {
  return ts.isNumericLiteral(argument) && Number(argument.text) >= SHORT;
}

describe("the tests", () => {
  test(`let ${SHORT} ms pass only where that has a reason`, () => {
    // Benchmarks take the time that they measure, and in a simulation all time is virtual.
    const files = filesBelow("test", (path) => /\.(ts|mjs)$/.test(path) && !/^test\/(bench|simulation)\//.test(path));
    const waiting = files.filter((file) => file !== "test/house/waits.test.ts" && waitsIn(read(file)).length > 0);
    expect(waiting).toEqual(Object.keys(reasons));
  });
});

describe("the check", () => {
  test.each(["await pause(200);", "setTimeout(done, 1_000);", "await timers.setTimeout(500);", "sleep(300)"])(
    "finds %s",
    (text) => expect(waitsIn(text)).toEqual([1]),
  );

  test.each(["await pause(199);", "setTimeout(done);", "// pause(500)", "expect(500)", "timeout(5_000)"])(
    "leaves %s alone",
    (text) => expect(waitsIn(text)).toEqual([]),
  );
});
