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

test("an import that would have to be replaced is refused by a plan and by a run, which name the prop", async () => {
  const { stage, fixture, plan, world } = await made();
  world.put("fixture_thing", "id-7", { id: "id-7", name: "first", region: "eu", revision: 1, password: "p" });
  const program = () => fixture().thing!("one", { name: "first", region: "us" }, { adopt: true, importId: "id-7" });
  const refused = { code: "INVALID_CALL", fqn: "app/dev/one", message: expect.stringContaining('Declare "region" as') };
  await expect(plan(program)).rejects.toMatchObject({ errors: [refused] });
  expect(await stage.failures(program)).toMatchObject([refused]);
  expect(world.all("fixture_thing")).toMatchObject([{ region: "eu" }]);
});
