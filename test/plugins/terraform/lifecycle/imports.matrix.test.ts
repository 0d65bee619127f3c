/** Imports of existing resources, and of ids that do not exist. */
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

  test("is not an error once the resource is recorded: if it is gone since then, it is created again", async () => {
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

test("an import that would have to be replaced is refused by a plan and by a run, which name the prop", async () => {
  const { stage, fixture, plan, world } = await made();
  world.put("fixture_thing", "id-7", { id: "id-7", name: "first", region: "eu", revision: 1, password: "p" });
  const program = () => fixture().thing!("one", { name: "first", region: "us" }, { adopt: true, importId: "id-7" });
  const refused = { code: "INVALID_CALL", fqn: "app/dev/one", message: expect.stringContaining('Declare "region" as') };
  await expect(plan(program)).rejects.toMatchObject({ errors: [refused] });
  expect(await stage.failures(program)).toMatchObject([refused]);
  expect(world.all("fixture_thing")).toMatchObject([{ region: "eu" }]);
});

describe("an update that was killed once it had renamed what it is about", () => {
  const setUp = async () => {
    const one = await made();
    const program = (name: string, props: object = {}, options: object = {}) => {
      return () => one.fixture().base!("db", { name, ...props }, options);
    };
    await one.stage.up(program("old"));
    await one.stage.failures(program("new", { onUpdate: "kill" }));
    expect(one.world.all("fixture_base")).toMatchObject([{ name: "new" }]);
    return { ...one, program };
  };

  test("ends with `importId` and `adopt`, in a plan and in a run that look at what is there", async () => {
    const { stage, plan, world, program } = await setUp();
    const found = program("new", {}, { importId: "new", adopt: true });
    expect((await plan(found, { refresh: true })).actions).toMatchObject([{ id: "db", action: "adopt" }]);
    await stage.up(found, { refresh: true });
    expect(stage.summary).toMatchObject({ adopted: 1 });
    await stage.up(program("other"));
    expect(world.all("fixture_base")).toMatchObject([{ name: "other" }]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_base")).toEqual([]);
  });

  test("goes on where it had not taken effect, though the program adopts", async () => {
    const { stage, world, program } = await setUp();
    world.remove("fixture_base", "new");
    world.put("fixture_base", "old", { id: "old", name: "old" });
    await stage.up(program("new", {}, { importId: "new", adopt: true }));
    expect([stage.summary, world.all("fixture_base")]).toMatchObject([{ updated: 1 }, [{ name: "new" }]]);
  });
});
