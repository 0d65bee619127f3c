import { describe, expect, it } from "vitest";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { nothing, run, timeless } from "./stage-program.ts";

folderEach();

describe("--destroy", () => {
  it("ends the process with 0 inside engine(), and prints the deletes and the summary", async () => {
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
