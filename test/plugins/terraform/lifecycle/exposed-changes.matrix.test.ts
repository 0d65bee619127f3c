/** States of earlier versions with plain-text secrets, in runs that change nothing else and after a delete. */
import { describe, expect, test } from "vitest";
import { fixtureStages } from "./fixture-stage.ts";
import { exposedIn, exposedStage, NOTE } from "./in-the-clear.ts";

const made = fixtureStages();

describe("a stage with values in the clear", () => {
  test("is sealed by a run that changes nothing else, without a change of the real resource", async () => {
    const { store, later, program, asked } = await exposedStage(await made());
    await later.up(program(1));
    expect(later.summary.replaced).toBeUndefined();
    expect(await exposedIn(store)).toEqual([]);
    expect(asked()).not.toContain("ApplyResourceChange");
    await later.up(program(1));
    expect(later.summary).toEqual({ unchanged: 3 });
  });

  test("has none in the present state after a destroy of one resource", async () => {
    const { store, later, fixture, world } = await exposedStage(await made());
    await later.up(() => void fixture({ note: NOTE }));
    expect(world.all("fixture_thing")).toEqual([]);
    expect(await exposedIn(store)).toEqual([]);
  });
});
