import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tenths } from "../../../../plugins/cli/state/migrate.js";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";
import { useRoot } from "./use-root.ts";

describe("the progress of a move", () => {
  it("is reported nine times at most, however many keys there are", () => {
    const lines: string[] = [];
    const tell = tenths((line) => void lines.push(line));
    for (let done = 1; done <= 300; done++) tell(done, 300);
    expect([lines.length, lines[0], lines[8]]).toEqual([9, "10 % copied and compared", "90 % copied and compared"]);
    const few: string[] = [];
    const tellFew = tenths((line) => void few.push(line));
    for (const done of [1, 2, 3]) tellFew(done, 3);
    expect(few).toEqual(["30 % copied and compared", "60 % copied and compared"]);
  });
});

describeUnless(lacksPackage, "engine state migrate", () => {
  let project: Shop;
  beforeEach(async () => {
    project = await shop();
  });
  afterEach(() => project.remove());

  it("moves the state: the old store says where it went, and the new one has nothing to do", async () => {
    expect((await project.run("state", "migrate", "--to", "moved", "--yes")).code).toBe(0);
    expect(await project.run("up")).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_RETIRED]") });
    await useRoot(project, "moved");
    expect((await project.run("up")).stdout).toContain("3 unchanged");
  });
});
