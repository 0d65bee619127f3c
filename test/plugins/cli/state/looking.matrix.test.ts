import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
  it("prints nothing but JSON with --json, of what a glob matches", async () => {
    expect(await project.json("state", "list", "web/l*")).toEqual({
      app: "shop",
      stage: "tester",
      lock: null,
      resources: [
        {
          fqn: "shop/tester/web/logo",
          kind: "shop:Thing",
          status: "ready",
          protect: false,
          retain: false,
          replaced: false,
        },
      ],
    });
  });

  it("is of the stage, the app and the folder that are named", async () => {
    const missing = (...where: string[]) => project.json("state", "list", "--missing-ok", ...where);
    expect(await missing("--stage", "other")).toMatchObject({ stage: "other", missing: true });
    expect(await missing("--app", "blog")).toMatchObject({ app: "blog", missing: true });
    expect(await missing("--root-dir", "/tmp/nowhere-at-all")).toMatchObject({ missing: true });
  });
});

describeUnless(lacksPackage, "engine state show", () => {
  it("shows secrets to who has the password", async () => {
    expect(await project.json("state", "show", "db", "--show-secrets")).toMatchObject({
      resources: [{ props: { key: "hush-hush" }, output: { key: "hush-hush" } }],
    });
    expect(await project.json("state", "show", "web", "--show-secrets")).toMatchObject({
      scope: { data: { token: "tok-tok" }, resources: ["shop/tester/web/logo", "shop/tester/web/page"] },
    });
    const wrong = await project.runWith({ ENGINE_PASSWORD: "wrong" }, "state", "show", "db", "--show-secrets");
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toContain("[WRONG_PASSWORD]");
    const none = await project.runWith({ ENGINE_PASSWORD: "" }, "state", "show", "db", "--show-secrets");
    expect(none.stderr).toContain("[PASSWORD_REQUIRED]");
  });

  it("shows what the stage offers", async () => {
    expect(await project.json("state", "show", "shop/tester")).toMatchObject({
      scope: { fqn: "shop/tester", outputs: { url: "http://shop" }, scopes: ["shop/tester/web"] },
    });
  });
});

describeUnless(lacksPackage, "engine state tree", () => {
  it("is a tree in JSON, too", async () => {
    expect(await project.json("state", "tree")).toMatchObject({
      tree: {
        fqn: "shop/tester",
        children: [
          { name: "db", kind: "shop:Thing", status: "ready", children: [] },
          { name: "web", fqn: "shop/tester/web", children: [{ name: "logo" }, { name: "page" }] },
        ],
      },
    });
  });
});

describeUnless(lacksPackage, "engine state stages", () => {
  it("lists the stages of all apps in the store, each with its last run", async () => {
    const { code, stdout, stderr } = await project.run("state", "stages", "--app", "blog");
    expect(code).toBe(0);
    const [titles, row, ...more] = stdout.split("\n").map((line) => line.split(/ {2,}/));
    expect(titles).toEqual(["STAGE", "RESOURCES", "LAST RUN", "BY", "OUTCOME", "CHANGES"]);
    expect(row).toMatchObject([
      "shop/tester",
      "3",
      expect.stringMatching(/^up 20/),
      expect.stringContaining("@"),
      "done",
      "3 created",
      "sealed, not verified",
    ]);
    expect(more).toEqual([[""]]);
    expect(stderr).toMatch(/1 stage\n$/);
    const { app, stages } = await project.json("state", "stages", "--app", "blog");
    expect([app, stages]).toMatchObject([
      "blog",
      [{ app: "shop", stage: "tester", resources: 3, isSealed: true, lastRun: { command: "up", outcome: "done" } }],
    ]);
  });

  it("says so where there is none, and ends with 1 where one cannot be read", async () => {
    const none = await project.run("state", "stages", "--root-dir", "nowhere");
    expect([none.code, none.stdout]).toEqual([
      0,
      "The store has no stages with resources. --all also lists empty stages.\n",
    ]);
    const other = await shop();
    try {
      const folder = join(other.folder, ".engine", "shop", "tester", "checkpoint");
      for (const name of await readdir(folder)) await writeFile(join(folder, name), "{}");
      const { code, stdout } = await other.run("state", "stages");
      expect([code, stdout]).toEqual([1, expect.stringMatching(/^shop\/tester .*STATE_CORRUPT: /m)]);
    } finally {
      await other.remove();
    }
  });
});

describeUnless(lacksPackage, "the commands that look", () => {
  it("write nothing", async () => {
    const before = await project.files();
    for (const args of [
      ["list"],
      ["tree"],
      ["history"],
      ["stages"],
      ["verify"],
      ["show", "db", "--show-secrets"],
      ["pull"],
    ]) {
      expect((await project.run("state", ...args)).code, args[0]).toBe(0);
    }
    expect(await project.files()).toEqual(before);
  });

  it("are refused with an option or a name that is not theirs", async () => {
    const slip = await project.run("state", "lst");
    expect(slip).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean list?") });
    expect(await project.run("state", "list", "--yes")).toMatchObject({ code: 1 });
    expect(await project.run("state", "show")).toMatchObject({ code: 1, stderr: expect.stringContaining("name") });
  });
});
