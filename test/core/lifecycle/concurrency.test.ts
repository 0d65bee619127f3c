import { describe, expect, test } from "vitest";
import { ConcurrencySlot, Limiter } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { quiet } from "../../helpers/time/gate.js";

/** Counts handlers that run and do not wait for children. */
class Meter {
  most = 0;
  #now = 0;

  async work(): Promise<void> {
    this.most = Math.max(this.most, ++this.#now);
    await quiet(1);
    this.#now--;
  }
}

describe("concurrency", () => {
  test("limits how many handlers run at once", async () => {
    const { world, Thing, stage } = newWorld({}, { concurrency: 3 });
    const meter = new Meter();
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    for (const id of ids) world.on(`create ${id}`, () => meter.work());
    await stage.up(() => Promise.all(ids.map((id) => Thing(id))));
    expect(meter.most).toBe(3);
    expect(world.things.size).toBe(20);
  });

  test.each([1, 2])("of %i is enough for children three deep, in sequence and at once", async (concurrency) => {
    const { world, Thing, stage } = newWorld({}, { concurrency, destroyStrategy: "parallel" });
    const meter = new Meter();
    const nest = (id: string, depth: number): void => {
      const children = depth === 0 ? [] : ["x", "y", "z"].map((name) => `${id}${name}`);
      for (const child of children) nest(child, depth - 1);
      world.on(`create ${id}`, async () => {
        await meter.work();
        const [first, ...rest] = children;
        if (first) await Thing(first);
        await Promise.all(rest.map((child) => Thing(child)));
        await meter.work();
      });
    };
    for (const id of ["a", "b"]) nest(id, 3);
    const app = await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(recordsOf(app)).toHaveLength(2 * (1 + 3 + 9 + 27));
    expect(meter.most).toBe(concurrency);
    await stage.destroy();
    expect(world.names).toEqual([]);
  });

  test("of one is enough for children that are not awaited", async () => {
    const { world, Thing, stage } = newWorld({}, { concurrency: 1 });
    world.on("create a", () => void [Thing("b"), Thing("c")]);
    world.on("create b", () => void Thing("d"));
    await stage.up(() => Promise.all([Thing("a"), Thing("e")]));
    expect(world.calls.toSorted()).toEqual(["create a", "create b", "create c", "create d", "create e"]);
  });

  test("goes back to a parent whose child is done before anybody new gets a place", async () => {
    const { world, Thing, stage } = newWorld({}, { concurrency: 1 });
    world.on("create a", async () => void (await Thing("child")));
    await stage.up((app) => {
      world.on("create child", () => void app.run(() => Thing("late")));
      return Thing("a");
    });
    const told = stage.told.filter((line) => !line.endsWith("child"));
    expect(told).toEqual(["started a", "created a", "started late", "created late"]);
  });
});

describe("a place", () => {
  const free = (limiter: Limiter): number => {
    let count = 0;
    while (limiter.acquire() === undefined) count++;
    return count;
  };

  test.each([
    "end",
    "lend giveBack end",
    "lend end giveBack",
    "lend lend giveBack giveBack lend wait giveBack wait end",
  ])("comes back once, whatever its handler and the handler's children did in which order: %s", async (history) => {
    const limiter = new Limiter(2);
    const place = await ConcurrencySlot.take(limiter);
    for (const step of history.split(" ")) {
      if (step === "wait") await quiet(1);
      else place[step as "lend" | "giveBack" | "end"]();
    }
    await quiet();
    expect(free(limiter)).toBe(2);
  });

  test("of a handler that has ended while it waited for its place is free", async () => {
    const limiter = new Limiter(1);
    const parent = await ConcurrencySlot.take(limiter);
    parent.lend();
    const other = await ConcurrencySlot.take(limiter);
    parent.giveBack();
    parent.end();
    other.end();
    await quiet();
    expect(free(limiter)).toBe(1);
  });

  test("that was lent is taken back before others get one, once the last child has given it back", async () => {
    const limiter = new Limiter(1);
    const order: string[] = [];
    const take = async (name: string): Promise<ConcurrencySlot> => {
      const place = await ConcurrencySlot.take(limiter);
      order.push(name);
      return place;
    };
    const parent = await take("parent");
    parent.lend();
    parent.lend();
    const children = [await take("child"), take("other child")] as const;
    const other = take("other");
    parent.giveBack();
    children[0].end();
    const child = await children[1];
    parent.giveBack();
    child.end();
    await quiet(1);
    expect(order).toEqual(["parent", "child", "other child"]);
    parent.end();
    (await other).end();
  });

  test("that is lent again while its handler waits for it goes to whom it is lent", async () => {
    const limiter = new Limiter(1);
    const parent = await ConcurrencySlot.take(limiter);
    parent.lend();
    const child = await ConcurrencySlot.take(limiter);
    parent.giveBack();
    parent.lend();
    const other = ConcurrencySlot.take(limiter);
    child.end();
    (await other).end();
    parent.giveBack();
    await quiet(1);
    parent.end();
    expect(free(limiter)).toBe(1);
  });

  test("that is lent and given back while its handler waits for it comes back once", async () => {
    const limiter = new Limiter(1);
    const parent = await ConcurrencySlot.take(limiter);
    parent.lend();
    const child = await ConcurrencySlot.take(limiter);
    parent.giveBack();
    parent.lend();
    parent.giveBack();
    child.end();
    await quiet(1);
    parent.end();
    await quiet(1);
    expect(free(limiter)).toBe(1);
  });

  test("is waited for by a hundred thousand at no cost that grows", async () => {
    const limiter = new Limiter(1);
    const first = await ConcurrencySlot.take(limiter);
    const all = Array.from({ length: 100_000 }, async () => (await ConcurrencySlot.take(limiter)).end());
    first.end();
    await Promise.all(all);
    expect(free(limiter)).toBe(1);
  });
});

/** Needs a name: it throws if `then` or other code derives a promise from it. */
class Job extends Promise<{ value: number }> {
  constructor(name: unknown) {
    if (typeof name !== "string") throw new TypeError("A job needs a name.");
    super((resolve) => setTimeout(() => resolve({ value: 1 }), 5));
  }
}

test("a handler that returns a promise of a class of its own keeps no place from others", async () => {
  const Thing = Resource<{ value: number }, object>(newKind(), {
    create: ({ id }) => (id === "job" ? new Job("job") : { value: 2 }),
    delete: () => {},
  });
  const app = await new Stage({ concurrency: 1 }).open();
  const results = await app.run(() => Promise.allSettled([Thing("job", {}), Thing("other", {})])).catch(String);
  expect(results).toMatchObject([{}, { status: "fulfilled", value: { value: 2 } }]);
  await app.finalize().catch(() => {});
});
