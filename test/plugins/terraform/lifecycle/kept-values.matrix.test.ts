/** Unusual values of providers, as the program gets them. */
import { describe, expect, test } from "vitest";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource whose provider", () => {
  test("gives numbers that no double holds is given them back digit by digit, and so is the program", async () => {
    const { stage, fixture, world, plan, asked } = await made();
    const seen: unknown[] = [];
    const program = (string: string) => async () => {
      const one = await fixture().attributes!("one", { string });
      seen.push(one.madeNumber, one.madeListOfNumbers);
    };
    await stage.up(program("first"));
    const [before] = world.all("fixture_attributes");
    const digits = { $number: "9007199254740993" };
    const there = {
      ...before,
      made_number: digits,
      made_list_of_numbers: [digits, "0.12345678901234567890123", 2 ** 53],
    };
    world.put("fixture_attributes", String(before?.id), there);
    await plan(program("first"), { refresh: true });
    await stage.up(program("first"), { refresh: true });
    await stage.up(program("first"));
    const exact = [9_007_199_254_740_993n, [9_007_199_254_740_993n, "0.12345678901234567890123", 2 ** 53]];
    expect(seen.slice(2)).toEqual([...exact, ...exact, ...exact]);
    asked();
    await stage.up(program("second"));
    expect(asked()).toContain("ApplyResourceChange");
    expect(world.all("fixture_attributes")).toEqual([{ ...there, string: "second" }]);
  });

  test("leaves out a computed value has no such output, and its dependents fail with its name", async () => {
    const { stage, fixture, world } = await made();
    const program = async () => {
      const { thing } = fixture();
      const one = await thing!("one", { name: "first" });
      await thing!("two", { name: one.region });
    };
    await stage.up(program);
    const [first] = world.all("fixture_thing");
    world.put("fixture_thing", String(first?.id), { ...first, region: null });
    const [failure] = await stage.failures(program, { refresh: true });
    expect(failure).toMatchObject({ code: "INVALID_PROPS" });
    expect(String(failure)).toContain("name is missing");
  });

  test("whose provider gives back what is only written has failed, and that is recorded nowhere", async () => {
    const { stage, fixture } = await made();
    const program = () => fixture().writeOnly!("one", { name: "telltale", password: "never-kept" });
    await expect(stage.up(program)).rejects.toThrow('returned "password", which is write-only');
    expect(await textIn(stage.store)).not.toContain("never-kept");
  });
});
