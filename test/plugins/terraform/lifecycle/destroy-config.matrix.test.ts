/** The configuration that a provider uses to delete. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe.each([
  ["when it is configured", {}],
  ["when it is first needed", { FIXTURE_LATE: "1" }],
])("a stage whose provider has another password now, which it checks %s", (_when, env) => {
  const rotated = async () => {
    const stage = await made(env);
    const { world, fixture } = stage;
    world.put("lock", "token", { token: "old" });
    const program = (token: string) => () => fixture({ token: new Secret(token) }).thing!("one", { name: "first" });
    await stage.stage.up(program("old"));
    world.put("lock", "token", { token: "new" });
    return { ...stage, program };
  };

  test("is destroyed with the program that has the new one", async () => {
    const { stage, world, program } = await rotated();
    await stage.up(program("new"), { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("is not destroyed by the recorded one, and the error says how to pass another", async () => {
    const { stage, world, program } = await rotated();
    const failures = await stage.failures(() => {}, { phase: "destroy" });
    expect(failures[0]).toMatchObject({
      code: "PROVIDER_REFUSED",
      message: expect.stringContaining("run the command with the program that configures the provider."),
    });
    expect(world.all("fixture_thing")).toHaveLength(1);
    await stage.up(program("new"), { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("is destroyed with a program whose configuration comes of a resource that is destroyed with it", async () => {
    const { stage, world, fixture } = await made(env);
    world.put("lock", "token", { token: "a" });
    const program = async () => {
      const { thing } = fixture({ token: "a" });
      const one = await thing!("one", { name: "a" });
      await fixture({ token: one.name }, { id: "second" }).thing!("two", { name: "b" });
    };
    await stage.up(program);
    await stage.up(program, { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
  });
});
