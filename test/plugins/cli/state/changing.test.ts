import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine state move", () => {
  it("renames a scope with its secrets: the program that names it so changes nothing", async () => {
    expect(await project.json("state", "move", "web", "site", "--yes")).toEqual({
      app: "shop",
      stage: "tester",
      from: "shop/tester/web",
      to: "shop/tester/site",
      resources: ["shop/tester/web/page", "shop/tester/web/logo"],
    });
    await project.write("engine.run.mjs", (await project.read("engine.run.mjs")).replace('run("web"', 'run("site"'));
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect(await project.json("state", "show", "site", "--show-secrets")).toMatchObject({
      scope: { data: { token: "tok-tok" } },
    });
  });
});

describeUnless(lacksPackage, "engine state forget", () => {
  it("forgets what matches, and the next run makes it anew", async () => {
    const { stdout } = await project.run("state", "forget", "web/*", "--yes");
    expect(stdout).toMatch(
      /^forgotten {2}shop\/tester\/web\/page {2}\(shop:Thing\)\nforgotten {2}shop\/tester\/web\/logo/,
    );
    expect(await project.recorded()).toEqual(["db"]);
    expect((await project.run("up")).stdout).toContain("2 created, 1 unchanged");
  });
});

describeUnless(lacksPackage, "engine state push, restore and verify", () => {
  it("have nothing to do where nothing has changed since the state was pulled", async () => {
    expect((await project.run("state", "pull", "--out", "old.json")).code).toBe(0);
    expect((await project.run("state", "push", "old.json", "--yes")).stdout).toContain("is recorded like that already");
    const { present } = await project.json("state", "history");
    const seq = String(Reflect.get(Object(present), "seq"));
    expect((await project.run("state", "restore", seq, "--yes")).stdout).toContain("Nothing was written");
    expect(await project.json("state", "verify")).toMatchObject({ findings: [], resources: 3 });
  });
});
