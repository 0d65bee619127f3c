import { describe, expect, test } from "vitest";
import { impurity, isolation, reader, testFiles } from "../runner/company.ts";
import { root } from "./project.ts";

const read = reader(root);

/** Why a file with this text is not pure, given what it imports. */
function why(
  text: string,
  imported: Readonly<Record<string, string>> = {},
  ask: typeof impurity = impurity,
): string | undefined {
  const files: Readonly<Record<string, string>> = { "test/core/a.test.ts": text, ...imported };
  return ask("test/core/a.test.ts", (file) => files[file] ?? "");
}

describe("the files that share a thread", () => {
  test("are many, and none of them touches what belongs to the process", () => {
    const { pure } = testFiles(root);
    expect(pure.length).toBeGreaterThan(100);
    expect(pure.filter((file) => impurity(file, read) !== undefined)).toEqual([]);
    expect(pure).not.toContain("test/house/company.test.ts");
  });
});

describe("the files that share a process", () => {
  test("are many, and none of them changes the process", () => {
    const { shared, isolated } = testFiles(root);
    expect(shared.length).toBeGreaterThan(80);
    expect(shared.filter((file) => isolation(file, read) !== undefined)).toEqual([]);
    expect(isolated).toContain("test/house/company.test.ts");
  });
});

const OF_THE_PROCESS = [
  "process.env.STAGE = 'x';",
  "process.on('SIGINT', () => {});",
  "process.chdir('x');",
  'vi.mock("x");',
  "vi.setConfig({ testTimeout: 1 });",
  "vi.resetModules();",
  "vi.stubGlobal('fetch', mine);",
  "globalThis.setTimeout = later;",
  'import { gc } from "../helpers/gc.js";',
  "process.env = {};",
  "delete process.env.STAGE;",
  "Object.assign(process.env, servers);",
  "process.argv.push('--adopt');",
  "process.stdout.write = mine;",
  'import { syncBuiltinESMExports } from "node:module";',
  "storage.enterWith(mine);",
];

const OF_THE_MACHINE = [
  'import { spawn } from "node:child_process";',
  'import { readFile } from "node:fs/promises";',
  'const http = await import("node:http");',
  'import { redisStoreAt } from "../../adapters/redis/index.js";',
  'import { given } from "../servers/given.js";',
  'import { Keyv } from "keyv";',
  "process.kill(child.pid);",
];

const OF_ITS_OWN = [
  'const hidden = new Secret("x");',
  "const { PATH, HOME } = process.env;",
  "process.on('warning', hear); process.off('warning', hear);",
  "child.process.on('message', take);",
  "vi.stubEnv('A', 'b');",
  "vi.spyOn(clock, 'now');",
  "vi.useFakeTimers();",
  "vi.advanceTimersByTime(5);",
  'import { expect } from "vitest";',
  'import { join } from "node:path";',
  'import { Stage } from "../../core/stage.js";',
  "const long = process.env.LONG !== undefined;",
  "// process.env.STAGE = 'x';",
  '/** As "node:fs" does. */',
];

describe("the check", () => {
  test.each([...OF_THE_PROCESS, ...OF_THE_MACHINE])("of a thread finds %s", (text) => {
    expect(why(text)).toContain("test/core/a.test.ts: ");
  });

  test.each(OF_ITS_OWN)("of a thread leaves %s alone", (text) => {
    expect(why(text)).toBeUndefined();
  });

  test.each(OF_THE_PROCESS)("of a process finds %s", (text) => {
    expect(why(text, {}, isolation)).toContain("test/core/a.test.ts: ");
  });

  test.each([...OF_THE_MACHINE, ...OF_ITS_OWN])("of a process leaves %s alone", (text) => {
    expect(why(text, {}, isolation)).toBeUndefined();
  });

  test("follows what a file imports of the tests", () => {
    const imported = { "test/helpers/b.ts": 'export * from "./c.js";', "test/helpers/c.ts": 'process.chdir("x");' };
    expect(why('import "../helpers/b.js";', imported)).toBe("test/helpers/c.ts: process.");
  });
});
