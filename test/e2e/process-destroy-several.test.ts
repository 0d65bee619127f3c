import { describe, expect, it } from "vitest";
import { folderEach } from "./own-folder.ts";
import { destroysAll, destroysOthers, nothing, run, states } from "./process-destroy-several.ts";

folderEach();

describe("--destroy of a program with several apps", () => {
  destroysAll(["together"]);
  destroysOthers(["together"], ["slow"]);

  it("destroys only the first of those that it opens one after the other, and says which", async () => {
    await run("sequence");
    const { code, stdout } = await run("sequence", ["--destroy"]);
    expect(stdout.split("\n").at(-1)).toMatch(/^quick\/dev destroy done in .*: 1 deleted$/);
    expect(code).toBe(0);
    expect(await states("quick", "slow")).toEqual([nothing, { ...nothing, recorded: ["a"] }]);
  });
});
