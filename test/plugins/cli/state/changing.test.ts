import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine state forget", () => {
  it("forgets what matches, and the next run creates it again", async () => {
    const { stdout } = await project.run("state", "forget", "web/*", "--yes");
    expect(stdout).toMatch(
      /^forgotten {2}shop\/tester\/web\/page {2}\(shop:Thing\)\nforgotten {2}shop\/tester\/web\/logo/,
    );
    expect(await project.recorded()).toEqual(["db"]);
    expect((await project.run("up")).stdout).toContain("2 created, 1 unchanged");
  });
});
