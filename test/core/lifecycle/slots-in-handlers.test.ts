import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";

describe("with one slot for handlers", () => {
  test.each(["", "x"])(
    "a handler's part (in the scope %o of its own) is deleted before it is made anew",
    async (scope) => {
      const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
      const program = (name: string) => () => {
        const part = () => Thing("b", { name }, { deleteBeforeReplace: true });
        for (const phase of ["create", "update"]) {
          world.on(`${phase} a`, async () => void (await (scope === "" ? part() : stage.engine.run(scope, part))));
        }
        return Thing("a", { value: name });
      };
      await stage.up(program("one"), { concurrency: 1 });
      world.news();
      await stage.up(program("other"), { concurrency: 1 });
      expect(world.news()).toEqual(["update a", "delete b", "create b"]);
    },
  );
});

describe("a handler that is called again only to settle what is to be deleted", () => {
  test("may defer something, which is not done any more", async () => {
    const { world, Thing, stage } = newWorld({ idempotent: true });
    let isSound = false;
    world.on("create a", async ({ scope }) => {
      if (!isSound) throw new Error("busy");
      const late = (scope as { defer(fn: () => unknown): Promise<unknown> }).defer(() => Thing("late"));
      void late.then(() => {});
    });
    await stage.failures(() => Thing("a"));
    isSound = true;
    world.news();
    const app = await stage.up();
    expect(world.news()).toEqual(["create a", "delete a"]);
    expect(recordsOf(app)).toEqual([]);
  });
});
