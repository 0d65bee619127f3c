import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

describe("promises in props", () => {
  test("are awaited at any depth before the handler runs", async () => {
    const { world, Thing, stage } = newWorld();
    const late = gate<number>();
    const value = { list: [Promise.resolve(1), { deep: late.opened }], plain: 3 };
    const running = stage.up(() => Thing("a", { value }));
    await quiet();
    expect(world.calls).toEqual([]);
    late.open(2);
    await running;
    expect(world.things.get("a#1")?.value).toEqual({ list: [1, { deep: 2 }], plain: 3 });
  });

  test.each<[string, object, unknown]>([
    ["stand for all of the props", Promise.resolve({ value: 1 }), 1],
    [
      "give objects with promises inside",
      { value: Promise.resolve({ inner: [Promise.resolve("x")] }) },
      { inner: ["x"] },
    ],
  ])("may %s", async (_what, props, value) => {
    const { Thing, stage } = newWorld();
    await stage.up(async () => expect((await Thing("a", props)).value).toEqual(value));
  });

  test("leave the program's own objects as they are", async () => {
    const { Thing, stage } = newWorld();
    const value = { promise: Promise.resolve(1) };
    await stage.up(() => Thing("a", { value }));
    expect(value.promise).toBeInstanceOf(Promise);
  });

  test("that reject fail the resource, which is named, and no handler runs", async () => {
    const { world, Thing, stage } = newWorld();
    const why = new Error("no answer");
    const errors = await stage.failures(() => Thing("a", { value: Promise.reject(why) }));
    expect(errors).toMatchObject([{ code: "INVALID_PROPS", fqn: "app/dev/a", cause: why }]);
    expect(errors[0]).toHaveProperty("message", expect.stringContaining("no answer"));
    expect(world.calls).toEqual([]);
  });

  test("of an object that holds itself are not searched for ever", async () => {
    const { Thing, stage } = newWorld();
    const value: { self?: unknown; again?: unknown } = {};
    value.self = value;
    value.again = [value, value];
    const errors = await stage.failures(() => Thing("a", { value }));
    expect(errors).toMatchObject([{ code: "UNSERIALIZABLE", fqn: "app/dev/a" }]);
  });
});

describe("props that cannot be encoded", () => {
  test("fail the resource with its name and their path, and leave nothing behind", async () => {
    const { world, Thing, stage } = newWorld();
    const message = expect.stringMatching(/app\/dev\/a.*deep/);
    expect(await stage.failures(() => Thing("a", { value: { deep: [() => 1] } }))).toMatchObject([
      { code: "UNSERIALIZABLE", fqn: "app/dev/a", message },
    ]);
    expect([stage.keys, world.calls]).toEqual([[], []]);
  });
});

describe("an array with members beside its elements", () => {
  test.each<[string, (list: unknown[]) => unknown]>([
    ["as it is", (list) => list],
    ["with a promise in it", (list) => Object.assign([Promise.resolve(1)], list, { 0: Promise.resolve(1) })],
    ["as the result of a promise", (list) => Promise.resolve(list)],
  ])("is refused by its path in props, %s, also where its elements are what is recorded", async (_, pass) => {
    const { Thing, stage } = newWorld();
    await stage.up(() => Thing("a", { value: { list: [1] } }));
    const message = expect.stringContaining("$.value.list.total: it is an extra property of an array");
    const list = Object.assign([1], { total: 1 });
    expect(await stage.failures(() => Thing("a", { value: { list: pass(list) } }))).toMatchObject([
      { code: "UNSERIALIZABLE", fqn: "app/dev/a", message },
    ]);
  });
});

