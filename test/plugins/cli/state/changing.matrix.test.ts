import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { filesIn } from "../../../helpers/processes/files-in.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "what changes the state", () => {
  it("does nothing without a terminal and without --yes", async () => {
    const { history } = await project.json("state", "history");
    const seq = Array.isArray(history) ? String(history[0].seq) : "";
    await project.run("state", "pull", "--out", "old.json");
    await project.run("state", "forget", "logo", "--yes");
    const before = await project.files();
    for (const args of [
      ["move", "page", "site"],
      ["forget", "page"],
      ["restore", seq],
      ["push", "old.json", "--force"],
    ]) {
      const { code, stderr, stdout } = await project.run("state", ...args);
      expect([args[0], code, stdout]).toEqual([args[0], 1, ""]);
      expect(stderr).toContain("Pass --yes");
    }
    expect(await project.files()).toEqual(before);
  });
});

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

  it("says what became of it, and what is to be done", async () => {
    const { stdout } = await project.run("state", "move", "web/page", "home", "--yes");
    expect(stdout).toBe(
      '"shop/tester/web/page" is "shop/tester/web/home" now, with 1 resource. Use the new name in the program, too.\n',
    );
  });

  it("is refused where the name is taken, or nothing has it", async () => {
    const taken = await project.run("state", "move", "page", "logo", "--yes");
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("[DUPLICATE_ID]") });
    const missing = await project.run("state", "move", "pag", "x", "--yes");
    expect(missing.stderr).toContain('Did you mean "shop/tester/web/page"?');
  });
});

describeUnless(lacksPackage, "engine state forget", () => {
  it("keeps what is protected, unless it is forced", async () => {
    const { code, stderr } = await project.run("state", "forget", "db", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("[PROTECTED]")]);
    expect(await project.json("state", "forget", "db", "--yes", "--force")).toMatchObject({
      forgotten: [{ fqn: "shop/tester/db", protect: true }],
      dependents: ["shop/tester/web/page"],
    });
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

  it("refuse a file that was altered, one that is none, and one of another stage", async () => {
    await project.run("state", "pull", "--out", "old.json");
    await writeFile(
      join(project.folder, "bad.json"),
      (await project.read("old.json")).replace("shop:Thing", "shop:Think"),
    );
    const altered = await project.run("state", "push", "bad.json", "--yes", "--force");
    expect(altered).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_CORRUPT]") });
    const other = await project.run("state", "push", "old.json", "--yes", "--stage", "prod");
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_IDENTITY]") });
    const none = await project.run("state", "push", "nothing.json", "--yes");
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('"nothing.json" could not be read') });
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

  it("is refused where there is no such copy", async () => {
    const { code, stderr } = await project.run("state", "restore", "77", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Entries with a copy: ")]);
    expect((await project.run("state", "restore", "last", "--yes")).stderr).toContain("INVALID_ARGUMENT");
  });
});

describeUnless(lacksPackage, "engine state verify", () => {
  it("ends with 1 where a byte is another one, and says which file and what to do", async () => {
    expect(await project.run("state", "verify")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^shop\/tester: every byte is as it was written \(\d+ keys, .*, 3 resources\)\n$/),
    });
    const all = await filesIn(project.folder, ".engine");
    const file = join(".engine", all.find((name) => name.includes("checkpoint")) ?? "");
    const text = await project.read(file);
    await project.write(file, text.replace("shop:Thing", "shop:Think"));
    const { code, stdout } = await project.run("state", "verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^KEY +LEVEL +PROBLEM +WHAT TO DO\n\S+checkpoint\/\d+ +damaged +its digest does not match +Copy "/,
    );
    expect(stdout).toContain("shop/tester: 1 damaged");
    const told = JSON.parse((await project.run("state", "verify", "--json")).stdout);
    expect(told).toMatchObject({ findings: [{ level: "damaged", problem: "its digest does not match" }] });
    const list = await project.run("state", "list");
    expect(list).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_CORRUPT]") });
  });
});

describeUnless(lacksPackage, "engine state push, restore and verify", () => {
  it("have nothing to do where nothing has changed since the state was pulled", async () => {
    expect((await project.run("state", "pull", "--out", "old.json")).code).toBe(0);
    expect((await project.run("state", "push", "old.json", "--yes")).stdout).toContain("is the same already");
    const { present } = await project.json("state", "history");
    const seq = String(Reflect.get(Object(present), "seq"));
    expect((await project.run("state", "restore", seq, "--yes")).stdout).toContain("Nothing was written");
    expect(await project.json("state", "verify")).toMatchObject({ findings: [], resources: 3 });
  });
});
