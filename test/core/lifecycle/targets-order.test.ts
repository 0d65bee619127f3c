/** The order of deletes after a run with targets. */

import { expect, test } from "vitest";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";

async function deletedIn({ world, stage }: NewWorld): Promise<string[]> {
  world.news();
  await stage.destroy();
  return world.news().map((call) => call.replace("delete ", ""));
}

test.each<[string, string[], string[], string[], string[]]>([
  [
    "what a targeted run leaves out is deleted before what it was made from, which that run has moved",
    ["a", "b", "c"],
    ["c", "n", "a"],
    ["**/a", "**/n"],
    ["c", "b", "a", "n"],
  ],
  ["what is left out takes its children along", ["a", "c"], ["c", "n", "a"], ["**/a", "**/n"], ["part", "c", "a", "n"]],
  [
    "what is made from a resource that is left out is deleted before it, also where that one has moved",
    ["a", "c"],
    ["c", "n", "a", "m"],
    ["**/a", "**/n", "**/m"],
    ["m", "c", "a", "n"],
  ],
])("%s", async (what, before, after, target, deleted) => {
  const there = newWorld();
  const { world, Thing, stage } = there;
  if (what.includes("children")) world.on("create c", async () => void (await Thing("part")));
  const program = (ids: readonly string[], value: number) => async () => {
    for (const id of ids) await Thing(id, { value });
  };
  await stage.up(program(before, 1));
  await stage.up(program(after, 2), { target });
  expect(await deletedIn(there)).toEqual(deleted);
});

test("what is left out keeps its place where nothing moves", async () => {
  const there = newWorld();
  const { Thing, stage } = there;
  const program = (value: number) => async () => {
    const a = await Thing("a");
    await Thing("b", { value: a.thing });
    await Thing("c", { value });
  };
  await stage.up(program(1));
  await stage.up(program(2), { target: ["**/c"] });
  expect(await deletedIn(there)).toEqual(["c", "b", "a"]);
});
