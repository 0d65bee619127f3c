/** Dependents that refer to a provider's resource by a member of its output. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { cwd as folder, folderEach } from "../../../e2e/own-folder.ts";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();
folderEach("provider-plans");

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
  expect(stage.summary).toMatchObject({ replaced: 2, updated: 2, unchanged: 1 });
  expect((await plan(program("us"))).actions).toEqual([]);
});
