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
  it("prints a row for each resource, whole in a pipe, and no word of the program", async () => {
    const { code, stdout, stderr } = await project.run("state", "list");
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["NAME", "KIND", "STATUS"],
      ["shop/tester/db", "shop:Thing", "ready", "protected"],
      ["shop/tester/web/logo", "shop:Thing", "ready"],
      ["shop/tester/web/page", "shop:Thing", "ready"],
      [""],
    ]);
    expect(stderr).toBe("on the way to engine()\n3 resources\n");
  });
});

describeUnless(lacksPackage, "engine state show", () => {
  it("shows a resource by its id, its secrets named only, without a password", async () => {
    const { code, stdout } = await project.runWith({ ENGINE_PASSWORD: "" }, "state", "show", "db");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^shop\/tester\/db\n {2}kind {2}shop:Thing\n {2}status {2}ready\n {2}protect {2}true\n {2}uid {2}[-0-9a-f]+\n {2}physicalName {2}shop-db-tester\n {2}dependents\n {4}shop\/tester\/web\/page\n {2}props\n {4}key {2}\(secret\)\n {2}output\n {4}name {2}db\n {4}key {2}\(secret\)\n$/,
    );
  });
});
