import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { fc } from "../helpers/generated.ts";
import { isLong } from "../helpers/sampling.ts";
import { lived } from "./lifecycle/lived.ts";

const numRuns = isLong ? 5_000 : 300;

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-life-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

describe("a stage, whatever happens to it in hundreds of lives", () => {
  test("loses nothing, makes nothing twice, and comes to what is declared", async () => {
    const ofAnother = isLong ? {} : { seed: Number(process.env.SEED ?? 1) + 1 };
    await fc.assert(
      lived(
        () => rootDir,
        () => ({}),
      ),
      { numRuns, ...ofAnother },
    );
  }, 600_000);
});
