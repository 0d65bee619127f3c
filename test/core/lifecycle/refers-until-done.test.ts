/** What a resource referred to before is needed until it has become what is declared without that. */
import { describe, expect, test } from "vitest";
import { failuresOf, recordOf, Stage } from "../../helpers/apps/stage.js";
import { lost, World } from "../../helpers/apps/world.js";
import { loadFrom } from "../../helpers/stores/journals.js";

/** `web` uses `db`; then it is to do without, and fails. */
async function failedToDoWithout() {
  const world = new World();
  const Thing = world.type({ read: true });
  const stage = new Stage();
  const app = await stage.up(async () => {
    await Thing("web", { uses: await Thing("db") });
  });
  const db = recordOf(app, "db");
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
    const destroying = stage.open({ phase: "destroy", target: ["**/db"] }).then((app) => app.finalize());
    const [refused] = await failuresOf(destroying);
    expect(refused).toMatchObject({ code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/db" });
    expect(world.news()).toEqual([]);
  });

  test("needs it no longer once it has succeeded", async () => {
    const { world, stage, without } = await failedToDoWithout();
    world.calm();
    await stage.up(without);
    expect(world.news()).toEqual(["update web"]);
    expect(await refsOf(stage, "web")).toBeUndefined();
    await (await stage.open({ phase: "destroy", target: ["**/db"] })).finalize();
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

  test("is deleted before it, as before", async () => {
    const { world, stage } = await failedToDoWithout();
    await stage.up(() => {});
    expect(world.news()).toEqual(["delete web", "delete db"]);
  });

  test("says in a plan what its success makes of that", async () => {
    const { stage, Thing } = await failedToDoWithout();
    const options = { stage: "dev", argv: [], env: {}, stateStore: stage.store };
    const plan = await stage.engine.plan("app", options, () => Thing("web", { uses: "nothing" }));
    expect(plan.actions.map(({ action, fqn }) => [action, fqn])).toEqual([
      ["update", "app/dev/web"],
      ["delete", "app/dev/db"],
    ]);
  });
});

test("what a create may have used whose result was lost is needed until the next one has succeeded", async () => {
  const world = new World();
  const Thing = world.type();
  const stage = new Stage();
  lost(world, "create web");
  await stage.failures(async () => {
    await Thing("web", { uses: await Thing("db") });
  });
  const without = () => Thing("web", { uses: "nothing" });
  const uid = (await loadFrom(stage.store)).contents.at("db")?.uid ?? "";
  await stage.failures(without);
  expect(await refsOf(stage, "web")).toEqual([uid]);
  world.calm();
  await stage.up(without);
  expect(await refsOf(stage, "web")).toBeUndefined();
});
