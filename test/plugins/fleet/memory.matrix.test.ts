import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

interface Seen {
  readonly peak: number;
  readonly requests: number;
  readonly bytes: number;
}

async function conduct(count: number): Promise<Seen> {
  const program = compiledProgram(new URL("memory.child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(count)]);
  const seen: unknown = JSON.parse(stdout);
  expect(seen).toMatchObject({ state: "done", changed: count });
  return seen as Seen;
}

test("the conductor of 100,000 stages needs at most 300 MB, and no more requests for each than one of 10,000", async () => {
  const [few, many] = [await conduct(10_000), await conduct(100_000)];
  expect(many.peak / 1e6).toBeLessThan(300);
  expect(many.requests / 100_000).toBeLessThan((few.requests / 10_000) * 1.2);
  // Each checkpoint holds all stages, and they are written at growing distances.
  expect(many.bytes / 100_000).toBeLessThan((few.bytes / 10_000) * 2);
});
