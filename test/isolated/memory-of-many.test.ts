/** Objects that a run keeps for each resource, by count: waiting declarations, replaced records, deletes ahead. */
import { createHook } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { withResolvers } from "../../core/base/index.js";
import { Resource } from "../../core/resource/index.js";
import { appOf } from "../../core/run/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { newKind } from "../helpers/apps/world.js";
import { gc } from "../helpers/processes/gc.js";

interface Props {
  readonly size: number;
}

/** Number of the objects that are still reachable. */
async function kept(objects: readonly WeakRef<object>[]): Promise<number> {
  // A reference keeps its object until the end of the turn that made or read it.
  await nextTurn();
  gc();
  return objects.filter((object) => object.deref() !== undefined).length;
}

function type(create: (props: Props) => unknown) {
  return Resource<{ size: number }, Props>(newKind(), {
    create: async ({ props }) => {
      await create(props);
      return { size: props.size };
    },
    update: ({ props }) => ({ size: props.size }),
    delete: () => {},
  });
}

describe("a declaration that waits for its turn", () => {
  /** Promises that exist once so many are declared, and a handler has begun. */
  async function promisesWith(count: number): Promise<number> {
    const begun = withResolvers<void>();
    let promises = 0;
    const counting = createHook({ init: (_id, kind) => void (kind === "PROMISE" && promises++) });
    const Thing = type(() => {
      counting.disable();
      begun.resolve(undefined);
    });
    await new Stage({ concurrency: 50 }).up(async () => {
      await nextTurn();
      counting.enable();
      const all = Array.from({ length: count }, (_, size) => Thing(`r${size}`, { size }));
      await begun.promise;
      await Promise.all(all);
    });
    return promises;
  }

  test("adds no promise besides the one that the program has", async () => {
    const [few, many] = [await promisesWith(500), await promisesWith(1_000)];
    // Fifty that get their turn together share one.
    expect((many - few) / 500).toBeLessThan(1.05);
  });

  test("does not keep the program's props", async () => {
    const props: WeakRef<Props>[] = [];
    let alive: number | undefined;
    const Thing = type(async () => {
      alive ??= await kept(props);
    });
    await new Stage({ concurrency: 1 }).up(() =>
      Promise.all(
        Array.from({ length: 200 }, (_, size) => {
          const own = { size };
          props.push(new WeakRef(own));
          return Thing(`r${size}`, own);
        }),
      ),
    );
    expect(alive).toBeLessThan(10);
  });
});

test("a run that updates many resources does not keep the records that it has replaced", async () => {
  const Thing = type(() => {});
  const COUNT = 6_000;
  const declare = (more: number): Promise<unknown> =>
    Promise.all(Array.from({ length: COUNT }, (_, at) => Thing(`r${at}`, { size: at + more })));
  const stage = new Stage();
  await stage.up(() => declare(0));
  let alive: number | undefined;
  await stage.up(async (app) => {
    const { records } = appOf(app).ledger.contents;
    const before = [...records.values()].map((record) => new WeakRef(record));
    expect(before.length).toBe(COUNT);
    await declare(1);
    alive = await kept(before);
  });
  expect(alive).toBeLessThan(COUNT / 4);
});

test("a parallel destroy begins a few deletes more than can run at once, and deletes all", async () => {
  const CONCURRENCY = 3;
  let ahead = 0;
  let deleted = 0;
  const Thing = Resource<object, Props>(newKind(), {
    create: () => ({}),
    delete: async ({ scope }) => {
      if (deleted++ > 0) return;
      await nextTurn();
      const records = [...appOf(scope).ledger.contents.records.values()];
      ahead = records.filter(({ status }) => status === "deleting").length;
    },
  });
  const stage = new Stage({ concurrency: CONCURRENCY, destroyStrategy: "parallel" });
  await stage.up(() => Promise.all(Array.from({ length: 500 }, (_, size) => Thing(`r${size}`, { size }))));
  await stage.destroy();
  expect(deleted).toBe(500);
  expect(ahead).toBeGreaterThan(CONCURRENCY);
  expect(ahead).toBeLessThan(10 * CONCURRENCY);
});
