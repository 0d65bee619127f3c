import { describe, expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("after an upgrade of a provider", () => {
  test("what is computed from an unchanged resource is not computed from undefined", async () => {
    const { stage, fixture, before, world } = await made();
    const program = (of: typeof fixture, member: string) => async () => {
      const { renamed, thing } = of();
      const one = await renamed!("one", { name: "first" });
      await thing!("two", { name: `at ${one[member]}` });
    };
    await stage.up(program(before.fixture, "ip"));
    const [{ ip } = { ip: "" }] = world.all("fixture_renamed");
    await stage.up(program(fixture, "address"));
    expect(world.all("fixture_thing")).toMatchObject([{ name: `at ${ip}`, revision: 1 }]);
  });

  test("what is no longer declared, changed or refreshed is as it would be without the upgrade", async () => {
    const { stage, fixture, before, world } = await made();
    const program = (of: typeof fixture, names: readonly string[]) => async () => {
      const { renamed } = of();
      for (const [at, name] of names.entries()) await renamed!(`r${at}`, { name });
    };
    await stage.up(program(before.fixture, ["a", "b", "c"]));
    await stage.up(program(fixture, ["a", "other"]));
    expect(stage.summary).toMatchObject({ unchanged: 2, updated: 1, deleted: 1 });
    await stage.up(program(fixture, ["a", "other"]), { refresh: true });
    expect(stage.summary).toEqual({ unchanged: 3 });
    expect(world.all("fixture_renamed").map(({ name }) => name)).toEqual(["a", "other"]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_renamed")).toEqual([]);
  });

  test("a new version with the same schema is asked once what it plans, and changes nothing", async () => {
    const { stage, fixture, before, asked } = await made();
    const program = (of: typeof fixture) => () => of().thing!("one", { name: "first" });
    await stage.up(program(before.fixture));
    asked();
    await stage.up(program(fixture));
    const questions = asked();
    expect([stage.summary, questions.includes("PlanResourceChange")]).toEqual([{ unchanged: 2 }, true]);
    expect(questions).not.toContain("ApplyResourceChange");
    await stage.up(program(fixture));
    expect([stage.summary, asked()]).toEqual([{ unchanged: 2 }, []]);
  });

  test("a resource that any change replaces is not replaced", async () => {
    const { stage, fixture, before, world } = await made();
    const program = (of: typeof fixture) => () => of().thing!("one", { name: "first" }, { replaceOnChanges: ["*"] });
    await stage.up(program(before.fixture));
    const [{ id } = { id: "" }] = world.all("fixture_thing");
    await stage.up(program(fixture));
    expect([stage.summary, world.all("fixture_thing")]).toMatchObject([{ unchanged: 2 }, [{ id }]]);
  });
});
