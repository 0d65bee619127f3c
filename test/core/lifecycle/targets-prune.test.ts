/** Deletes of a run with targets. */
import { describe, expect, it } from "vitest";
import type { EngineOptions, ResourceOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, recordsOf, Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings } from "../../helpers/apps/things.ts";
import { undefine } from "../../helpers/apps/undefine.ts";

/** A stage with db ← web, and job in a scope; the program declares none of them any more. */
async function abandoned() {
  const things = newThings();
  const { Thing, calls } = things;
  const stage = new Stage();
  await stage.up(async () => {
    const db = await Thing("db");
    await Thing("web", {}, { dependsOn: [db] });
    await stage.engine.run("jobs", () => Thing("job"));
  });
  calls.length = 0;
  return { ...things, stage };
}

describe("finalize prunes", () => {
  it.each<[string, EngineOptions, string[]]>([
    ["only what is targeted", { target: ["app/dev/web"] }, ["delete app/dev/web"]],
    ["what is below a targeted scope", { target: ["app/dev/jobs"] }, ["delete app/dev/jobs/job"]],
    ["nothing that is excluded", { exclude: ["**/db"] }, ["delete app/dev/jobs/job", "delete app/dev/web"]],
    ["nothing without a target that selects it", { target: [] }, []],
    [
      "with targetDependents also orphans that refer to a selected one",
      { target: ["**/db"], targetDependents: true },
      ["delete app/dev/web", "delete app/dev/db"],
    ],
    [
      "with excludeDependents nothing that refers to an excluded one",
      { exclude: ["**/db"], excludeDependents: true },
      ["delete app/dev/jobs/job"],
    ],
  ])("%s", async (_what, options, deleted) => {
    const { stage, calls } = await abandoned();
    await stage.up(() => {}, options);
    expect(calls).toEqual(deleted);
  });

  it("the rest in a later run without targets", async () => {
    const { stage, there } = await abandoned();
    await stage.up(() => {}, { target: ["**/web"] });
    expect([...there.keys()]).toEqual(["app/dev/db", "app/dev/jobs/job"]);
    await stage.up();
    expect([...there.keys()]).toEqual([]);
  });
});

describe("a part that a target names by itself, of something that is not declared any more", () => {
  it.each<[string, ResourceOptions, readonly string[]]>([
    ["goes where its whole may go", {}, []],
    ["stays in the world where its whole is retained", { retainOnDelete: true }, []],
    ["is refused where its whole is protected", { protect: true }, ["PROTECTED"]],
  ])("%s", async (_what, options, codes) => {
    const { world, Thing, stage } = newWorld();
    world.on("create whole", async () => void (await Thing("part")));
    await stage.up(() => Thing("whole", {}, options));
    world.news();
    const ended = stage.up(() => {}, { target: ["app/dev/whole/part"] });
    if (codes.length > 0) await expect(ended).rejects.toMatchObject({ code: codes[0] });
    else await ended;
    expect(world.news()).toEqual(Object.keys(options).length === 0 ? ["delete part"] : []);
  });
});

describe("a selected orphan is not pruned where something refers to it that stays", () => {
  it("and the error names both, and the way out", async () => {
    const { stage, calls } = await abandoned();
    expect(await stage.failures(() => {}, { target: ["**/db", "**/job"] })).toMatchObject([
      {
        code: "DEPENDENTS_LEFT_OUT",
        fqn: "app/dev/db",
        message: expect.stringMatching(/"app\/dev\/db".*"app\/dev\/web", which refers to it.*--target-dependents/),
      },
    ]);
    expect(calls).toEqual([]);
  });

  it("because that is still declared and left out", async () => {
    const { stage, Thing } = await abandoned();
    const options = { target: ["**/db"], targetDependents: true };
    expect(await stage.failures(() => Thing("web"), options)).toMatchObject([{ code: "DEPENDENTS_LEFT_OUT" }]);
  });

  it("because that is excluded, also with targetDependents", async () => {
    const { stage } = await abandoned();
    const options = { target: ["**/db"], exclude: ["**/web"], targetDependents: true };
    expect(await stage.failures(() => {}, options)).toMatchObject([
      { message: expect.stringContaining('is excluded. Exclude "app/dev/db" as well, or exclude neither.') },
    ]);
  });

  it("or is an excluded part of it", async () => {
    const { sites } = newSites();
    const stage = new Stage();
    await stage.up(() => sites.Thing("site"));
    expect(await stage.failures(() => {}, { exclude: ["**/page"] })).toMatchObject([
      { code: "DEPENDENTS_LEFT_OUT", message: expect.stringContaining('"app/dev/site/page", which is its child') },
    ]);
  });
});

it("a record under the alias of a declaration that is left out is not pruned, although it is selected", async () => {
  const { Thing, calls } = newThings();
  const stage = new Stage();
  await stage.up(() => Thing("old"));
  await stage.up(() => Thing("new", {}, { aliases: ["old"] }), { target: ["**/old"] });
  expect([calls, stage.keys]).toEqual([["create app/dev/old"], ["old"]]);
});

