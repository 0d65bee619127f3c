import { describe, expect, it } from "vitest";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { nothing, run, timeless } from "./stage-program.ts";

folderEach();

describe("--destroy", () => {
  it("that fails exits with 1 and says why, also with --quiet", async () => {
    await run();
    for (const args of [["--destroy"], ["--destroy", "--quiet"]]) {
      const { code, stdout, stderr } = await run(args, { MODE: "undeletable" });
      expect(code).toBe(1);
      expect(stderr).toContain("FAILED   stage/dev/a  (e2e:StageThing, delete)");
      expect(stderr).toContain("It is bolted to the floor.");
      expect(stdout).not.toContain("engine() has resolved");
    }
    const { recorded, pending } = await stateIn(cwd, "stage");
    expect([...recorded, ...pending]).toEqual(["a"]);
    expect((await run(["--destroy"])).code).toBe(0);
  });

  it("of kinds that are defined later waits for finalize, and lets the program end by itself", async () => {
    await run();
    const { code, stdout } = await run(["--destroy"], { MODE: "late-kinds" });
    expect(code).toBe(0);
    expect(timeless(stdout).split("\n").slice(-3)).toEqual([
      "stage/dev destroy done in …: 2 deleted",
      "finalize() has resolved",
      "the program has ended",
    ]);
    expect(await stateIn(cwd, "stage")).toEqual(nothing);
  });

  it("as an option of the program does not end the process", async () => {
    await run();
    const { code, stdout } = await run([], { PHASE: "destroy" });
    expect(code).toBe(0);
    expect(stdout).toContain("engine() has resolved");
    expect(stdout).toContain("the program has ended");
    expect(await stateIn(cwd, "stage")).toEqual(nothing);
  });
});

describe("the exit code", () => {
  it("is 1 for --read of a resource that is not recorded", async () => {
    const { code, stderr } = await run(["--read"]);
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED   stage/dev/a  (e2e:StageThing, read): "stage/dev/a" is not recorded');
  });

  it.each([["--stage", "--force"], ["--stage"], ["--stage="], ["--concurrency", "none"]])(
    "is 1 for an argument that is wrong (%s %s), with one line that says so",
    async (...args) => {
      const { code, stdout, stderr } = await run(args);
      expect(code).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^error {4}.* \[INVALID_ARGUMENT\]$/);
    },
  );
});

describe("--stage", () => {
  it.each([[["--stage", "prod"]], [["--stage=prod"]]])(
    "%j deploys to that stage, whatever the environment says",
    async (args) => {
      await run(args);
      expect(await stateIn(cwd, "stage", "prod")).toMatchObject({ recorded: ["a", "b"] });
      expect(await stateIn(cwd, "stage", "dev")).toEqual(nothing);
    },
  );
});
