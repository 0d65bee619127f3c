/** Dependents that refer to a provider's resource by a name that an update removes. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cwd as folder, folderEach } from "../../../e2e/own-folder.ts";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();
folderEach("provider-plans");

describe("an update in place that takes away the name by which a dependent is found", () => {
  type Parts = "replaced" | "dropped";
  const setUp = async () => {
    const one = await made();
    const program = (name: string, parts?: Parts) => async () => {
      const { base, part } = one.fixture();
      const db = await base!("db", { name });
      if (parts !== "dropped") await part!("schema", { name: "s1", base: db.name });
    };
    await one.stage.up(program("old"));
    const parts = () => one.world.all("fixture_part").map(({ id }) => id);
    const order = () => one.stage.told.filter((line) => /^(deleted|replaced|created|updated)/.test(line));
    return { ...one, program, parts, order };
  };

  test.each<[Parts, string[]]>([
    ["replaced", ["new/s1"]],
    ["dropped", []],
  ])("is done after the delete of the dependent, if a plan was given: %s", async (how, left) => {
    const { stage, plan, program, parts, order } = await setUp();
    const planOut = join(folder, `renamed-${how}.json`);
    const { actions } = await plan(program("new", how), { planOut });
    expect(actions.find(({ id }) => id === "db")).toMatchObject({ action: "update", deletesFirst: ["app/dev/schema"] });
    await stage.up(program("new", how), { planFile: planOut });
    const first = ["deleted schema", "updated db"];
    expect(order()).toEqual(how === "replaced" ? [...first, "replaced schema"] : first);
    expect(parts()).toEqual(left);
    expect(stage.heard("warning")).toEqual([]);
  });

  test("fails the replacement of the dependent without a plan, until what it refers to is as it was", async () => {
    const { stage, plan, program, parts } = await setUp();
    for (const _ of ["at once", "in each later run"]) {
      const [failure] = await stage.failures(program("new"));
      expect(failure).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/schema" });
      expect(String(failure)).toMatch(/"app\/dev\/db".*engine plan --out.*engine up --plan.*engine state forget/);
      expect(parts()).toEqual(["new/s1"]);
    }
    await stage.up(program("old"));
    const planOut = join(folder, "renamed-again.json");
    await plan(program("new"), { planOut });
    await stage.up(program("new"), { planFile: planOut });
    expect(parts()).toEqual(["new/s1"]);
    expect((await plan(program("new"))).actions).toEqual([]);
  });

  test("lets a dependent that is not declared any more be deleted with a warning, without a plan", async () => {
    const { stage, program, parts } = await setUp();
    await stage.up(program("new", "dropped"));
    expect(parts()).toEqual(["new/s1"]);
    expect(stage.heard("warning")).toMatchObject([{ code: "DELETE_FOUND_NOTHING", fqn: "app/dev/schema" }]);
  });

  test("holds back nothing whose object is still found", async () => {
    const { stage, fixture, world } = await made();
    const program = (name: string) => async () => {
      const { base, thing } = fixture();
      const db = await base!("db", { name });
      await thing!("two", { name: "second", region: db.name });
    };
    await stage.up(program("old"));
    await stage.up(program("new"));
    expect([stage.summary, stage.heard("warning")]).toMatchObject([{ updated: 1, replaced: 1 }, []]);
    expect(world.all("fixture_thing")).toMatchObject([{ region: "new" }]);
  });
});
