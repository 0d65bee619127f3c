import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const run = (args: readonly string[] = [], env = {}) => runProgram("recovering", { cwd, args, env });
const files = async () => (await readdir(cwd)).filter((name) => name.startsWith("engine-recovery."));
const world = async () => (await readFile(join(cwd, "world.log"), "utf8")).trimEnd().split("\n").sort();

describe("a process whose store fails in the middle of its run", () => {
  it("leaves its results in a file, and the next one records them and makes nothing twice", {
    timeout: 120_000,
  }, async () => {
    const failed = await run([], { FAULT: "1" });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("no space left on device");
    const [file = ""] = await files();
    expect(failed.stderr).toContain(file);
    expect(await world()).toEqual(["create a"]);
    expect(await stateIn(cwd, "recovering")).toMatchObject({ recorded: [], pending: ["a", "b"] });

    const reading = await run(["--read"]);
    expect(reading.stderr).toContain(file);
    expect(await files()).toEqual([file]);

    const next = await run();
    expect(next).toMatchObject({ code: 0 });
    // The file also shows that the second create never began; the third had no intent yet.
    expect(next.stderr).toMatch(/Results that an earlier run could not record are recorded now: "a", "b"\./);
    expect(next.stderr).not.toContain("repeats");
    expect(await files()).toEqual([]);
    expect(await world()).toEqual(["create a", "create b", "create c"]);
    expect(await stateIn(cwd, "recovering")).toEqual({ recorded: ["a", "b", "c"], pending: [], isOpen: false });

    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["--destroy"])).toMatchObject({ code: 0, stderr: "" });
    const deletes = ["delete a after 2 steps", "delete b after no steps", "delete c after no steps"];
    expect(await world()).toEqual(["create a", "create b", "create c", ...deletes]);
  });
});
