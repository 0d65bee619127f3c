import { describe, expect, test } from "vitest";
import { impurity, pureFiles } from "../runner/pure.ts";
import { read, root } from "./project.ts";

/** Why a file with this text is not pure, given what it imports. */
function why(text: string, imported: Readonly<Record<string, string>> = {}): string | undefined {
  const files: Readonly<Record<string, string>> = { "test/core/a.test.ts": text, ...imported };
  return impurity("test/core/a.test.ts", (file) => files[file] ?? "");
}

describe("the files that share a thread", () => {
  test("are many, and none of them touches what belongs to the process", () => {
    const files = pureFiles(root);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => impurity(file, read) !== undefined)).toEqual([]);
    expect(files).not.toContain("test/house/pure.test.ts");
  });
});

describe("the check", () => {
  test.each([
    'import { spawn } from "node:child_process";',
    'import { readFile } from "node:fs/promises";',
    'const http = await import("node:http");',
    "process.env.STAGE = 'x';",
    "process.on('SIGINT', () => {});",
    "process.chdir('x');",
    'vi.mock("x");',
    "vi.useFakeTimers();",
    "vi.stubEnv('A', 'b');",
    "globalThis.setTimeout = later;",
    'import { redisStoreAt } from "../../adapters/redis.js";',
    'import { given } from "../servers/given.js";',
    'import { gc } from "../helpers/gc.js";',
    'import { Keyv } from "keyv";',
    'const hidden = new Secret("x");',
    'engine.secret("x");',
  ])("finds %s", (text) => {
    expect(why(text)).toContain("test/core/a.test.ts: ");
  });

  test.each([
    'import { expect } from "vitest";',
    'import { join } from "node:path";',
    'import { Stage } from "../../core/stage.js";',
    "const long = process.env.LONG !== undefined;",
    "// process.env.STAGE = 'x';",
    '/** As "node:fs" does. */',
  ])("leaves %s alone", (text) => {
    expect(why(text)).toBeUndefined();
  });

  test("follows what a file imports of the tests", () => {
    const imported = { "test/helpers/b.ts": 'export * from "./c.js";', "test/helpers/c.ts": "process.exit();" };
    expect(why('import "../helpers/b.js";', imported)).toBe("test/helpers/c.ts: process.");
  });
});
