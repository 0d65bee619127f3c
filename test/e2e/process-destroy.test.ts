import { describe, expect, it } from "vitest";
import { stateIn } from "../helpers/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { nothing, run, timeless } from "./stage-program.ts";

folderEach();

describe("--destroy", () => {
  it("ends the process with 0 inside engine(), and prints what was deleted and the summary", async () => {
    await run();
    const { code, stdout, stderr } = await run(["--destroy"]);
    expect(code).toBe(0);
    expect(timeless(stdout).split("\n")).toEqual([
      expect.stringMatching(/^deleted {2}stage\/dev\/[ab] {2}\(e2e:StageThing, …\)$/),
      expect.stringMatching(/^deleted {2}stage\/dev\/[ab] {2}\(e2e:StageThing, …\)$/),
      "stage/dev destroy done in …: 2 deleted",
    ]);
    expect(stderr).toBe("");
    expect(await stateIn(cwd, "stage")).toEqual(nothing);
  });
});

describe("the exit code", () => {
  it("is 0 where all went well", async () => {
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run(["--read"])).toMatchObject({ code: 0 });
  });

  it("is 1 where something failed, although the program caught it", async () => {
    const { code, stdout } = await run([], { MODE: "failing" });
    expect(stdout).toContain("caught too");
    expect(stdout).toContain("the program has ended");
    expect(code).toBe(1);
  });
});
