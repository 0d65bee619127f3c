/** Attributes, blocks and keys with the names that every object of JavaScript has. */
import { describe, expect, test } from "vitest";
import { fixtureStages } from "../lifecycle/fixture-stage.ts";

const made = fixtureStages();

const KEYS = ["constructor", "toString", "__proto__", "hasOwnProperty", "then"];
const labels = Object.fromEntries(KEYS.map((key) => [key, `label ${key}`]));
const owned = {
  toString_: "a",
  constructor_: "b",
  __proto___: "c",
  hasOwnProperty_: "d",
  valueOf_: "e",
  then_: "f",
};

describe("a type whose attributes are called as JavaScript calls members of its own", () => {
  test("is created with those that are given, and with none that is not", async () => {
    const { stage, fixture, world } = await made();
    let output: Readonly<Record<string, unknown>> = {};
    const program = (props: object) => async () => {
      output = await fixture().ownedNames!("one", { name: "first", ...props });
    };
    await stage.up(program({}));
    const [nothing] = world.all("fixture_owned_names");
    expect(
      Object.entries({ ...nothing })
        .filter(([, value]) => value !== null)
        .map(([name]) => name)
        .sort(),
    ).toEqual(["either", "id", "is_prototype_of", "made", "name"]);
    expect(Object.keys(output).sort()).toEqual(["either", "id", "isPrototypeOf_", "made", "name"]);
    await stage.up(program({ ...owned, labels, object: owned, isPrototypeOf_: [owned], secret: "s" }));
    expect(output).toMatchObject({ ...owned, labels, object: owned, isPrototypeOf_: [owned] });
    expect(stage.summary).toMatchObject({ updated: 1 });
    const [thing] = world.all("fixture_owned_names");
    const told = { to_string: "a", constructor: "b", has_own_property: "d", value_of: "e" };
    expect(thing).toMatchObject({ ...told, labels, object: told, is_prototype_of: [told] });
    expect(Object.entries({ ...thing })).toEqual(
      expect.arrayContaining([
        ["__proto__", "c"],
        ["then", "f"],
      ]),
    );
    await stage.up(program({ ...owned, labels, object: owned, isPrototypeOf_: [owned], secret: "s" }));
    expect(stage.summary).toEqual({ unchanged: 2 });
  });

  test("is planned, found by a refresh as it is recorded, and deleted without a program", async () => {
    const { stage, fixture, plan, world } = await made();
    const program = (props: object) => () => fixture().ownedNames!("one", { name: "first", labels, ...props });
    await stage.up(program({}));
    await stage.up(program({}), { refresh: true });
    expect(stage.summary).toEqual({ unchanged: 2 });
    const { actions } = await plan(program({ constructor_: "b" }));
    expect(actions).toMatchObject([{ action: "update", changes: [{ path: "/constructor_" }] }]);
    const [thing] = world.all("fixture_owned_names");
    world.put("fixture_owned_names", String(thing?.id), { ...thing, to_string: "drifted" });
    await stage.up(program({}), { refresh: true });
    expect(stage.summary).toMatchObject({ updated: 1 });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_owned_names")).toEqual([]);
  });
});
