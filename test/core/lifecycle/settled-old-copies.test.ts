/** An interrupted create of another kind, whose handler is called once more so that what it has left can be deleted. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, World } from "../../helpers/apps/world.js";

type Parts = Readonly<Record<string, number>>;

/** Kinds that know their tokens and have no read, so that their creates are called again; each has parts. */
function setUp() {
  const world = new World();
  const Thing = world.type();
  const Inner = Resource<{ id: string }, { parts: Parts }>(newKind(), {
    idempotent: true,
    async create({ id, props: { parts } }) {
      for (const [name, value] of Object.entries(parts)) await Thing(name, { value });
      return { id };
    },
    update: ({ output }) => output,
    delete: () => {},
  });
  const lost = { value: true };
  const whole = (declare: (props: { parts: Parts }) => Promise<unknown>) =>
    Resource<{ name: string }, { parts: Parts }>(newKind(), {
      idempotent: true,
      async create({ props }) {
        await declare(props);
        if (lost.value) throw new Error("lost");
        return { name: "whole" };
      },
      update: ({ output }) => output,
      delete: () => {},
    });
  const flat = () =>
    whole(async ({ parts }) => {
      for (const [name, value] of Object.entries(parts)) await Thing(name, { value });
    });
  return { world, lost, stage: new Stage(), flat, deep: () => whole((props) => Inner("inner", props)) };
}

const held = (app: Scope): readonly string[] =>
  recordsOf(app)
    .map(({ key, status }) => `${key} ${status}`)
    .sort();
const things = (world: World): readonly string[] =>
  [...world.things.values()].map(({ fqn, value }) => `${fqn.replace("app/dev/", "")} ${value}`).sort();

async function expectUnchanged(world: World, stage: Stage, program: () => unknown): Promise<void> {
  world.news();
  await stage.up(program);
  expect([stage.summary, world.news()]).toEqual([{ skipped: 1 }, []]);
}

describe("the parts of what has taken its place", () => {
  test.each<[string, Parts, Parts]>([
    ["are the same", { b: 1 }, { b: 1 }],
    ["have other values", { b: 1 }, { b: 2 }],
    ["are more", { b: 1 }, { a: 3, b: 2, c: 3 }],
    ["are fewer", { a: 1, b: 1, c: 1 }, { b: 2 }],
    ["are others", { a: 1 }, { b: 2 }],
  ])("stay as they are where they %s", async (_what, before, after) => {
    const { world, lost, stage, flat } = setUp();
    const [Old, New] = [flat(), flat()];
    await stage.failures(() => Old("d", { parts: before }));
    lost.value = false;
    const program = () => New("d", { parts: after });
    const app = await stage.up(program);
    const parts = Object.entries(after).map(([name, value]) => `d/${name} ${value}`);
    expect(things(world)).toEqual(parts);
    expect(held(app)).toEqual(["d ready", ...Object.keys(after).map((name) => `d/${name} ready`)]);
    await expectUnchanged(world, stage, program);
  });

  test("stay where the create is interrupted once more, and where it is not called again before the next run", async () => {
    const { world, lost, stage, flat } = setUp();
    const [Old, New] = [flat(), flat()];
    await stage.failures(() => Old("d", { parts: { a: 1, b: 1 } }));
    const program = async () => {
      lost.value = false;
      await New("d", { parts: { b: 2, c: 2 } });
      lost.value = true;
    };
    await stage.failures(program);
    expect(things(world).filter((one) => one.endsWith(" 2"))).toEqual(["d/b 2", "d/c 2"]);
    lost.value = false;
    const app = await stage.up(() => New("d", { parts: { b: 2, c: 2 } }));
    expect(things(world)).toEqual(["d/b 2", "d/c 2"]);
    expect(held(app)).toEqual(["d ready", "d/b ready", "d/c ready"]);
  });

  test("stay however deep they are", async () => {
    const { world, lost, stage, deep } = setUp();
    const [Old, New] = [deep(), deep()];
    await stage.failures(() => Old("d", { parts: { a: 1, b: 1 } }));
    lost.value = false;
    const program = () => New("d", { parts: { b: 2, c: 2 } });
    const app = await stage.up(program);
    expect(things(world)).toEqual(["d/inner/b 2", "d/inner/c 2"]);
    expect(held(app)).toEqual(["d ready", "d/inner ready", "d/inner/b ready", "d/inner/c ready"]);
    await expectUnchanged(world, stage, program);
  });
});

test("a part whose create was interrupted with it is not made a second time in order to be deleted", async () => {
  const { world, lost, stage, flat } = setUp();
  const [Old, New] = [flat(), flat()];
  world.fails("create b");
  await stage.failures(() => Old("d", { parts: { a: 1, b: 1 } }));
  world.calm("create b");
  lost.value = false;
  world.news();
  await stage.up(() => New("d", { parts: {} }));
  expect(things(world)).toEqual([]);
  expect(world.news().filter((call) => call === "create b").length).toBeLessThanOrEqual(1);
});
