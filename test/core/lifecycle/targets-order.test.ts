/** The order of deletes after a run with targets. */

import { expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp() {
  const world = new World();
  const stage = new Stage();
  const deleted = async (): Promise<string[]> => {
    world.news();
    const app = await stage.open({ phase: "destroy" });
    await app.finalize();
    return world.news().map((call) => call.replace("delete ", ""));
  };
  return { world, Thing: world.type(), stage, deleted };
}

test("what a targeted run leaves out is deleted before what it was made from, which that run has moved", async () => {
  const { Thing, stage, deleted } = setUp();
  await stage.up(async () => {
    await Thing("a", { value: 1 });
    const b = await Thing("b");
    await Thing("c", { value: `on ${b.thing}` });
  });
  await stage.up(
    async () => {
      await Thing("c", { value: "left out" });
      const n = await Thing("n");
      await Thing("a", { value: 2, uses: n });
    },
    { target: ["**/a", "**/n"] },
  );
  expect(await deleted()).toEqual(["c", "b", "a", "n"]);
});

test("what is left out takes its children along", async () => {
  const { world, Thing, stage, deleted } = setUp();
  world.on("create c", async () => void (await Thing("part")));
  await stage.up(async () => {
    await Thing("a", { value: 1 });
    await Thing("c");
  });
  await stage.up(
    async () => {
      await Thing("c", { value: "left out" });
      const n = await Thing("n");
      await Thing("a", { value: 2, uses: n });
    },
    { target: ["**/a", "**/n"] },
  );
  expect(await deleted()).toEqual(["part", "c", "a", "n"]);
});

test("what is made from a resource that is left out is deleted before it, also where that one has moved", async () => {
  const { Thing, stage, deleted } = setUp();
  await stage.up(async () => {
    await Thing("a", { value: 1 });
    await Thing("c");
  });
  await stage.up(
    async () => {
      const c = await Thing("c", { value: "left out" });
      const n = await Thing("n");
      await Thing("a", { value: 2, uses: n });
      await Thing("m", { value: `on ${c.thing}` });
    },
    { target: ["**/a", "**/n", "**/m"] },
  );
  expect(await deleted()).toEqual(["m", "c", "a", "n"]);
});

test("what is left out keeps its place where nothing moves", async () => {
  const { Thing, stage, deleted } = setUp();
  const program = (value: number) => async () => {
    const a = await Thing("a");
    await Thing("b", { value: a.thing });
    await Thing("c", { value });
  };
  await stage.up(program(1));
  await stage.up(program(2), { target: ["**/c"] });
  expect(await deleted()).toEqual(["c", "b", "a"]);
});
