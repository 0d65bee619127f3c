import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

const parallel = { destroyStrategy: "parallel" } as const;

function setUp() {
  const world = new World();
  return { world, Thing: world.type(), stage: new Stage() };
}

/** Holds every delete up, and counts how many run at once. */
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
    // Something always is, but files take their time on a busy machine.
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

const ids = ["a", "b", "c", "d", "e", "f"];

describe("a destroy in parallel", () => {
  test("is as wide as the program was, and waits for nothing else", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async () => {
      await Thing("a");
      await Promise.all([Thing("b"), Thing("c"), Thing("d")]);
      await Promise.all([Thing("e"), Thing("f")]);
    });
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.open({ phase: "destroy", ...parallel });
    expect(await now()).toEqual(["e", "f"]);
    open("e");
    expect(await now()).toEqual(["f"]);
    open("f");
    expect(await now()).toEqual(["b", "c", "d"]);
    open("b", "c", "d");
    expect(await now()).toEqual(["a"]);
    open("a");
    await (await destroyed).finalize();
    expect(world.names).toEqual([]);
  });

  test("runs branches of a program beside each other, each in its own order", async () => {
    const { world, Thing, stage } = setUp();
    const branch = async (first: string, second: string) => {
      const output = await Thing(first);
      await Thing(second, { uses: output });
    };
    await stage.up(() => Promise.all([branch("a", "b"), branch("c", "d")]));
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.open({ phase: "destroy", ...parallel });
    expect(await now()).toEqual(["b", "d"]);
    open("b", "d");
    expect(await now()).toEqual(["a", "c"]);
    open("a", "c");
    await (await destroyed).finalize();
  });

  test("respects references that the program gave besides its order", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => {
      const a = Thing("a");
      const b = Thing("b", { uses: a });
      return Promise.all([a, b, Thing("c", {}, { dependsOn: [a] })]);
    });
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.open({ phase: "destroy", ...parallel });
    expect(await now()).toEqual(["b", "c"]);
    open("b");
    expect(await now()).toEqual(["c"]);
    open("c");
    expect(await now()).toEqual(["a"]);
    open("a");
    await (await destroyed).finalize();
  });

  test("takes no more places than there are", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Promise.all(ids.map((id) => Thing(id))));
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.open({ phase: "destroy", ...parallel, concurrency: 2 });
    expect(await now()).toHaveLength(2);
    open(...ids);
    await (await destroyed).finalize();
  });
});

describe("a prune", () => {
  test("follows the strategy", async () => {
    for (const [destroyStrategy, width] of [
      ["sequential", 1],
      ["parallel", 3],
    ] as const) {
      const { world, Thing, stage } = setUp();
      await stage.up(() => Promise.all([Thing("a"), Thing("b"), Thing("c")]));
      const { now, open } = holdDeletes(world, ids);
      const app = await stage.open({ destroyStrategy });
      const finalized = app.finalize();
      expect(await now()).toHaveLength(width);
      open(...ids);
      await finalized;
    }
  });
});

describe("a destroy in sequence", () => {
  test("deletes one at a time, latest first, though the program ran in parallel", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async () => {
      await Promise.all([Thing("a"), Thing("b")]);
      await Thing("c");
    });
    const { now, open } = holdDeletes(world, ids);
    const destroyed = stage.open({ phase: "destroy" });
    expect(await now()).toEqual(["c"]);
    open("c");
    const [next = "", ...more] = await now();
    expect(more).toEqual([]);
    open(next);
    expect([next, ...(await now())].sort()).toEqual(["a", "b"]);
    open("a", "b");
    await (await destroyed).finalize();
  });

  /** Deletes of siblings that were declared together, and resolved in another order; two of them in a scope of their own. */
  async function deletedAfter(destroy: (stage: Stage) => Promise<unknown>) {
    const { world, Thing, stage } = setUp();
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
    ["a destroy of the stage", async (stage) => (await stage.open({ phase: "destroy" })).finalize()],
    ["a prune", (stage) => stage.up(() => {})],
    ["a destroy of their scope", (stage) => stage.up(() => stage.engine.run("s", () => stage.engine.destroy()))],
  ])("deletes siblings that were declared together in the reverse order: %s", async (_, destroy) => {
    expect(await deletedAfter(destroy)).toEqual(["delete e", "delete d", "delete c", "delete b", "delete a"]);
  });

  test.each<[string, number]>([
    ["are unchanged", 0],
    ["are updated", 1],
  ])("deletes what was added to a Promise.all later before the others of it, where these %s", async (_, value) => {
    const { world, Thing, stage } = setUp();
    const built = (more: readonly string[], now: number) => async () => {
      await Thing("first");
      await Promise.all([Thing("a", { value: now }), Thing("b", { value: now }), ...more.map((id) => Thing(id))]);
      await Thing("last");
    };
    await stage.up(built([], 0));
    await stage.up(built(["c", "d"], value));
    await stage.up(built(["c", "d", "e"], value));
    world.news();
    await (await stage.open({ phase: "destroy" })).finalize();
    expect(world.news()).toEqual(["last", "e", "d", "c", "b", "a", "first"].map((id) => `delete ${id}`));
  });

  test("is what a scope says for itself when it is destroyed", async () => {
    const { world, Thing, stage } = setUp();
    const { now, open } = holdDeletes(world, ids);
    const app = await stage.open();
    const running = app.run(() =>
      stage.engine.run("s", parallel, async (scope) => {
        await Promise.all([Thing("a"), Thing("b")]);
        await stage.engine.destroy(scope);
      }),
    );
    expect(await now()).toEqual(["a", "b"]);
    open("a", "b");
    await running;
    await app.finalize();
  });
});
