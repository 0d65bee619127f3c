/** Separates ownership: props belong to the program, records to the state, and the handler gets its own copy. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { ResourceOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf } from "../../helpers/apps/stage.js";
import { gate } from "../../helpers/time/gate.js";

describe("a handler gets what is recorded", () => {
  test("whatever the program does to its object after the call", async () => {
    const { world, Thing, stage } = newWorld();
    const app = await stage.up(() => {
      const props = { value: 0 };
      return Promise.all(
        ["a", "b", "c"].map((id, value) => {
          props.value = value;
          return Thing(id, props);
        }),
      );
    });
    expect([...world.things.values()].map(({ value }) => value)).toEqual([0, 1, 2]);
    expect(["a", "b", "c"].map((id) => recordOf(app, id)?.props)).toEqual([{ value: 0 }, { value: 1 }, { value: 2 }]);
  });

  test("whatever the program does to it while a promise in it is awaited", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => {
      const props = { value: 1, uses: Promise.resolve("x") };
      const made = Thing("a", props);
      props.value = 2;
      return made;
    });
    expect(world.things.get("a#1")?.value).toBe(1);
  });

  test("and what it does to it, neither the program nor another resource sees", async () => {
    const { world, Thing, stage } = newWorld();
    for (const id of ["a", "b"]) {
      world.on(`create ${id}`, ({ props }) => void Reflect.set(Object(Object(props).value), "owner", id));
    }
    const program = async (): Promise<void> => {
      const shared = { size: 1 };
      for (const id of ["a", "b"]) await Thing(id, { value: shared });
      expect(shared).toEqual({ size: 1 });
    };
    await stage.up(program);
    await stage.up(program);
    expect(stage.summary).toEqual({ unchanged: 2 });
  });

  test("whatever a hook does to what it was shown", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up((app) => {
      app.hooks.beforeApply.tap("meddling", ({ props }) => void Reflect.set(Object(props), "value", "hacked"));
      return Thing("a", { value: 1 });
    });
    expect(world.things.get("a#1")?.value).toBe(1);
  });
});

test("promises are found in plain objects of another realm", async () => {
  const { world, Thing, stage } = newWorld();
  const props = runInNewContext("({ value: Promise.resolve(7) })");
  await stage.up(() => Thing("a", props));
  expect(world.things.get("a#1")?.value).toBe(7);
});

test("a getter that throws fails the resource, with its name", async () => {
  const { Thing, stage } = newWorld();
  const props = {
    get value(): number {
      throw new Error("cannot get it");
    },
  };
  expect(await stage.failures(() => Thing("a", props))).toMatchObject([
    { code: "INVALID_PROPS", fqn: "app/dev/a", message: expect.stringContaining("cannot get it") },
  ]);
});

describe("options of a resource are refused that", () => {
  test.each([
    ["are null", null, "options that are null"],
    ["name a dependency as text", { dependsOn: "net" }, '"dependsOn" that is a string'],
    ["list texts", { dependsOn: ["net"] }, "must be a list of declared resources"],
    ["list nothing", { dependsOn: [undefined] }, "must be a list of declared resources"],
    ["adopt by text", { adopt: "yes" }, '"adopt" that is a string. It must be true or false'],
    ["nobody knows", { retyr: 3 }, '"retyr", which does not exist. Did you mean "retry"?'],
    ["name a path by number", { ignoreChanges: [1] }, "must be a list of paths"],
    ["name one path and no list", { replaceOnChanges: "size" }, "must be a list of paths"],
    ["have an empty alias", { aliases: [""] }, "must be a list of ids"],
    ["take no time", { timeout: 0 }, '"timeout" that is 0. It must be a number of milliseconds'],
    ["take more time than there is", { timeout: 2 ** 31 }, "must be a number of milliseconds"],
    ["try never", { retry: 0 }, "must be a whole number of attempts"],
    ["try and half a time", { retry: { attempts: 1.5 } }, "must be a whole number of attempts"],
    ["try by another word", { retry: { attempts: 2, backoff: 3 } }, "{ attempts, delay, maxDelay, when }"],
    ["destroy in their own way", { destroyStrategy: "fast" }, '"sequential" or "parallel"'],
  ])("%s", async (_what, options, message) => {
    const { Thing, stage } = newWorld();
    expect(await stage.failures(() => Thing("a", {}, options as never))).toMatchObject([
      { code: "INVALID_OPTION", fqn: "app/dev/a", message: expect.stringContaining(message) },
    ]);
  });

  test("while resources, what they gave, lists and promises of them are taken", async () => {
    const { Thing, stage } = newWorld();
    const app = await stage.up(async () => {
      const [a, b] = await Promise.all([Thing("a"), Thing("b")]);
      const c = Thing("c");
      await Thing("d", {}, { dependsOn: [a, [b] as never, c, (async () => c)()] });
    });
    expect(recordOf(app, "d")?.refs).toHaveLength(3);
  });
});

/** The options object belongs to the program, which may reuse it for the next declaration. */
type Changing = { -readonly [N in keyof ResourceOptions]: ResourceOptions[N] };

test("what a resource depends on may be taken away once it is declared", async () => {
  const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
  const program = (isShared: boolean) => async () => {
    const options: Changing = { dependsOn: [Thing("net", { value: 1 })] };
    const db = Thing("db", { value: 2, name: "main" }, options);
    if (isShared) options.dependsOn = undefined;
    await Promise.all([db, Thing("log", { value: 3 }, options)]);
  };
  await stage.up(program(false));
  world.news();
  const app = await stage.up(program(true));
  expect(recordOf(app, "db")?.props).toEqual({ value: 2, name: "main" });
  expect(world.news()).toEqual([]);
});

test("and another may get one while the first still waits for its props", async () => {
  const { Thing, stage } = newWorld();
  const late = gate<number>();
  await stage.up(async () => {
    const options: Changing = {};
    const first = Thing("first", { value: late.opened }, options);
    const second = Thing("second", { value: 2 });
    options.dependsOn = [second];
    const third = Thing("third", { value: 3 }, options);
    await second;
    late.open(1);
    await Promise.all([first, third]);
  });
  expect(stage.record("first")?.props).toEqual({ value: 1 });
  expect(stage.record("third")?.props).toEqual({ value: 3 });
});
