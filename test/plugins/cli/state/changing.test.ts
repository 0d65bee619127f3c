import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/engine-project.js";
import { filesIn } from "../../../helpers/files-in.js";
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

describeUnless(lacksPackage, "engine state pull and push", () => {
  it("keep the state in a file of one's own, and bring it back", async () => {
    expect((await project.run("state", "pull", "--out", "old.json")).code).toBe(0);
    expect((await stat(join(project.folder, "old.json"))).mode & 0o777).toBe(0o600);
    expect(await project.read("old.json")).toBe((await project.run("state", "pull")).stdout);
    await project.run("state", "forget", "logo", "--yes");
    const late = await project.run("state", "push", "old.json", "--yes");
    expect(late).toMatchObject({ code: 3, stderr: expect.stringContaining("[STATE_MOVED]") });
    expect(await project.json("state", "push", "old.json", "--yes", "--force")).toMatchObject({
      changes: 1,
      forgotten: [],
    });
    expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
    expect((await project.run("up")).stdout).toContain("3 unchanged");
  });
});

describeUnless(lacksPackage, "engine state restore", () => {
  it("goes back to a copy, and says what is no longer recorded", async () => {
    const { present } = await project.json("state", "history");
    await project.run("state", "move", "page", "home", "--yes");
    const seq = String(Reflect.get(Object(present), "seq"));
    expect(await project.json("state", "restore", seq, "--yes")).toMatchObject({ changes: 1, forgotten: [] });
    expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
    const again = await project.run("state", "restore", seq, "--yes");
    expect(again.stdout).toContain("Nothing was written");
  });
});

describeUnless(lacksPackage, "engine state verify", () => {
  it("ends with 1 where a byte is another one, and says which file and what to do", async () => {
    expect(await project.run("state", "verify")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^shop\/tester: every byte is what was written \(\d+ keys, .*, 3 resources\)\n$/),
    });
    const all = await filesIn(project.folder, ".engine");
    const file = join(".engine", all.find((name) => name.includes("checkpoint")) ?? "");
    const text = await project.read(file);
    await project.write(file, text.replace("shop:Thing", "shop:Think"));
    const { code, stdout } = await project.run("state", "verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^KEY +LEVEL +PROBLEM +WHAT TO DO\n\S+checkpoint\/\d+ +damaged +its digest does not fit +Copy "/,
    );
    expect(stdout).toContain("shop/tester: 1 damaged");
    const told = JSON.parse((await project.run("state", "verify", "--json")).stdout);
    expect(told).toMatchObject({ findings: [{ level: "damaged", problem: "its digest does not fit" }] });
    const list = await project.run("state", "list");
    expect(list).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_CORRUPT]") });
  });
});
