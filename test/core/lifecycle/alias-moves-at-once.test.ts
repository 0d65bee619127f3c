/** Two aliases at once: one moves a resource with its children to names that the other one frees. */
import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import type { Stage } from "../../helpers/apps/stage.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";

interface Sizes {
  /** Number of children of `new/child`, which the program declared itself. */
  readonly mine: number;
  /** Number of children of `old/child`, which the handler of `old` declared. */
  readonly parts: number;
  /** True if another record already has the name that a child would move to. */
  readonly isTaken?: boolean;
}

async function setUp({ mine, parts, isTaken = false }: Sizes) {
  const { world, Thing, stage } = newWorld();
  world.on("create old", async () => void (await Thing("child")));
  world.on("create child", async ({ fqn }) => {
    const count = fqn.includes("/old/") ? parts : mine;
    for (let at = 0; at < count; at++) await Thing(`x${at}`);
  });
  const child = () => stage.engine.run("new", () => Thing("child", { value: "mine" }));
  await stage.up(async () => {
    await Thing("old");
    await child();
    if (isTaken) await stage.engine.run("free", () => Thing("x0"));
  });
  world.news();
  const renamed = () => Thing("new", {}, { aliases: ["old"] });
  const away = () => Thing("free", { value: "mine" }, { aliases: ["app/dev/new/child"] });
  const orders = { "the one that moves away first": [away, renamed], "the other one first": [renamed, away] };
  return { world, Thing, stage, child, orders };
}

async function keysIn(stage: Stage): Promise<readonly string[]> {
  return recorded(await loadFrom(stage.store)).sort();
}

describe.each(["the one that moves away first", "the other one first"] as const)("with %s", (order) => {
  test.each([
    { mine: 0, parts: 0 },
    { mine: 1, parts: 1 },
    { mine: 3, parts: 1 },
    { mine: 1, parts: 3 },
    { mine: 3, parts: 0 },
    { mine: 0, parts: 3 },
  ])("parts of what moves away, $mine, are not in the way of $parts", async ({ mine, parts }) => {
    const { world, stage, orders } = await setUp({ mine, parts });
    const program = () => Promise.all(orders[order].map((declare) => declare()));
    await stage.up(program);
    expect(world.news()).toEqual([]);
    const keys = await keysIn(stage);
    expect(keys.filter((key) => key.startsWith("new"))).toHaveLength(2 + parts);
    expect(keys.filter((key) => key.startsWith("free"))).toHaveLength(1 + mine);
    await stage.up(program);
    expect(world.news()).toEqual([]);
  });

  test("a resource that cannot move away still blocks: nothing moves, and the suggested way out loses nothing", async () => {
    const { world, Thing, stage, child, orders } = await setUp({ mine: 1, parts: 0, isTaken: true });
    const before = await keysIn(stage);
    const failures = await stage.failures(() => Promise.all(orders[order].map((declare) => declare())));
    expect(failures.map((error) => Reflect.get(Object(error), "code"))).toEqual(["ALIAS_CONFLICT", "ALIAS_CONFLICT"]);
    expect(await keysIn(stage)).toEqual(before);
    await stage.up(() => Thing("old").then(child));
    expect(world.news()).toEqual(["delete x0"]);
    expect(await keysIn(stage)).toEqual(before.filter((key) => key !== "free/x0"));
  });
});

test("two that are in each other's way do not wait for each other for ever", async () => {
  const { world, Thing, stage } = newWorld();
  for (const id of ["x", "y"]) world.on(`create ${id}`, async () => void (await Thing("p")));
  const both = () => Promise.all(["x", "y"].map((id) => Thing(id)));
  await stage.up(both);
  await stage.up(async () => {
    await both();
    for (const name of ["x2", "y2"]) await stage.engine.run(name, () => Thing("p", { value: name }));
  });
  world.news();
  await stage.up(() =>
    Promise.all([
      Thing("x2", {}, { aliases: ["x"] }),
      Thing("y2", {}, { aliases: ["y"] }),
      Thing("y3", { value: "x2" }, { aliases: ["app/dev/x2/p"] }),
      Thing("x3", { value: "y2" }, { aliases: ["app/dev/y2/p"] }),
    ]),
  );
  expect(world.news()).toEqual([]);
  expect(await keysIn(stage)).toEqual(["x2", "x2/p", "x3", "y2", "y2/p", "y3"]);
});
