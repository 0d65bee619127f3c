import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, World } from "../../helpers/apps/world.js";

function setUp(taken: unknown) {
  const world = new World();
  const Old = world.type();
  const calls: string[] = [];
  const New = Resource<{ readonly thing: string }, { readonly value?: unknown }>(newKind(), {
    create: ({ id }) => ({ thing: `${id} anew` }),
    read({ output, recordedKind }) {
      calls.push(recordedKind === Old.kind ? `read ${Object(output).thing}` : "read");
      return taken ? { thing: `${Object(output).thing} taken over` } : undefined;
    },
    update: ({ output }) => output,
    movesFrom: (kind) => kind === Old.kind,
  });
  return { world, Old, New, calls, stage: new Stage() };
}

describe("a resource of another kind, under an alias", () => {
  test("is taken over by a type that can, and not replaced", async () => {
    const { world, Old, New, calls, stage } = setUp(true);
    await stage.up(() => Old("old", { value: 1 }));
    const app = await stage.up(() => New("new", { value: 1 }, { aliases: ["old"] }));
    expect([stage.summary, calls, world.names]).toEqual([{ skipped: 1 }, ["read old#1"], ["old#1"]]);
    expect(recordOf(app, "new")).toMatchObject({ kind: New.kind, output: { thing: "old#1 taken over" } });
    await stage.up(() => New("new", { value: 1 }));
    expect([stage.summary, calls.length]).toEqual([{ skipped: 1 }, 1]);
  });

  test("is replaced where its type finds nothing to take over", async () => {
    const { world, Old, New, stage } = setUp(false);
    await stage.up(() => Old("old"));
    await stage.up(() => New("new", {}, { aliases: ["old"] }));
    expect([stage.summary, world.names]).toEqual([{ replaced: 1, deleted: 1 }, []]);
  });

  test("is not taken over by a plan, which says what is to come", async () => {
    const { Old, New, stage } = setUp(true);
    await stage.up(() => Old("old", { value: 1 }));
    const options = { stage: "dev", argv: [], env: {}, stateStore: stage.store };
    const plan = await stage.engine.plan("app", options, () => New("new", { value: 2 }, { aliases: ["old"] }));
    expect(plan.actions).toMatchObject([{ action: "update", id: "new" }]);
    const app = await stage.up(() => Old("old", { value: 1 }));
    expect([stage.summary, recordOf(app, "old")?.kind]).toEqual([{ skipped: 1 }, Old.kind]);
  });
});
