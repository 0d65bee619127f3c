/** Resources that exist already, and those that are said to. */
import { expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

test("an import id that its provider has nothing by is an error in a plan and in a run, and nothing is created", async () => {
  const { stage, fixture, plan, world } = await made({ FIXTURE_IMPORT: "passthrough" });
  const program = () => fixture().thing!("one", { name: "first" }, { adopt: true, importId: "gone" });
  const refused = {
    code: "PROVIDER_REFUSED",
    fqn: "app/dev/one",
    message: expect.stringContaining('has no fixture_thing with the id "gone" to import.'),
  };
  expect(await stage.failures(program)).toMatchObject([refused]);
  await expect(plan(program)).rejects.toMatchObject({ errors: [refused] });
  expect(world.all("fixture_thing")).toEqual([]);
});
