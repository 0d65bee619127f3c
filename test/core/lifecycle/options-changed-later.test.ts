/** The options of a declaration are an object of the program's, which may use it again for the next one. */
import { expect, test } from "vitest";
import type { ResourceOptions } from "../../../core/contract/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

type Changing = { -readonly [N in keyof ResourceOptions]: ResourceOptions[N] };

test("what a resource depends on may be taken away once it is declared", async () => {
  const world = new World();
  const Thing = world.type({ replaceOn: ["name"] });
  const stage = new Stage();
  const program = (isShared: boolean) => async () => {
    const options: Changing = { dependsOn: [Thing("net", { value: 1 })] };
    const db = Thing("db", { value: 2, name: "main" }, options);
    if (isShared) options.dependsOn = undefined;
    await Promise.all([db, Thing("log", { value: 3 }, options)]);
  };
  await stage.up(program(false));
  world.news();
  const app = await stage.up(program(true));
  expect(recordOf(app, "db")?.props).toEqual({ value: 2, name: "main" });
  expect(world.news()).toEqual([]);
});

test("and another may get one while the first still waits for its props", async () => {
  const Thing = new World().type();
  const late = gate<number>();
  const app = await new Stage().open();
  await app.run(async () => {
    const options: Changing = {};
    const first = Thing("first", { value: late.opened }, options);
    const second = Thing("second", { value: 2 });
    options.dependsOn = [second];
    const third = Thing("third", { value: 3 }, options);
    await second;
    late.open(1);
    await Promise.all([first, third]);
  });
  await app.finalize();
  expect(recordOf(app, "first")?.props).toEqual({ value: 1 });
  expect(recordOf(app, "third")?.props).toEqual({ value: 3 });
});
