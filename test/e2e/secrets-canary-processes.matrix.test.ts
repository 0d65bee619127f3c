/** Three hundred secrets in processes of their own: their output and files contain none of them. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allFilesIn } from "./canary/all-files.ts";
import { canaries } from "./canary/canaries.ts";
import { runCanary } from "./canary/run-child.ts";
import { Scanner } from "./canary/scanner.ts";

const PASSWORD = "correct horse battery staple";
const scanner = new Scanner([...canaries(), { value: PASSWORD, text: PASSWORD, hidden: [PASSWORD] }]);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canary-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function leaksIn(cwd: string, printed: string): Promise<readonly string[]> {
  const files = await allFilesIn(cwd);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const leaks = [
    ...texts.flatMap((text, index) => scanner.find(text, "file").map((what) => `${files[index]}: ${what}`)),
    ...scanner.find(printed, "text").map((what) => `text: ${what}`),
  ];
  return leaks.slice(0, 20);
}

describe("a process with three hundred secrets", { timeout: 120_000 }, () => {
  test.each([
    ["that ends well", ["fine"], 0, "done in"],
    ["that ends well, and tells it as JSON", ["fine", "--json"], 0, '"run:finished"'],
    ["in which a handler throws them", ["fails", "--json"], 1, '"resource:failed"'],
    ["in which a handler throws them, with an embedder in charge", ["embedded"], 1, "RunFailedError"],
    ["whose store throws them", ["breaks"], 1, "RECOVERY_FILE"],
    ["that throws them uncaught", ["throws"], 1, "AggregateError"],
    ["that defers what rejects with them", ["defers"], 1, "up FAILED"],
  ])("%s shows none", async (_what, args, expected, word) => {
    const cwd = await mkdtemp(join(folder, "stage-"));
    const { code, stdout, stderr } = await runCanary(cwd, args, PASSWORD);
    expect(code).toBe(expected);
    expect(stdout.includes(word) || stderr.includes(word), word).toBe(true);
    expect(await leaksIn(cwd, `${stdout}\n${stderr}`)).toEqual([]);
  });
});
