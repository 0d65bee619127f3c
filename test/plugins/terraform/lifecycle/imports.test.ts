/** Resources that exist already, and those that are said to. */
import { describe, expect, test } from "vitest";
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

  test("says in each later run how what it renamed is taken over", async () => {
    const { stage, world, program } = await setUp();
    for (const _ of ["at once", "in each later run"]) {
      const [failure] = await stage.failures(program("new"));
      expect(failure).toMatchObject({ code: "PROVIDER_REFUSED", fqn: "app/dev/db" });
      expect(String(failure)).toMatch(
        /already exists.*`importId` and `adopt: true`.*engine state forget app\/dev\/db/s,
      );
    }
    await stage.up(program("newer", {}, { importId: "new", adopt: true }));
    expect([stage.summary, world.all("fixture_base")]).toMatchObject([{ adopted: 1 }, [{ name: "newer" }]]);
  });

  test.each([{}, { refresh: true }])(
    "ends with `importId` and `adopt`, in a plan and in a run: %o",
    async (options) => {
      const { stage, plan, world, program } = await setUp();
      const found = program("new", {}, { importId: "new", adopt: true });
      expect((await plan(found, options)).actions).toMatchObject([{ id: "db", action: "adopt" }]);
      await stage.up(found, options);
      expect(stage.summary).toMatchObject({ adopted: 1 });
      await stage.up(program("other"));
      expect(world.all("fixture_base")).toMatchObject([{ name: "other" }]);
      await stage.up(() => {}, { phase: "destroy" });
      expect(world.all("fixture_base")).toEqual([]);
    },
  );

  test("goes on where it had not taken effect, though the program adopts", async () => {
    const { stage, world, program } = await setUp();
    world.remove("fixture_base", "new");
    world.put("fixture_base", "old", { id: "old", name: "old" });
    await stage.up(program("new", {}, { importId: "new", adopt: true }));
    expect([stage.summary, world.all("fixture_base")]).toMatchObject([{ updated: 1 }, [{ name: "new" }]]);
  });
});

test("an import id without `adopt` is an error before anything is created, unless the resource is recorded", async () => {
  const { stage, fixture, plan, world } = await made();
  world.put("fixture_base", "old", { id: "old", name: "old" });
  const program = (name: string, options: object) => () => fixture().base!("db", { name }, options);
  const refused = { code: "INVALID_OPTION", fqn: "app/dev/db", message: expect.stringContaining("`adopt: true`") };
  expect(await stage.failures(program("new", { importId: "old" }))).toMatchObject([refused]);
  await expect(plan(program("new", { importId: "old" }))).rejects.toMatchObject({ errors: [refused] });
  expect(world.all("fixture_base")).toMatchObject([{ name: "old" }]);
  await stage.up(program("old", { importId: "old" }), { adopt: true });
  await stage.up(program("new", { importId: "old" }));
  expect([stage.summary, world.all("fixture_base")]).toMatchObject([{ updated: 1 }, [{ name: "new" }]]);
});
