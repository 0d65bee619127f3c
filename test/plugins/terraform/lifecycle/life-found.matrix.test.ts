/** A provider's resources whose values are found, compared and encrypted. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { recordedIn } from "../fixture/world.ts";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of a provider", () => {
  test("is unchanged where its provider finds that what is declared otherwise comes to the same", async () => {
    const { stage, fixture, asked } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", size: 1 }));
    await stage.up(() => fixture().thing!("one", { name: "first", size: "1" }));
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(asked().filter((rpc) => rpc === "ApplyResourceChange")).toHaveLength(1);
  });

  test("is deleted as it was found to be; one that is already gone is not deleted", async () => {
    const { stage, fixture, world, asked } = await made();
    await stage.up(async () => {
      const { thing } = fixture();
      await Promise.all([thing!("one", { name: "first" }), thing!("two", { name: "second" })]);
    });
    const [found, gone] = world.all("fixture_thing").map(({ id }) => String(id));
    world.put("fixture_thing", String(found), { ...world.get("fixture_thing", String(found)), size: 7 });
    world.remove("fixture_thing", String(gone));
    asked();
    await stage.up(() => void fixture(), { refresh: true });
    const deletes = recordedIn(world.folder).filter(({ rpc, planned }) => rpc === "ApplyResourceChange" && !planned);
    expect(deletes).toMatchObject([{ prior: { id: found, size: 7 } }]);
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("has what is sensitive encrypted where it is recorded, and plain for its provider alone", async () => {
    const { stage, fixture, world } = await made();
    const program = () =>
      fixture({ token: new Secret("t0ken") }).thing!("one", { name: "a", secret: new Secret("s3cret") });
    await stage.up(program);
    expect(world.all("fixture_thing")).toMatchObject([{ secret: "s3cret" }]);
    const password = String(world.all("fixture_thing")[0]?.password);
    const recorded = await textIn(stage.store);
    for (const secret of ["s3cret", "t0ken", password]) expect(recorded).not.toContain(secret);
    await stage.up(program);
    expect(stage.summary.unchanged).toBe(2);
  });
});
