/** Settles interrupted creates, by read or by another call, so that their leftovers can be deleted. */
import { describe, expect, test } from "vitest";
import type { EnginePlugin } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { newKind, type Thing, type World } from "../../helpers/apps/world.js";
import { loadFrom } from "../../helpers/stores/journals.js";

const refusing: EnginePlugin = {
  name: "refusing",
  apply: ({ hooks }) => hooks.beforeDelete.tap("refusing", ({ veto }) => veto("not now")),
};

/** A create took effect and its result was lost. The next run finds the object, may not delete it, and leaves it. */
async function foundAndKept(update: boolean, meanwhile?: (world: World) => void) {
  const { world, Thing, stage, lost } = newWorld({ read: true, update });
  await lost("create a", () => Thing("a", { value: 1 }));
  meanwhile?.(world);
  await stage.failures(() => {}, { plugins: [refusing] });
  world.news();
  return { world, Thing, stage };
}

describe("a found object that another program changed before", () => {
  const changed = (world: World): void => {
    const there = world.things.get("a#1");
    if (there) world.things.set("a#1", { ...there, value: "by somebody" });
  };

  test("becomes what is declared, and the plan says so", async () => {
    const { world, Thing, stage } = await foundAndKept(true, changed);
    const program = () => Thing("a", { value: 1 });
    const reason = expect.stringMatching(/^incomplete since .*: its create was interrupted, or /);
    expect((await stage.plan(program)).actions).toMatchObject([{ action: "update", reason }]);
    await stage.up(program);
    expect(world.news()).toEqual(["update a"]);
    expect(world.things.get("a#1")).toMatchObject({ value: 1 });
    await stage.up(program);
    expect(world.news()).toEqual([]);
  });

  test("has nothing of the interruption in its record where its type cannot update it", async () => {
    const { stage } = await foundAndKept(false, changed);
    const { contents } = await loadFrom(stage.store);
    expect(contents.at("a")).toMatchObject({ status: "ready", attempt: 0, since: undefined, error: undefined });
  });
});

test("what was found so is taken over by another type that can", async () => {
  const { world, stage } = await foundAndKept(true);
  const [{ kind }] = [...world.things.values()] as [Thing];
  const Other = Resource<{ readonly thing: string }, { readonly value?: unknown }>(newKind(), {
    create: ({ id }) => ({ thing: `${id} anew` }),
    read: ({ output }) => ({ thing: Object(output).thing }),
    update: ({ output }) => output,
    movesFrom: (former) => former === kind,
  });
  await stage.up(() => Other("b", { value: 1 }, { aliases: ["a"] }));
  expect(world.names).toEqual(["a#1"]);
});

type Parts = Readonly<Record<string, number>>;

describe("where another kind takes the place of an interrupted create, which is called once more,", () => {
  /** Idempotent types without read, so that their creates are called again; each has children. */
  function setUp() {
    const { world, Thing, stage } = newWorld();
    const lost = { value: true };
    const whole = () =>
      Resource<{ name: string }, { parts: Parts }>(newKind(), {
        idempotent: true,
        async create({ props: { parts } }) {
          for (const [name, value] of Object.entries(parts)) await Thing(name, { value });
          if (lost.value) throw new Error("lost");
          return { name: "whole" };
        },
        update: ({ output }) => output,
        delete: () => {},
      });
    const things = () => [...world.things.values()].map(({ fqn, value }) => `${fqn} ${value}`).sort();
    return { world, lost, stage, Old: whole(), New: whole(), things };
  }

  test.each<[string, Parts, Parts]>([
    ["are the same", { b: 1 }, { b: 1 }],
    ["have other values", { b: 1 }, { b: 2 }],
    ["are more", { b: 1 }, { a: 3, b: 2, c: 3 }],
    ["are fewer", { a: 1, b: 1, c: 1 }, { b: 2 }],
    ["are others", { a: 1 }, { b: 2 }],
  ])("its parts stay as they are where they %s", async (_what, before, after) => {
    const { world, lost, stage, Old, New, things } = setUp();
    await stage.failures(() => Old("d", { parts: before }));
    lost.value = false;
    const program = () => New("d", { parts: after });
    const app = await stage.up(program);
    expect(things()).toEqual(Object.entries(after).map(([name, value]) => `app/dev/d/${name} ${value}`));
    expect(stage.keys).toEqual(["d", ...Object.keys(after).map((name) => `d/${name}`)]);
    expect(recordsOf(app).every(({ status }) => status === "ready")).toBe(true);
    world.news();
    await stage.up(program);
    expect([stage.summary, world.news()]).toEqual([{ unchanged: 1 }, []]);
  });

  test("a part whose create was interrupted with it is not made a second time in order to be deleted", async () => {
    const { world, lost, stage, Old, New, things } = setUp();
    world.fails("create b");
    await stage.failures(() => Old("d", { parts: { a: 1, b: 1 } }));
    world.calm("create b");
    lost.value = false;
    world.news();
    await stage.up(() => New("d", { parts: {} }));
    expect(things()).toEqual([]);
    expect(world.news().filter((call) => call === "create b").length).toBeLessThanOrEqual(1);
  });
});
