/** Providers made with other kits than the newest. */
import { expect, test } from "vitest";
import { fixtureStages } from "../lifecycle/fixture-stage.ts";

const made = fixtureStages();

test("a provider on plugin-framework before 1.4.1 knows its types: it is asked for its schemas once, before it is configured", async () => {
  const { stage, fixture, world, asked } = await made({ FIXTURE_KIT: "framework-1.3" });
  await stage.up(async () => {
    const { thing } = fixture();
    await Promise.all([thing!("one", { name: "first" }), thing!("two", { name: "second" })]);
  });
  expect(world.all("fixture_thing")).toHaveLength(2);
  const questions = asked();
  expect(questions[0]).toBe("GetProviderSchema");
  expect(questions.filter((rpc) => rpc === "GetProviderSchema")).toHaveLength(1);
  await stage.up(() => fixture().thing!("one", { name: "first", size: 1 }));
  expect(world.all("fixture_thing")).toMatchObject([{ name: "first", size: 1 }]);
});
