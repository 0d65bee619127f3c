import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

const [READ, CREATE, UPDATE] = ["read a", "create a", "update a"];
const setUp = (type: TypeOptions = {}) => newWorld({ verify: true, ...type });

interface Look {
  readonly type?: TypeOptions;
  /** The value that others gave it; undefined if they deleted it. */
  readonly there: number | undefined;
  readonly declared: number;
  readonly calls: readonly (string | undefined)[];
  readonly summary: object;
  /** Output and changes that the update was given. */
  readonly seen?: readonly unknown[];
}

describe("a type that is looked at on every up", () => {
  const drifted = { thing: "a#1", value: 7 };

  test.each<[string, Look]>([
    ["is skipped where all is as recorded", { there: 1, declared: 1, calls: [READ], summary: { unchanged: 1 } }],
    [
      "is updated if another program changed it, and gets the real values",
      { there: 7, declared: 1, calls: [READ, UPDATE], summary: { updated: 1 }, seen: [drifted, []] },
    ],
    [
      "is updated from what is there where its props changed as well",
      { there: 7, declared: 2, calls: [READ, UPDATE], summary: { updated: 1 }, seen: [drifted, ["/value"]] },
    ],
    [
      "is created again, under its uid, where it is gone",
      { there: undefined, declared: 1, calls: [READ, CREATE], summary: { created: 1 } },
    ],
    [
      "is created again where it is gone and its props changed as well",
      { there: undefined, declared: 2, calls: [READ, CREATE], summary: { created: 1 } },
    ],
    [
      "is replaced where it differs and its type has no update",
      {
        type: { update: false },
        there: 7,
        declared: 1,
        calls: [READ, CREATE, "delete a"],
        summary: { replaced: 1, deleted: 1 },
      },
    ],
  ])("%s", async (_what, { type, there, declared, calls, summary, seen = [] }) => {
    const { world, Thing, stage } = setUp(type);
    await stage.up(() => Thing("a", { value: 1 }));
    const [first, thing] = [stage.record("a"), world.things.get("a#1")];
    world.things.clear();
    if (thing && there !== undefined) world.things.set("a#1", { ...thing, value: there });
    world.news();
    const told: unknown[] = [];
    world.on("update a", ({ output, changes }) => void told.push(output, changes));
    await stage.up(() => Thing("a", { value: declared }));
    expect([world.news(), stage.summary, told]).toEqual([calls, summary, seen]);
    const [name = "", ...others] = world.names;
    expect([others, world.things.get(name)?.value]).toEqual([[], declared]);
    const { uid, ...now } = stage.record("a") ?? {};
    expect(now).toMatchObject({
      status: "ready",
      props: { value: declared },
      output: { thing: name, value: declared },
    });
    expect(uid === first?.uid).toBe(!("replaced" in summary));
    await stage.up(() => Thing("a", { value: declared }));
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("is created again where it went away in the middle of an update", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", () => {
      world.things.clear();
      throw new Error("it went away");
    });
    await stage.failures(() => Thing("a", { value: 2 }));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.calls).toEqual([CREATE, READ, UPDATE, READ, CREATE]);
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: 2 }, lastGood: undefined });
  });

  test("fails with its name where the look fails, and nothing is changed", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("read a", "no network");
    expect(await stage.failures(() => Thing("a", { value: 2 }))).toMatchObject([
      { code: "HANDLER_FAILED", fqn: "app/dev/a", message: expect.stringContaining("no network") },
    ]);
    expect(world.calls).toEqual([CREATE, READ]);
  });
});
