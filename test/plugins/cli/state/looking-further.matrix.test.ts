import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeAll(async () => {
  project = await shop();
});
afterAll(() => project.remove());

describeUnless(lacksPackage, "engine state list", () => {
  it("names what is near where nothing has the name", async () => {
    const { code, stdout, stderr } = await project.run("state", "list", "wep");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('error    Nothing is recorded under "wep"');
    expect(stderr).toContain('Did you mean "shop/tester/web"?');
  });
});

describeUnless(lacksPackage, "engine state tree", () => {
  it("draws scopes and resources as they are nested", async () => {
    const { stdout } = await project.run("state", "tree");
    expect(stdout).toBe(
      "shop/tester\n├─ db  shop:Thing  (protected)\n└─ web/\n   ├─ logo  shop:Thing\n   └─ page  shop:Thing\n",
    );
  });
});

describeUnless(lacksPackage, "engine state history", () => {
  it("lists what can be restored: when, by whom, by what, and how that ended", async () => {
    const { history, present } = await project.json("state", "history");
    expect(history).toEqual([
      expect.objectContaining({
        command: "up",
        outcome: "done",
        resources: 3,
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        summary: expect.objectContaining({ created: 3 }),
      }),
    ]);
    expect(present).toMatchObject({ resources: 3 });
    const { stdout } = await project.run("state", "history");
    expect(stdout).toMatch(
      /^SEQ +STARTED +BY +COMMAND +OUTCOME +RESOURCES +CHANGES\n\d+ +\d{4}-.* +up +done +3 +3 created\n$/,
    );
  });
});
