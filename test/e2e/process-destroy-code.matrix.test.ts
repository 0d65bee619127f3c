import { describe, expect, it } from "vitest";
import { folderEach } from "./own-folder.ts";
import { run } from "./stage-program.ts";

folderEach();

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
