import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deadProcess } from "../helpers/ledgers.js";
import { machineOfRun } from "../runner/machine.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** As a run leaves it. */
function left(name: string): void {
  mkdirSync(join(folder, name, "scope-engine/stages"), { recursive: true });
  writeFileSync(join(folder, name, "scope-engine/stages/a.json"), "{}");
}

describe("what the engine remembers of this machine", () => {
  it("is nothing where a run of tests begins, whatever earlier ones have left", async () => {
    const { pid } = await deadProcess();
    for (const name of [`${pid}-abc`, `${process.pid}-abc`, "scope-engine"]) left(name);
    const own = machineOfRun(folder, {});
    expect(readdirSync(own)).toEqual([]);
    expect(existsSync(join(folder, `${pid}-abc`))).toBe(false);
    expect(existsSync(join(folder, "scope-engine"))).toBe(false);
  });

  it("stays where another run is at work", () => {
    left(`${process.ppid}-abc`);
    machineOfRun(folder, {});
    expect(readdirSync(join(folder, `${process.ppid}-abc`))).toEqual(["scope-engine"]);
  });

  it("is the same for all of a run", () => {
    const env = {};
    expect(machineOfRun(folder, env)).toBe(machineOfRun(folder, env));
  });

  it("is kept for these tests in a folder of this run", () => {
    expect(process.env.XDG_STATE_HOME).toBe(process.env.TEST_MACHINE);
  });
});
