/** What refers to a provider's resource by a member of its output. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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
