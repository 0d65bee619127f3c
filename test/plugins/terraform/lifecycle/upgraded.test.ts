import { expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

test("an unchanged resource has the output of the new version of its provider, which the next run finds recorded", async () => {
  const { stage, fixture, before, plan, world, asked } = await made();
  let output: Readonly<Record<string, unknown>> = {};
  const program = (of: typeof fixture) => async () => {
    output = await of().renamed!("one", { name: "first" });
  };
  await stage.up(program(before.fixture));
  const [{ ip, id } = { ip: "", id: "" }] = world.all("fixture_renamed");
  expect(output).toEqual({ id, name: "first", ip });
  const upgraded = { id, name: "first", address: ip, zone: "home" };
  const { actions } = await plan(program(fixture));
  expect([actions, output]).toMatchObject([[], upgraded]);
  await stage.up(program(fixture));
  expect([stage.summary, output]).toEqual([{ skipped: 2 }, upgraded]);
  expect(world.all("fixture_renamed")).toMatchObject([{ id, ip }]);
  asked();
  await stage.up(program(fixture));
  expect([stage.summary, output, asked()]).toEqual([{ skipped: 2 }, upgraded, []]);
});
