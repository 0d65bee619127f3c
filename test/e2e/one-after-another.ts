/** Checks that a process releases the apps that it has opened one after another, in each of the available ways. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";

export const ways: readonly string[] = [
  "engine",
  "changing",
  "secrets",
  "engine.run",
  "app.run",
  "app.run, which keeps a promise",
  "app.run after finalize",
  "engine.plan",
  "engine.drift",
  "engine.ref",
  "engine.destroy",
  "phase destroy",
  "phase read",
  "await using",
  "a failing handler",
  "a failing app.run",
  "an engine() that fails",
  "an aborted run",
];

/** Apps that may still be referenced after the last runs: by an entry of a cache, or a frame of a stack. */
const FEW = 5;

export function letsGoOf(
  tried: readonly string[],
  node: () => Promise<string> | string,
  timeout: number,
  apps: number,
): void {
  it.each(tried)(`keeps none of ${apps} apps: %s`, { timeout }, async (way) => {
    const cwd = await mkdtemp(join(tmpdir(), "one-after-another-"));
    const { code, stdout } = await runProgram("one-after-another", { cwd, args: [way, `${apps}`], node: await node() });
    await rm(cwd, { recursive: true });
    const counted: unknown = JSON.parse(stdout.split("\n").at(-1) ?? "");
    expect(counted).toEqual({ made: expect.any(Number), remaining: expect.any(Number) });
    const { made, remaining } = Object(counted);
    expect(made).toBeGreaterThanOrEqual(apps);
    expect(remaining).toBeLessThanOrEqual(FEW);
    expect(code).toBe(0);
  });
}
