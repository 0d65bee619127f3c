/** Declares far more resources at once than may run, and than one append takes. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { COUNT, ids, isMadeForHandlers, leavesWhatHasBegun, setUp, upTo, type Waiting } from "./admission-queue.js";

describe(`${COUNT} resources that are declared at once`, () => {
  leavesWhatHasBegun(COUNT);

  test("have an intent three times as many as run, and are created and updated in the order of the program", async () => {
    const stage = new Stage({ concurrency: 8 });
    let app: Scope | undefined;
    const { Thing, seen } = setUp(() => app as Scope);
    for (const [value, phase] of [
      [1, "create"],
      [2, "update"],
    ] as const) {
      Object.assign(seen, { calls: [], pending: 0 });
      app = await stage.open();
      await app.run(() => Promise.all(ids.map((id) => Thing(id, { value }))));
      await app.finalize();
      expect(seen.calls).toEqual(ids.map((id) => `${phase} ${id} ${value}`));
      expect(seen.pending).toBeGreaterThan(8);
      expect(seen.pending).toBeLessThanOrEqual(3 * 8);
    }
  });

  test("are what they were when they were declared, whatever the program does with its props", async () => {
    const stage = new Stage();
    const { Thing, seen } = setUp(() => app);
    const app = await stage.open();
    const props = { value: 0 };
    await app.run(() =>
      Promise.all(
        ids.map((id, index) => {
          props.value = index;
          return Thing(id, props);
        }),
      ),
    );
    expect(seen.calls).toEqual(ids.map((id, index) => `create ${id} ${index}`));
    await app.finalize();
  });

  test("stand side by side, so that a parallel destroy is as wide as they are", async () => {
    const stage = new Stage();
    const { Thing } = setUp(() => app);
    const app = await stage.open();
    await app.run(() => Promise.all(ids.map((id) => Thing(id, { value: 1 }))));
    const records = recordsOf(app);
    expect(records).toHaveLength(COUNT);
    expect(new Set(records.map(({ ready }) => ready.join())).size).toBe(1);
    await app.finalize();
  });

  test("all fail for themselves where they are vetoed", async () => {
    const veto = definePlugin({
      name: "veto",
      apply: ({ hooks }) => hooks.beforeApply.tap("veto", (change) => change.veto("no")),
    });
    const stage = new Stage({ plugins: [veto] });
    const { Thing, seen } = setUp(() => app);
    const app = await stage.open();
    const ends = await app.run(() => Promise.allSettled(ids.map((id) => Thing(id, { value: 1 }))));
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(COUNT);
    expect([seen.calls, recordsOf(app)]).toEqual([[], []]);
    await app.finalize().catch(() => {});
  });
});

/** Programs and plugins may wait for a late declaration, although thousands wait for their turn. */
describe("the last declaration", () => {
  const patience = COUNT;

  isMadeForHandlers(6_000);

  test("is made though a hook declares it that is asked about all others", async () => {
    const waiting: Waiting = { last: undefined };
    const Policy = Resource<object, object>(newKind(), { create: () => ({}), delete: () => {} });
    const asking = definePlugin({
      name: "asking",
      apply: ({ hooks }) =>
        hooks.beforeApply.tapPromise("asking", async ({ id }) => {
          if (id === "policy") return;
          waiting.last ??= Policy("policy", {});
          await waiting.last;
        }),
    });
    const { Thing } = setUp(() => app);
    const app = await new Stage({ plugins: [asking] }).open();
    await app.run(() => Promise.all(ids.slice(0, 6_000).map((id) => Thing(id, { value: 1 }))));
    expect(recordsOf(app)).toHaveLength(6_001);
    await app.finalize();
  });

  test("is made though thousands are looked for that wait for it", async () => {
    const waiting: Waiting = { last: undefined };
    const Found = Resource<object, object>(newKind(), {
      create: () => ({}),
      read: async () => void (await waiting.last),
      delete: () => {},
    });
    const stage = new Stage({ concurrency: patience });
    expect(recordsOf(await upTo(stage, waiting, (id) => Found(id, {}, { adopt: true })))).toHaveLength(6_001);
  });

  test("is made though thousands are deleted first that wait for it", async () => {
    const waiting: Waiting = { last: Promise.resolve() };
    const Old = Resource<object, { value: number }>(newKind(), {
      create: () => ({}),
      delete: async () => void (await waiting.last),
    });
    const stage = new Stage({ concurrency: patience, destroyStrategy: "parallel" });
    const declare = (value: number) => (id: string) => Old(id, { value }, { deleteBeforeReplace: true });
    await stage.up(() => Promise.all(ids.slice(0, 6_000).map(declare(1))));
    waiting.last = undefined;
    expect(recordsOf(await upTo(stage, waiting, declare(2)))).toHaveLength(6_001);
  });
});
