/** What refers to a provider's resource by a member of its output. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "provider-plans-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a provider's resource that has the id of another one is deleted before that is replaced, by a plan", async () => {
  const { stage, fixture, plan } = await made();
  const program = (region: string) => async () => {
    const { thing } = fixture();
    const one = await thing!("one", { name: "first", region });
    await thing!("two", { name: "second", region: one.id });
  };
  await stage.up(program("eu"));
  const planOut = join(folder, "plan.json");
  const { actions } = await plan(program("us"), { planOut });
  expect(actions.find(({ id }) => id === "one")?.deletesFirst).toEqual(["app/dev/two"]);
  await stage.up(program("us"), { planFile: planOut });
  const order = stage.told.filter((line) => /^(deleted|replaced|created)/.test(line));
  expect(order).toEqual(["deleted two", "deleted one", "replaced one", "replaced two"]);
});

test("a plan shows what is replaced behind a data source that is asked for a member of what changes", async () => {
  const { stage, fixture, plan, asked } = await made();
  const program = (region: string) => async () => {
    const { thing, data } = fixture();
    const one = await thing!("one", { name: "first", region });
    const found = await data.lookup!("found", { name: one.name });
    const again = await data.lookup!("again", { name: found.name });
    await thing!("two", { name: "second", region: again.id });
  };
  await stage.up(program("eu"));
  asked();
  const planOut = join(folder, "data.json");
  const { actions, recordOnly } = await plan(program("us"), { planOut });
  expect(asked()).not.toContain("ReadDataSource");
  const planned = actions.map(({ id, action }) => `${action} ${id}`);
  expect(planned).toEqual(["replace one", "update found", "update again", "replace two"]);
  expect(recordOnly).toEqual([]);
  await stage.up(program("us"), { planFile: planOut });
  expect(stage.summary).toMatchObject({ replaced: 2, updated: 2, skipped: 1 });
  expect((await plan(program("us"))).actions).toEqual([]);
});

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
