/** Imports of existing resources, and of ids that do not exist. */
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

test("an update that was killed once it had renamed what it is about ends with `importId` and `adopt`", async () => {
  const { stage, fixture, plan, world } = await made();
  const program = (name: string, props: object = {}, options: object = {}) => {
    return () => fixture().base!("db", { name, ...props }, options);
  };
  await stage.up(program("old"));
  await stage.failures(program("new", { onUpdate: "kill" }));
  expect(world.all("fixture_base")).toMatchObject([{ name: "new" }]);
  for (const _ of ["at once", "in each later run"]) {
    const [failure] = await stage.failures(program("new"));
    expect(failure).toMatchObject({ code: "PROVIDER_REFUSED", fqn: "app/dev/db" });
    expect(String(failure)).toMatch(/already exists.*`importId` and `adopt: true`.*engine state forget app\/dev\/db/s);
  }
  const found = program("newer", {}, { importId: "new", adopt: true });
  expect((await plan(found)).actions).toMatchObject([{ id: "db", action: "adopt" }]);
  await stage.up(found);
  expect([stage.summary, world.all("fixture_base")]).toMatchObject([{ adopted: 1 }, [{ name: "newer" }]]);
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
