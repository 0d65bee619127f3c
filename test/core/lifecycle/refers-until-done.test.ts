/** Former references of a resource stay needed until an update without them succeeds. */
import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, type Stage } from "../../helpers/apps/stage.js";
import { lost } from "../../helpers/apps/world.js";
import { loadFrom } from "../../helpers/stores/journals.js";

/** `web` uses `db`; an update that drops this reference fails. */
async function failedToDoWithout() {
  const { world, Thing, stage } = newWorld({ read: true });
  await stage.up(async () => Thing("web", { uses: await Thing("db") }));
  const db = stage.record("db");
  world.fails("update web");
  const without = async () => {
    await Thing("db");
    await Thing("web", { uses: "nothing" });
  };
  await stage.failures(without);
  world.news();
  return { world, Thing, stage, db, without };
}

async function refsOf(stage: Stage, key: string): Promise<readonly string[] | undefined> {
  return (await loadFrom(stage.store)).contents.at(key)?.refs;
}

describe("an update that was to do without something, and has failed", () => {
  test("keeps what it may use still from being deleted alone", async () => {
    const { world, stage, db } = await failedToDoWithout();
    expect(await refsOf(stage, "web")).toEqual([db?.uid]);
    const [refused] = await failuresOf(stage.destroy({ target: ["**/db"] }));
    expect(refused).toMatchObject({ code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/db" });
    expect(world.news()).toEqual([]);
  });

  test("needs it no longer once it has succeeded", async () => {
    const { world, stage, without } = await failedToDoWithout();
    world.calm();
    await stage.up(without);
    expect(world.news()).toEqual(["update web"]);
    expect(await refsOf(stage, "web")).toBeUndefined();
    await stage.destroy({ target: ["**/db"] });
    expect(world.news()).toEqual(["delete db"]);
  });

  test("refers to both where it is to use something else in its place", async () => {
    const { world, Thing, stage, db } = await failedToDoWithout();
    const other = async () => {
      await Thing("db");
      await Thing("web", { uses: await Thing("other") });
    };
    await stage.failures(other);
    const uid = (await loadFrom(stage.store)).contents.at("other")?.uid ?? "";
    expect(await refsOf(stage, "web")).toEqual([db?.uid ?? "", uid].sort());
    world.calm();
    await stage.up(other);
    expect(await refsOf(stage, "web")).toEqual([uid]);
  });

  test("says in a plan what its success makes of that", async () => {
    const { stage, Thing } = await failedToDoWithout();
    const plan = await stage.plan(() => Thing("web", { uses: "nothing" }));
    expect(plan.actions.map(({ action, fqn }) => [action, fqn])).toEqual([
      ["update", "app/dev/web"],
      ["delete", "app/dev/db"],
    ]);
  });
});

test("what a create may have used whose result was lost is needed until the next one has succeeded", async () => {
  const { world, Thing, stage } = newWorld();
  lost(world, "create web");
  await stage.failures(async () => Thing("web", { uses: await Thing("db") }));
  const without = () => Thing("web", { uses: "nothing" });
  const uid = (await loadFrom(stage.store)).contents.at("db")?.uid ?? "";
  await stage.failures(without);
  expect(await refsOf(stage, "web")).toEqual([uid]);
  world.calm();
  await stage.up(without);
  expect(await refsOf(stage, "web")).toBeUndefined();
});
