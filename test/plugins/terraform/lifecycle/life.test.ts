/** The life of a provider's resources, from their create to their delete. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of a provider", () => {
  test("is made, and what its provider has computed is its output", async () => {
    const { stage, fixture, world, asked } = await made();
    let output: Readonly<Record<string, unknown>> = {};
    await stage.up(async () => {
      output = await fixture().thing!("one", { name: "first", tags: { team: "a" } });
    });
    expect(output).toMatchObject({ name: "first", tags: { team: "a" }, revision: 1, id: "id-1" });
    expect(output.password).toBeInstanceOf(Secret);
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first", id: "id-1" }]);
    expect(asked()).toEqual([
      "ValidateProviderConfig",
      "ConfigureProvider",
      "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
    ]);
  });

  test("is left alone where nothing has changed: its provider is not even started", async () => {
    const fixtures = await made();
    const { stage, fixture } = fixtures;
    const program = () => fixture().thing!("one", { name: "first" });
    await stage.up(program);
    expect(fixtures.started).toBe(1);
    await stage.up(program);
    expect([fixtures.started, stage.summary.skipped]).toEqual([1, 2]);
  });

  test("is deleted once it is no longer declared, and with the stage, before its provider's configuration", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(async () => {
      const { thing } = fixture();
      await thing!("one", { name: "first" });
      await thing!("two", { name: "second" });
    });
    await stage.up(() => fixture().thing!("one", { name: "first" }));
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first" }]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
    expect(stage.told.filter((told) => told.startsWith("deleted"))).toEqual(["deleted one", "deleted fixture"]);
  });
});

describe("what a provider refuses", () => {
  test("fails with the prop that it is about, and nothing is made", async () => {
    const { stage, fixture, world } = await made();
    const failures = await stage.failures(() => fixture().thing!("one", { name: "refused" }));
    expect(failures).toMatchObject([
      {
        code: "PROVIDER_REFUSED",
        message: expect.stringContaining("test/fixture: name: Refused name. Another one, please."),
      },
    ]);
    expect(world.all("fixture_thing")).toEqual([]);
  });
});
