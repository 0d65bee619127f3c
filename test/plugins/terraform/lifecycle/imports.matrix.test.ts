/** Resources that exist already, and those that are said to. */
import { describe, expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("an import id that its provider has nothing by", () => {
  const env = { FIXTURE_IMPORT: "passthrough" };

  test("creates the resource where the program says so", async () => {
    const { stage, fixture, world } = await made(env);
    const options = { adopt: true, importId: "gone", createIfMissing: true };
    await stage.up(() => fixture().thing!("one", { name: "first" }, options));
    expect([stage.summary, world.all("fixture_thing")]).toMatchObject([
      { created: 2 },
      [{ name: "first", id: "id-1" }],
    ]);
  });

  test("is no error once the resource is recorded: what is gone since then is created again", async () => {
    const { stage, fixture, world } = await made(env);
    await stage.up(() => fixture().thing!("before", { name: "first" }, { retainOnDelete: true }));
    await stage.up(() => {}, { phase: "destroy" });
    const program = () => fixture().thing!("one", { name: "first" }, { adopt: true, importId: "id-1" });
    await stage.up(program);
    world.remove("fixture_thing", "id-1");
    await stage.up(program, { refresh: true });
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first" }]);
    const moved = { name: "first", region: "south" };
    await stage.up(() => fixture().thing!("one", moved, { adopt: true, importId: "id-1" }));
    expect(world.all("fixture_thing")).toMatchObject([{ region: "south" }]);
  });

  test("that its provider refuses itself is that error, whatever the program says", async () => {
    const { stage, fixture, world } = await made();
    const options = { adopt: true, importId: "gone", createIfMissing: true };
    const failures = await stage.failures(() => fixture().thing!("one", { name: "first" }, options));
    expect(failures).toMatchObject([{ code: "PROVIDER_REFUSED", message: expect.stringContaining("No such thing") }]);
    expect(world.all("fixture_thing")).toEqual([]);
  });
});
