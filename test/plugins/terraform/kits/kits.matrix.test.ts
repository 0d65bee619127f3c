/** Providers made with other kits than the newest. */
import { describe, expect, test } from "vitest";
import { fixtureStages } from "../lifecycle/fixture-stage.ts";

const made = fixtureStages();

describe("a provider that makes its list of types while it gives its schemas (plugin-framework before 1.4.1)", () => {
  const env = { FIXTURE_KIT: "framework-1.3" };

  test("is asked for its schemas in a plan, and by a process that was started again", async () => {
    const fixtures = await made(env);
    const { stage, fixture, plan, world, asked } = fixtures;
    await plan(() => fixture().thing!("one", { name: "first" }));
    expect(asked()).toContain("PlanResourceChange");
    await stage.failures(async () => {
      const { behaviour, thing } = fixture();
      await Promise.allSettled([behaviour!("dies", { name: "a", onCreate: "exit" })]);
      await thing!("one", { name: "first" });
    });
    expect([world.all("fixture_thing").length, fixtures.started]).toEqual([1, 3]);
  });

  test("deletes what it made, with the program and without it", async () => {
    const { stage, fixture, world } = await made(env);
    await stage.up(() => fixture().thing!("one", { name: "first" }));
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
  });
});

test("a provider without capabilities, of the legacy type system, makes, changes and deletes", async () => {
  const { stage, fixture, world, asked } = await made({ FIXTURE_KIT: "sdk" });
  await stage.up(() => fixture().thing!("one", { name: "first" }));
  await stage.up(() => fixture().thing!("one", { name: "second" }));
  expect(world.all("fixture_thing")).toMatchObject([{ name: "second" }]);
  asked();
  await stage.up(() => {}, { phase: "destroy" });
  expect(world.all("fixture_thing")).toEqual([]);
  expect(asked()).not.toContain("PlanResourceChange");
});

test("a provider that has meta values gets one with each question, though it may be asked without its schemas", async () => {
  const { stage, fixture, world } = await made({ FIXTURE_KIT: "framework-meta" });
  await stage.up(() => fixture().thing!("one", { name: "first" }));
  expect(world.all("fixture_thing")).toMatchObject([{ name: "first" }]);
});

test("a function of a provider that has to be asked for its schemas first is computed", async () => {
  const { stage, fixture, asked } = await made({ FIXTURE_KIT: "framework-1.3" });
  let joined: unknown;
  await stage.up(async () => {
    joined = await fixture().functions.join!("-", "a", "b");
  });
  expect([joined, asked()[0]]).toEqual(["a-b", "GetProviderSchema"]);
});
