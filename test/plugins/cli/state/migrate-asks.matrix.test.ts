import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

describeUnless(lacksPackage, "engine state migrate", () => {
  let project: Shop;
  beforeEach(async () => {
    project = await shop();
  });
  afterEach(() => project.remove());

  it("shows what it is about to do, and does nothing without a terminal to ask on", async () => {
    const before = await project.files();
    const refused = await project.run("state", "migrate", "--to", "moved");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("[NOT_CONFIRMED]") });
    expect(await project.files()).toEqual(before);
  });
});