describe("what a resource depends on is recorded", () => {
  test.each<[string, (dep: PromiseLike<object>, output: object) => object]>([
    ["as a pending resource in its props", (dep) => ({ uses: dep })],
    ["as a pending resource deep in its props", (dep) => ({ uses: { list: [{ dep }] } })],
    ["as an output in its props", (_, output) => ({ uses: output })],
    ["as an output deep in its props", (_, output) => ({ uses: [[output]] })],
    ["as an output that a promise in its props gives", (_, output) => ({ uses: Promise.resolve({ output }) })],
  ])("%s", async (_, props) => {
    const { Thing, stage } = newWorld();
    for (let run = 0; run < 2; run++) {
      const app = await stage.up(async () => {
        const dep = Thing("dep", { value: "d" });
        const output = await dep;
        expect((await Thing("a", props(dep, output))).thing).toMatch(/^a#/);
      });
      expect(recordOf(app, "a")?.refs).toEqual([recordOf(app, "dep")?.uid]);
      expect(stage.summary).toEqual(run === 0 ? { created: 2 } : { unchanged: 2 });
    }
  });

  test("by dependsOn, which waits for it", async () => {
    const { world, Thing, stage } = newWorld();
    const app = await stage.up(async () => {
      const first = Thing("first");
      const second = await Thing("second");
      await Thing("a", {}, { dependsOn: [first, second] });
    });
    const uids = ["first", "second"].map((key) => recordOf(app, key)?.uid);
    expect(recordOf(app, "a")?.refs?.toSorted()).toEqual(uids.sort());
    expect(world.calls.at(-1)).toBe("create a");
  });

  test("once for each resource, and never as a reference to itself", async () => {
    const { Thing, stage } = newWorld();
    const program = async () => {
      const dep = await Thing("dep");
      const self = await Thing("a", { uses: [dep, dep] });
      await Thing("a", { uses: [dep, self] });
    };
    const app = await stage.up(program, { reapply: true });
    expect(recordOf(app, "a")?.refs).toEqual([recordOf(app, "dep")?.uid]);
  });

  test("anew where only the reference changes, without a call of the handler", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Promise.all([Thing("dep"), Thing("a")]));
    world.news();
    const app = await stage.up(() => Thing("a", {}, { dependsOn: [Thing("dep")] }));
    expect(recordOf(app, "a")?.refs).toEqual([recordOf(app, "dep")?.uid]);
    const last = await stage.up(() => Promise.all([Thing("dep"), Thing("a")]));
    expect(recordOf(last, "a")?.refs).toBeUndefined();
    expect(world.calls).toEqual([]);
  });

  test("and is not taken from objects that a program and a handler share", async () => {
    const { world, Thing, stage } = newWorld();
    const shared = { value: 1 };
    world.on("create a", () => ({ thing: "a", ...shared }));
    const app = await stage.up(async () => {
      await Thing("a", shared);
      await Thing("b", shared);
    });
    expect(recordOf(app, "b")?.refs).toBeUndefined();
  });
});

describe("a resource whose dependency failed", () => {
  test("fails with the error of its input, is reported once, and its handler never runs", async () => {
    const { world, Thing, stage } = newWorld();
    world.fails("create dep");
    const rejections: unknown[] = [];
    const errors = await stage.failures(async () => {
      const dep = Thing("dep");
      const dependents = [Thing("a", { uses: dep }), Thing("b", {}, { dependsOn: [dep] })];
      for (const { status, ...rest } of await Promise.allSettled(dependents)) {
        rejections.push(status, "reason" in rest ? rest.reason : undefined);
      }
    });
    expect(errors).toMatchObject([{ code: "HANDLER_FAILED", fqn: "app/dev/dep" }]);
    expect(rejections).toEqual(["rejected", errors[0], "rejected", errors[0]]);
    expect(world.calls).toEqual(["create dep"]);
    expect(stage.told).toEqual(["started dep", "failed dep"]);
    expect(stage.summary).toEqual({ failed: 1 });
  });
});

describe("a pending resource", () => {
  test("cannot be put into a string by mistake", async () => {
    const { Thing, stage } = newWorld();
    await stage.up(async () => {
      const pending = Thing("a");
      for (const careless of [() => `${pending}`, () => JSON.stringify({ pending }), () => `x${String(pending)}`]) {
        expect(careless).toThrow(expect.objectContaining({ code: "PENDING_IN_STRING", fqn: "app/dev/a" }));
      }
    });
  });
});
