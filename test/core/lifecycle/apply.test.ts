import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

describe.each([
  { form: "one function", short: true },
  { form: "an object of handlers", short: false },
])("a resource type of $form", ({ short }) => {
  test("creates, skips, updates and prunes", async () => {
    const { world, Thing, stage } = newWorld({ short });
    const declared = (value: number) => () => Thing("a", { value });
    for (const [program, calls, summary] of [
      [declared(1), ["create a"], { created: 1 }],
      [declared(1), [], { unchanged: 1 }],
      [declared(2), ["update a"], { updated: 1 }],
      [() => {}, ["delete a"], { deleted: 1 }],
    ] as const) {
      await stage.up(program);
      expect([world.news(), stage.summary]).toEqual([calls, summary]);
    }
    expect(world.names).toEqual([]);
  });

  test("gives the same output whether its handler ran or not", async () => {
    const { Thing, stage } = newWorld({ short });
    const value = { at: new Date(0), list: [undefined, 1n] };
    const outputs: unknown[] = [];
    for (let run = 0; run < 2; run++) await stage.up(async () => outputs.push(await Thing("a", { value })));
    expect(outputs[0]).toEqual({ thing: "a#1", value });
    expect(outputs[1]).toStrictEqual(outputs[0]);
  });

  test("is updated under force although nothing changed, and under the force of its scope alone", async () => {
    const { world, Thing, stage, run } = newWorld({ short });
    const program = (force: boolean) => async () => {
      await Thing("a");
      await run("forced", { force }, () => Thing("b"));
    };
    await stage.up(program(false));
    world.news();
    await stage.up(program(true));
    expect(world.news()).toEqual(["update b"]);
    await stage.up(program(false), { force: true });
    expect(world.news()).toContain("update a");
  });

  test("may give nothing", async () => {
    const stage = new Stage();
    const seen: unknown[] = [];
    const kind = newKind();
    const Empty = short
      ? Resource<void, object>(kind, function () {
          seen.push(this.phase, this.output);
          if (this.phase === "delete") this.destroy();
        })
      : Resource<void, object>(kind, {
          create: ({ phase }) => void seen.push(phase, undefined),
          delete: ({ phase, output }) => void seen.push(phase, output),
        });
    await stage.up(async (app) => seen.push(await Empty("e"), await app.has("e")));
    await stage.up(() => Empty("e"));
    await stage.up();
    expect(seen).toEqual(["create", undefined, undefined, true, "delete", undefined]);
  });
});

test("a resource type without delete is dropped from the state when it is no longer declared", async () => {
  const { world, Thing, stage } = newWorld({ delete: false });
  await stage.up(() => Thing("a"));
  await stage.up();
  expect(world.calls).toEqual(["create a"]);
  expect(stage.told).toEqual(["started a", "deleted a"]);
  expect(stage.keys).toEqual([]);
});

describe("a declaration", () => {
  test("is made without props where the type asks for none", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", {}));
    await stage.up(() => Thing("a", undefined));
    expect(world.calls).toEqual(["create a"]);
  });

  test("shows its resource among the scope's", async () => {
    const { Thing, stage } = newWorld();
    await stage.up(async (app) => {
      const pending = Thing("a");
      expect(app.resources.get("a")).toBe(pending);
      expect([pending.id, pending.kind, pending.fqn, pending.scope]).toEqual(["a", Thing.kind, "app/dev/a", app]);
      expect(await app.has("a")).toBe(false);
      await pending;
      expect(await app.has("a", Thing.kind)).toBe(true);
      expect(await app.has("a", "another")).toBe(false);
    });
  });
});
