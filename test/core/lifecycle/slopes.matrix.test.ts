/**
 * The cost of n resources is at most linear in n, for every operation and every shape of program. Counts of executed
 * code blocks and list elements at four sizes do not depend on the machine's load. Long runs also measure processor
 * time, at larger sizes.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../helpers/checks/sampling.js";
import { scenarios } from "./slopes/scenarios.js";
import { exponentOf, isSteep, STEEPEST } from "./slopes/steep.js";

const patient = isLong ? 3_600_000 : 600_000;

/** Lines of JSON that a child prints. */
async function told<T>(program: string, ...args: string[]): Promise<T[]> {
  const file = fileURLToPath(new URL(`slopes/${program}.child.ts`, import.meta.url));
  const node = ["--import", import.meta.resolve("tsx"), file, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, node, { maxBuffer: 1e8 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a count", () => {
  const [linear, quadratic] = [
    [40, 80, 160, 320],
    [780, 3_160, 12_720, 51_040],
  ] as const;

  test.each([
    ["as many as resources", linear],
    ["what is the same at every size besides", linear.map((n) => n + 10_000)],
    ["what begins at a threshold", linear.map((n) => Math.max(1, n - 64))],
    ["what a sorted list takes", linear.map((n) => n * Math.log2(n))],
    ["what is rare", quadratic.map((n) => n / 800)],
  ])("is not steep: %s", (_, counts) => {
    expect(isSteep(counts)).toBe(false);
  });

  test.each([
    ["each pair", quadratic],
    ["a pair in eight besides all that is linear", linear.map((n) => 10 * n + n ** 2 / 8)],
    ["the root of the size for each", linear.map((n) => n ** 1.5)],
  ])("is steep: %s", (_, counts) => {
    expect(isSteep(counts)).toBe(true);
  });

  test("has the exponent of the power that it is", () => {
    const of = (cost: (n: number) => number) => exponentOf(new Map(linear.map((n) => [n, cost(n)])));
    expect([of((n) => 3 * n), of((n) => n ** 2)]).toEqual([expect.closeTo(1), expect.closeTo(2)]);
  });
});

describe("counts rise as the size does", () => {
  const found = new Map<string, readonly string[]>();
  beforeAll(async () => {
    const lines = await told<{ readonly name: string; readonly steep: readonly string[] }>("counts");
    for (const { name, steep } of lines) found.set(name, steep);
  }, patient);

  test.each(scenarios)("$name", ({ name }) => {
    expect(found.get(name)).toEqual([]);
  });
});

// Takes minutes of an otherwise idle machine.
if (isLong) {
  test("processor time rises as the size does, on the stores of one machine", { timeout: patient }, async ({
    task,
  }) => {
    // Sizes from which on the JIT compiler has finished.
    const lines = await told<{ readonly exponent: number; readonly store: string; readonly step: string }>(
      "time",
      "",
      "2000,4000,8000,16000",
      "memory,fs",
    );
    task.meta.note = lines.map(({ store, step, exponent }) => `${store} ${step} ${exponent.toFixed(2)}`).join(", ");
    expect(lines.length).toBeGreaterThanOrEqual(10);
    expect(lines.filter(({ exponent }) => exponent > STEEPEST)).toEqual([]);
  });
}
