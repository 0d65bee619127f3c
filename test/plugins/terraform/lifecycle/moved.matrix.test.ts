import { describe, expect, test } from "vitest";
import { said } from "../../../helpers/apps/planning.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of another type", () => {
  test("is moved if an alias leads to it and its provider can: neither deleted nor created again", async () => {
    const { stage, fixture, world, plan, asked } = await made();
    await stage.up(() => fixture().thing!("old", { name: "first", size: 1 }));
    const [{ id } = { id: "" }] = world.all("fixture_thing");
    const program = (name: string) => () => fixture().movedThing!("new", { name, size: 1 }, { aliases: ["old"] });
    const plans = await plan(program("second"));
    expect(said(plans)).toEqual(["update new: props.name changed"]);
    world.put("fixture_thing", String(id), { id, name: "first", size: 1 });
    world.remove("fixture_moved_thing", String(id));
    asked();
    await stage.up(program("second"));
    expect([world.all("fixture_thing"), world.all("fixture_moved_thing")]).toEqual([
      [],
      [{ id, name: "second", size: 1 }],
    ]);
    expect([stage.summary.updated, asked()]).toMatchObject([1, expect.arrayContaining(["MoveResourceState"])]);
    await stage.up(() => fixture().movedThing!("new", { name: "second", size: 1 }));
    expect(stage.summary).toEqual({ unchanged: 2 });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_moved_thing")).toEqual([]);
  });

  test("is neither moved nor replaced where its provider refuses to move it", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().behaviour!("old", { name: "first" }));
    const failures = await stage.failures(() => fixture().movedThing!("new", { name: "first" }, { aliases: ["old"] }));
    expect(failures).toMatchObject([
      {
        code: "PROVIDER_REFUSED",
        message: expect.stringContaining("To replace the resource instead, remove its aliases."),
      },
    ]);
    expect(world.all("fixture_behaviour")).toHaveLength(1);
  });

  test("is replaced where there is no alias", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first" }));
    await stage.up(() => fixture().movedThing!("one", { name: "second" }));
    expect([stage.summary.replaced, world.all("fixture_thing")]).toEqual([1, []]);
  });
});