describe("old copies that an earlier run left", () => {
  it.each<[string, string[], string[]]>([
    ["stay where they are not selected", ["**/b"], []],
    ["go where they are", ["**/a"], ["delete app/dev/a"]],
  ])("%s", async (_what, target, deleted) => {
    const { Thing, calls } = newThings();
    const stage = new Stage();
    const program = (text: string) => async () => {
      await Thing("a", { text }, { replaceOnChanges: ["text"] });
      await Thing("b", { text });
    };
    await stage.up(program("one"));
    await stage.failures(async () => {
      await program("two")();
      throw new Error("broken");
    });
    calls.length = 0;
    const app = await stage.up(program("two"), { target });
    expect(calls).toEqual(deleted);
    expect(recordsOf(app).filter(({ replaced }) => replaced)).toHaveLength(1 - deleted.length);
  });
});

/** db ← api ← web, and a site with a page. */
async function built() {
  const { pages: things, sites } = newSites();
  const { Thing, calls } = things;
  const stage = new Stage();
  await stage.up(async (app) => {
    const db = await Thing("db");
    const api = await Thing("api", {}, { dependsOn: [db] });
    await Thing("web", {}, { dependsOn: [api] });
    await sites.Thing("site");
    await app.set("note", "kept");
  });
  calls.length = 0;
  const refusal = async (options: EngineOptions) => (await failuresOf(stage.destroy(options)))[0];
  return { stage, calls, sites, there: things.there, refusal };
}

describe("destroy with targets", () => {
  it.each<[string, EngineOptions, string[]]>([
    ["deletes only what is selected", { target: ["**/web"] }, ["web"]],
    ["deletes children with what they are parts of", { target: ["**/site"] }, ["site/page"]],
    [
      "takes with it what refers to what is selected, with targetDependents",
      { target: ["**/db"], targetDependents: true },
      ["web", "api", "db"],
    ],
    ["deletes all but what is excluded", { exclude: ["**/db"] }, ["site/page", "web", "api"]],
  ])("%s", async (_what, options, deleted) => {
    const { stage, calls, there } = await built();
    const before = [...there.keys()];
    await stage.destroy(options);
    expect(calls).toEqual(deleted.map((key) => `delete app/dev/${key}`));
    expect([...there.keys()]).toEqual(before.filter((fqn) => !calls.includes(`delete ${fqn}`)));
  });

  it("deletes a child by itself, and says nothing of a pattern without effect", async () => {
    const { stage, calls } = await built();
    await stage.destroy({ target: ["app/dev/site/page"] });
    expect(calls).toEqual(["delete app/dev/site/page"]);
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(["LEFT_OUT"]);
  });

  it("keeps the data of the stage", async () => {
    const { stage } = await built();
    await stage.destroy({ target: ["**/web"] });
    const app = await stage.open();
    expect(await app.get("note")).toBe("kept");
    await app.finalize({ noop: true });
  });

  it("is refused before anything is deleted where something else refers to what is selected", async () => {
    const { refusal, calls } = await built();
    expect(await refusal({ target: ["**/db", "**/site"] })).toMatchObject({
      code: "DEPENDENTS_LEFT_OUT",
      message: expect.stringMatching(/"app\/dev\/db".*"app\/dev\/api".*--target-dependents/),
    });
    expect(calls).toEqual([]);
  });

  it("is refused where what is excluded refers to the rest", async () => {
    const { refusal } = await built();
    expect(await refusal({ exclude: ["**/web"] })).toMatchObject({
      message: expect.stringContaining('"app/dev/web", which refers to it, is excluded'),
    });
  });

  it("does not wait for kinds of what it leaves alone", async () => {
    const { stage, calls, sites } = await built();
    const site = undefine(sites.Thing);
    await stage.open({ phase: "destroy", target: ["**/web"] });
    expect(calls).toEqual(["delete app/dev/web"]);
    site.define();
  });

  it("says what it left out", async () => {
    const { stage } = await built();
    await stage.destroy({ target: ["**/web"] });
    expect(stage.heard("warning").map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "LEFT_OUT: 3 resources were left out of this run (not targeted): app/dev/db, app/dev/api, app/dev/site",
    ]);
  });

  it.each([
    [
      "target",
      { target: ["**/web", "**/ap"] },
      '"**/ap" matched nothing that is recorded. Did you mean "app/dev/api"?',
    ],
    ["exclude", { exclude: ["**/bd"] }, '"**/bd" matched nothing that is recorded. Did you mean "app/dev/db"?'],
  ])("deletes nothing where one %s matches nothing, and says what is near", async (_what, options, message) => {
    const { refusal, calls } = await built();
    expect(await refusal(options)).toMatchObject({
      code: "TARGET_UNMATCHED",
      message: expect.stringContaining(message),
    });
    expect(calls).toEqual([]);
  });

  it("is planned as it would go", async () => {
    const { stage, calls } = await built();
    await stage.destroy({ target: ["**/db"], targetDependents: true, plan: true });
    const [plan] = stage.heard("plan:made");
    expect(plan?.actions.map(({ action, id }) => `${action} ${id}`)).toEqual(["delete web", "delete api", "delete db"]);
    expect(plan?.leftOut).toMatchObject([{ fqn: "app/dev/site", reason: "not targeted" }]);
    expect(calls).toEqual([]);
  });
});
