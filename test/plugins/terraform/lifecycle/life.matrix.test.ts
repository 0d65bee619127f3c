/** The life cycle of a provider's resources: how they are replaced, left over, found, planned and refused. */
import { describe, expect, test } from "vitest";
import { isUnknown } from "../../../../core/base/index.js";
import { said } from "../../../helpers/apps/planning.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of a provider", () => {
  test("is updated from what is recorded", async () => {
    const { stage, fixture, world, asked } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", size: 1 }));
    asked();
    await stage.up(() => fixture().thing!("one", { name: "second" }));
    expect(world.all("fixture_thing")).toMatchObject([{ name: "second", size: null, revision: 2, id: "id-1" }]);
    expect(stage.summary).toMatchObject({ updated: 1, unchanged: 1 });
    expect(asked().filter((rpc) => rpc.includes("Resource"))).toEqual([
      "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
    ]);
  });

  test("is replaced where its provider says so, the old one first", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", region: "north" }));
    await stage.up(() => fixture().thing!("one", { name: "first", region: "south" }));
    expect(world.all("fixture_thing")).toMatchObject([{ region: "south", revision: 1 }]);
    expect(stage.summary).toMatchObject({ replaced: 1 });
    expect(stage.told.indexOf("deleted one")).toBeLessThan(stage.told.indexOf("replaced one"));
  });

  test("is replaced by a new one first if the option says so", async () => {
    const { stage, fixture, world } = await made();
    const program = (region: string) => () =>
      fixture().thing!("one", { name: "first", region }, { createBeforeDestroy: true });
    await stage.up(program("north"));
    await stage.up(program("south"));
    expect(stage.told.indexOf("replaced one")).toBeLessThan(stage.told.indexOf("deleted one"));
    expect(world.all("fixture_thing")).toMatchObject([{ region: "south" }]);
  });

  test("is read on demand; drift is repaired, and a missing resource is created again", async () => {
    const { stage, fixture, world } = await made();
    const program = () => fixture().thing!("one", { name: "first" });
    await stage.up(program);
    world.put("fixture_thing", "id-1", { ...world.get("fixture_thing", "id-1"), name: "other" });
    await stage.up(program, { refresh: true });
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first", revision: 2 }]);
    world.remove("fixture_thing", "id-1");
    await stage.up(program, { refresh: true });
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first", revision: 1 }]);
  });

  test("is imported by the id that its provider knows it by", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", tags: { a: "b" } }, { retainOnDelete: true }));
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_thing")).toHaveLength(1);
    await stage.up(() => fixture().thing!("again", { name: "mine" }, { adopt: true, importId: "id-1" }));
    expect(world.all("fixture_thing")).toMatchObject([{ id: "id-1", name: "mine", tags: null, revision: 2 }]);
  });

  test("gives its provider what is private back as it was", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().private!("one", { name: "a" }));
    await stage.up(() => fixture().private!("one", { name: "b" }));
    expect(world.all("fixture_private")).toMatchObject([{ name: "b", seen: expect.stringMatching(/^pap+$/) }]);
  });
});

test("what a plan keeps to itself is for its own change: where there is none it goes", async () => {
  const { stage, fixture, world } = await made();
  const program = () => fixture().private!("one", { name: "first" });
  await stage.up(program);
  const [thing] = world.all("fixture_private");
  world.put("fixture_private", String(thing?.id), { ...thing, seen: "otherwise" });
  await stage.up(program, { refresh: true });
  await stage.up(() => fixture().private!("one", { name: "second" }));
  // Letters of the create's plan and apply, of the read, and of the plan that found a change; not of the plan before
  // it.
  expect(world.all("fixture_private")).toMatchObject([{ name: "second", seen: "parp" }]);
});

test("what a provider keeps to itself is what it said last, in a look that has found nothing new, too", async () => {
  const { stage, fixture, plan, world } = await made();
  const program = (name: string) => () => fixture().private!("one", { name });
  await stage.up(program("a"));
  await stage.up(program("a"), { refresh: true });
  expect(stage.summary).toEqual({ unchanged: 2 });
  // A plan must not change them.
  await plan(program("a"), { refresh: true });
  await stage.up(program("b"));
  expect(world.all("fixture_private")).toMatchObject([{ seen: "parp" }]);
});

