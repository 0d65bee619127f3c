/** What is recorded of a resource's values, and what is not. */
import { describe, expect, test } from "vitest";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of a provider", () => {
  test("is given back to its provider with the types that its values had", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().attributes!("one", { string: "first", dynamic: [1, "x"] }));
    const [before] = world.all("fixture_attributes");
    expect(before).toMatchObject({
      made_dynamic: { type: ["list", "string"] },
      dynamic: { type: ["tuple", ["number", "string"]] },
    });
    await stage.up(() => fixture().attributes!("one", { string: "second", dynamic: [1, "x"] }));
    expect(world.all("fixture_attributes")).toEqual([{ ...before, string: "second" }]);
  });

  test("has arguments that are only written, in blocks too, and recorded nowhere", async () => {
    const { stage, fixture, world } = await made();
    const access = [{ user: "a" }, { user: "b", token: "never-kept" }];
    await stage.up(() => fixture().writeOnly!("one", { name: "a", password: "never-kept", access }));
    expect(world.all("fixture_write_only")).toMatchObject([{ password: null, password_length: 20 }]);
    expect(await textIn(stage.store)).not.toContain("never-kept");
  });
});
