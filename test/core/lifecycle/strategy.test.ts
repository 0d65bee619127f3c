import { describe, expect, test } from "vitest";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import type { Stage } from "../../helpers/apps/stage.js";
import type { World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

const parallel = { destroyStrategy: "parallel" } as const;

/** Holds every delete, and counts how many run at once. */
function holdDeletes(world: World, ids: readonly string[]) {
  const gates = new Map(ids.map((id) => [id, gate()]));
  const running = new Set<string>();
  for (const [id, { opened }] of gates) {
    world.on(`delete ${id}`, async () => {
      running.add(id);
      await opened;
      running.delete(id);
    });
  }
  const now = async (): Promise<string[]> => {
    // One always starts, but files take time on a busy machine.
    do await quiet(1);
    while (running.size === 0);
    await quiet();
    return [...running].sort();
  };
  const open = (...some: string[]): void => {
    for (const id of some) gates.get(id)?.open();
  };
  return { now, open };
}

type Type = NewWorld["Thing"];

const ids = ["a", "b", "c", "d", "e", "f"];

describe("a destroy in parallel", () => {
  test.each<[string, (Thing: Type) => Promise<unknown>, [running: string, ended: string][]]>([
    [
      "is as wide as the program was, and waits for nothing else",
      async (Thing) => {
        await Thing("a");
        await Promise.all([Thing("b"), Thing("c"), Thing("d")]);
        await Promise.all([Thing("e"), Thing("f")]);
      },
      [
        ["ef", "e"],
        ["f", "f"],
        ["bcd", "bcd"],
        ["a", "a"],
      ],
    ],
    [
      "runs branches of a program beside each other, each in its own order",
      (Thing) => {
        const branch = async (first: string, second: string) => Thing(second, { uses: await Thing(first) });
        return Promise.all([branch("a", "b"), branch("c", "d")]);
      },
      [
        ["bd", "bd"],
        ["ac", "ac"],
      ],
    ],
    [
      "respects references that the program gave besides its order",
      (Thing) => {
        const a = Thing("a");
        return Promise.all([a, Thing("b", { uses: a }), Thing("c", {}, { dependsOn: [a] })]);
      },
      [
        ["bc", "b"],
        ["c", "c"],
        ["a", "a"],
      ],
    ],
  ])("%s", async (_what, program, steps) => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => program(Thing));
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.destroy(parallel);
    for (const [running, ended] of steps) {
      expect(await now()).toEqual([...running]);
      open(...ended);
    }
    await destroyed;
    expect(world.names).toEqual([]);
  });

  test("takes no more places than there are", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Promise.all(ids.map((id) => Thing(id))));
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.destroy({ ...parallel, concurrency: 2 });
    expect(await now()).toHaveLength(2);
    open(...ids);
    await destroyed;
  });
});

test.each([
  ["sequential", 1],
  ["parallel", 3],
] as const)("a prune follows the strategy: %s", async (destroyStrategy, width) => {
  const { world, Thing, stage } = newWorld();
  await stage.up(() => Promise.all([Thing("a"), Thing("b"), Thing("c")]));
  const { now, open } = holdDeletes(world, ids);
  const pruned = stage.up(() => {}, { destroyStrategy });
  expect(await now()).toHaveLength(width);
  open(...ids);
  await pruned;
});

describe("a destroy in sequence", () => {
  test("deletes one at a time, latest first, though the program ran in parallel", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(async () => {
      await Promise.all([Thing("a"), Thing("b")]);
      await Thing("c");
    });
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.destroy();
    expect(await now()).toEqual(["c"]);
    open("c");
    const [next = "", ...more] = await now();
    expect(more).toEqual([]);
    open(next);
    expect([next, ...(await now())].sort()).toEqual(["a", "b"]);
    open("a", "b");
    await destroyed;
  });

  /** Deletes siblings that were declared together and resolved in another order; two of them are in their own scope. */
  async function deletedAfter(destroy: (stage: Stage) => Promise<unknown>) {
    const { world, Thing, stage } = newWorld();
    const slow = gate();
    for (const id of ["a", "b", "c", "d"]) world.on(`create ${id}`, () => slow.opened);
    world.after("create e", slow.open);
    const built = () =>
      stage.engine.run("s", async () => {
        const all = [Thing("a")];
        await stage.engine.run("t", () => void all.push(Thing("b"), Thing("c")));
        await Promise.all([...all, Thing("d"), Thing("e")]);
      });
    await stage.up(built);
    await stage.up(built);
    world.news();
    await destroy(stage);
    return world.news();
  }

  test.each<[string, (stage: Stage) => Promise<unknown>]>([
    ["a destroy of the stage", (stage) => stage.destroy()],
    ["a prune", (stage) => stage.up(() => {})],
    ["a destroy of their scope", (stage) => stage.up(() => stage.engine.run("s", () => stage.engine.destroy()))],
  ])("deletes siblings that were declared together in the reverse order: %s", async (_, destroy) => {
    expect(await deletedAfter(destroy)).toEqual(["delete e", "delete d", "delete c", "delete b", "delete a"]);
  });

  test.each<[string, number]>([
    ["are unchanged", 0],
    ["are updated", 1],
  ])("deletes what was added to a Promise.all later before the others of it, where these %s", async (_, value) => {
    const { world, Thing, stage } = newWorld();
    const built = (more: readonly string[], now: number) => async () => {
      await Thing("first");
      await Promise.all([Thing("a", { value: now }), Thing("b", { value: now }), ...more.map((id) => Thing(id))]);
      await Thing("last");
    };
    await stage.up(built([], 0));
    await stage.up(built(["c", "d"], value));
    await stage.up(built(["c", "d", "e"], value));
    world.news();
    await stage.destroy();
    expect(world.news()).toEqual(["last", "e", "d", "c", "b", "a", "first"].map((id) => `delete ${id}`));
  });

  test("is what a scope says for itself when it is destroyed", async () => {
    const { world, Thing, stage } = newWorld();
    const { now, open } = holdDeletes(world, ids);
    const running = stage.up(() =>
      stage.engine.run("s", parallel, async (scope) => {
        await Promise.all([Thing("a"), Thing("b")]);
        await stage.engine.destroy(scope);
      }),
    );
    expect(await now()).toEqual(["a", "b"]);
    open("a", "b");
    await running;
  });
});