describe("what a provider refuses", () => {
  test("is reported before it is asked if the schema shows it, with the name that was meant", async () => {
    const { stage, fixture, asked } = await made();
    const failures = await stage.failures(() => fixture().thing!("one", { nam: "first" }));
    expect(failures).toMatchObject([
      { code: "INVALID_PROPS", message: expect.stringContaining('Did you mean "name"?') },
    ]);
    expect(asked()).not.toContain("ApplyResourceChange");
  });

  test("of its configuration fails what depends on it", async () => {
    const { stage, fixture, world } = await made();
    const failures = await stage.failures(() => fixture({ token: "wrong" }).thing!("one", { name: "first" }));
    expect(failures).toMatchObject([{ code: "PROVIDER_REFUSED" }]);
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("as a warning is reported, and done", async () => {
    const { stage, fixture } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", oldName: "zeroth" }));
    expect(stage.heard("resource:log").map(({ message }) => message)).toContain("warning: oldName: Old name");
  });
});

describe("what a failed create has left", () => {
  test.each(["fail-partial", "fail-after"])("(%s) is recorded, and replaced by the next run", async (how) => {
    const { stage, fixture, world } = await made();
    const failures = await stage.failures(() => fixture().behaviour!("one", { name: "a", value: "1", onCreate: how }));
    expect(failures).toMatchObject([{ code: "PROVIDER_REFUSED" }]);
    expect(world.all("fixture_behaviour")).toHaveLength(1);
    await stage.up(() => fixture().behaviour!("one", { name: "a", value: "2" }));
    expect(world.all("fixture_behaviour")).toMatchObject([{ value: "2", id: expect.not.stringMatching(/^id-1$/) }]);
  });

  test("goes with the stage", async () => {
    const { stage, fixture, world } = await made();
    await stage.failures(() => fixture().behaviour!("one", { name: "a", onCreate: "fail-after" }));
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_behaviour")).toEqual([]);
  });

  test("is nothing where its provider has made nothing", async () => {
    const { stage, fixture, world } = await made();
    await stage.failures(() => fixture().behaviour!("one", { name: "a", onCreate: "fail" }));
    await stage.up(() => fixture().behaviour!("one", { name: "a" }));
    expect([world.all("fixture_behaviour").length, stage.heard("warning")]).toEqual([1, []]);
  });
});

describe("a create whose answer was lost", () => {
  test("is repeated, and reported: its first object is unknown", async () => {
    const { stage, fixture, world } = await made();
    await stage.failures(() => fixture().behaviour!("one", { name: "a", onCreate: "exit-after" }));
    await stage.up(() => fixture().behaviour!("one", { name: "a" }));
    expect(world.all("fixture_behaviour")).toHaveLength(2);
    expect(stage.heard("warning")).toMatchObject([{ code: "REPEATED_CREATE", fqn: "app/dev/one" }]);
  });

  test("stays recorded where it is not declared any more", async () => {
    const { stage, fixture } = await made();
    await stage.failures(() => fixture().behaviour!("one", { name: "a", onCreate: "exit-after" }));
    await stage.up(() => void fixture());
    expect(stage.heard("warning")).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/one" }]);
  });
});

describe("a plan", () => {
  test("is the provider's own: what it will compute is not known, the rest is", async () => {
    const { fixture, plan, world } = await made();
    let seen: Readonly<Record<string, unknown>> = {};
    const plans = await plan(async () => {
      seen = await fixture().thing!("one", { name: "first" });
    });
    expect(said(plans)).toEqual(["create fixture: not recorded", "create one: not recorded"]);
    expect([seen.name, isUnknown(seen.id), isUnknown(seen.revision), seen.size]).toEqual([
      "first",
      true,
      true,
      undefined,
    ]);
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("says what forces a replacement, and what is not a change", async () => {
    const { stage, fixture, plan } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", region: "north", size: 1 }));
    const other = await plan(() => fixture().thing!("one", { name: "first", region: "south", size: 1 }));
    expect(said(other)).toEqual(["replace one: props.region changed, which forces a replacement"]);
    const same = await plan(() => fixture().thing!("one", { name: "first", region: "north", size: "1" }));
    expect([same.actions, same.counts.unchanged]).toEqual([[], 2]);
  });

  test("has what a provider refuses for an error", async () => {
    const { fixture, plan } = await made();
    await expect(plan(() => fixture().thing!("one", { name: "refused" }))).rejects.toMatchObject({
      errors: [{ code: "PROVIDER_REFUSED" }],
    });
  });

  test("goes on where the configuration is not known yet", async () => {
    const { fixture, plan } = await made();
    const plans = await plan(async () => {
      const { id } = await fixture().thing!("one", { name: "first" });
      await fixture({ token: id }, { id: "second" }).thing!("two", { name: "second" });
    });
    expect(said(plans)).toHaveLength(4);
  });
});
