import { describe, expect, it } from "vitest";
import type { EngineOptions, ResourceOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings } from "../../helpers/apps/things.ts";

/** A stage with db ← web and job in a scope; nothing of it is declared any more. */
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
      { message: expect.stringContaining('is excluded. Exclude "app/dev/db" as well, or neither.') },
    ]);
  });

  it("or is an excluded part of it", async () => {
    const { sites } = newSites();
    const stage = new Stage();
    await stage.up(() => sites.Thing("site"));
    expect(await stage.failures(() => {}, { exclude: ["**/page"] })).toMatchObject([
      { code: "DEPENDENTS_LEFT_OUT", message: expect.stringContaining('"app/dev/site/page", which is a part of it') },
    ]);
  });
});

it("what is recorded under the alias of a declaration that is left out is not pruned, although it is selected", async () => {
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
