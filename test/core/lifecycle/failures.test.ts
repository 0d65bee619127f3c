import { describe, expect, test } from "vitest";
import { EngineError, RunFailedError } from "../../../core/base/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { gate } from "../../helpers/time/gate.js";

describe("a failure", () => {
  test("leaves those in flight to finish", async () => {
    const { world, Thing, stage } = newWorld();
    const slow = gate();
    world.fails("create a");
    world.on("create b", () => slow.opened);
    const app = await stage.open();
    await expect(app.run(() => Promise.all([Thing("a"), Thing("b")]))).rejects.toThrow("no create a");
    const finalized = app.finalize();
    slow.open();
    await expect(finalized).rejects.toMatchObject({ name: "RunFailedError" });
    expect(stage.record("b")).toMatchObject({ status: "ready" });
    expect(world.names).toEqual(["b#1"]);
  });

  test("gives the run its code, if it is the only one", async () => {
    const { world, Thing, stage } = newWorld();
    world.fails("create a");
    const failed = { name: "RunFailedError", code: "HANDLER_FAILED", fqn: "app/dev" };
    await expect(stage.up(() => Thing("a"))).rejects.toMatchObject(failed);
    const odd = stage.up(() => Promise.reject(new TypeError("Odd.")));
    await expect(odd).rejects.toMatchObject({ name: "RunFailedError", code: "RUN_FAILED" });
  });

  test("comes out of finalize with all the others, each with its resource and its cause", async () => {
    const { world, Thing, stage } = newWorld();
    const cause = new TypeError("odd");
    world.on("create a", () => {
      throw cause;
    });
    world.fails("create b");
    const run = stage.up(() => Promise.allSettled([Thing("a"), Thing("b"), Thing("c")]));
    const error: unknown = await run.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error).toMatchObject({
      code: "RUN_FAILED",
      fqn: "app/dev",
      message: expect.stringMatching(/app\/dev\/a.*odd[\s\S]*app\/dev\/b.*no create b/),
      errors: [{ fqn: "app/dev/a", code: "HANDLER_FAILED", cause }, { fqn: "app/dev/b" }],
      cause: expect.any(AggregateError),
    });
  });

  test("fails the run although the program caught it, and nothing is pruned", async () => {
    const { world, Thing, stage, failed } = newWorld();
    await stage.up(() => Thing("old"));
    expect(await failed("create a", () => Thing("a").catch(() => "never mind"))).toHaveLength(1);
    expect(world.names).toEqual(["old#1"]);
  });

  test("of the program fails the run, and nothing is pruned", async () => {
    const { world, Thing, stage, run } = newWorld();
    await stage.up(() => Thing("old"));
    const why = new Error("in the program");
    const throwing = () => {
      throw why;
    };
    expect(await stage.failures(throwing)).toEqual([why]);
    expect(await stage.failures(() => run("s", throwing).catch(() => {}))).toEqual([why]);
    expect(await stage.failures(async (app) => void (await app.run(throwing).catch(() => {})))).toEqual([why]);
    expect(world.names).toEqual(["old#1"]);
  });

  test("that passes through scopes on its way up is reported once", async () => {
    const { Thing, failed, run } = newWorld();
    const errors = await failed("create a", () => run("s", () => run("t", () => Thing("a"))));
    expect(errors).toMatchObject([{ fqn: "app/dev/s/t/a" }]);
  });

  test("of several that a program throws together are reported one by one", async () => {
    const { world, Thing, stage } = newWorld();
    for (const id of ["a", "b"]) world.fails(`create ${id}`);
    const errors = await stage.failures(() => Promise.any([Thing("a"), Thing("b")]));
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }, { fqn: "app/dev/b" }]);
  });

  test("of a resource that was not awaited does not end the process, and comes out of finalize", async () => {
    const { Thing, failed } = newWorld();
    expect(await failed("create a", () => void Thing("a"))).toMatchObject([{ fqn: "app/dev/a" }]);
  });

  test.each([
    ["a string", "plain", { code: "HANDLER_FAILED", cause: "plain" }],
    ["an object", { code: 7 }, { code: "HANDLER_FAILED", cause: { code: 7 } }],
    ["an EngineError, which keeps its code", new EngineError("COMMAND_FAILED", "exit 1"), { code: "COMMAND_FAILED" }],
  ])("may be %s", async (_, thrown, expected) => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", () => Promise.reject(thrown));
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ ...expected, fqn: "app/dev/a" }]);
  });
});

describe("failing deletes", () => {
  test.each(["sequential", "parallel"] as const)("are all tried and all told (%s)", async (destroyStrategy) => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Promise.all([Thing("a"), Thing("b"), Thing("c")]));
    for (const id of ["a", "c"]) world.fails(`delete ${id}`);
    const errors = await stage.failures(() => {}, { destroyStrategy });
    expect(errors.map((error) => Reflect.get(Object(error), "fqn")).sort()).toEqual(["app/dev/a", "app/dev/c"]);
    expect(world.names).toEqual(["a#1", "c#3"]);
  });
});

/** A handler may throw any value: it fails its resource, and the engine reports that value. */
const refusing = (): never => {
  throw new Error("not for your eyes");
};

class Odd extends Error {
  override get message(): string {
    return refusing();
  }

  override get stack(): string {
    return refusing();
  }
}

/** Throws, when it is read, an error that cannot be read either. */
const refusingTwice = (): never => {
  throw new Odd();
};

const odd: Readonly<Record<string, () => unknown>> = {
  "an error whose message cannot be read": () => new Odd(),
  "an object that is no text": () => ({ toString: refusing }),
  "an object that says so in an error whose message cannot be read": () => ({ toString: refusingTwice }),
  "an object without a prototype": () => Object.create(null),
  "what nobody may look at": () =>
    new Proxy({}, { get: refusing, has: refusing, ownKeys: refusing, getPrototypeOf: refusing }),
};

describe.each(Object.entries(odd))("%s, when it is thrown", (_, make) => {
  test("by a handler, fails that resource, whose record stays", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", () => {
      throw make();
    });
    const failures = await stage.failures(() => Promise.allSettled([Thing("a"), Thing("b")]));
    expect(failures).toMatchObject([
      { code: "HANDLER_FAILED", fqn: "app/dev/a", message: expect.stringContaining("something that cannot be read") },
    ]);
    expect(stage.told).toContain("failed a");
    expect(stage.told).toContain("created b");
    world.calm();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(world.names).toHaveLength(2);
  });

  test("by the program, fails the run", async () => {
    const stage = new Stage();
    const failures = await stage.failures(() => {
      throw make();
    });
    expect(failures).toMatchObject([{ message: expect.stringContaining("something that cannot be read") }]);
  });
});

test.each([undefined, null])("%s, when it is thrown, is reported as not an error", async (nothing) => {
  const { world, Thing, stage } = newWorld();
  world.on("create a", () => Promise.reject(nothing));
  const message = `create of "app/dev/a" failed: it threw ${nothing} instead of an error`;
  expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "HANDLER_FAILED", message }]);
  const failures = await new Stage().failures(() => Promise.reject(nothing));
  expect(failures).toMatchObject([{ message: `it threw ${nothing} instead of an error` }]);
});

test("a message of two million characters is cut, in what is thrown, told and recorded", async () => {
  const { world, Thing, stage } = newWorld();
  world.fails("create a", "x".repeat(2e6));
  const error: unknown = await stage.up(() => Thing("a")).catch((thrown: unknown) => thrown);
  const { message } = error as Error;
  expect(message).toContain("more characters)");
  expect(message.length).toBeLessThan(12_000);
  const size = JSON.stringify(stage.events).length;
  expect(size).toBeLessThan(60_000);
  let stored = 0;
  for await (const key of stage.store.list("")) stored += (await stage.store.get(key))?.length ?? 0;
  expect(stored).toBeLessThan(60_000);
});

test("a scope that is named by a symbol is refused as any other bad name", async () => {
  const stage = new Stage();
  const run = Reflect.get(stage.engine, "run");
  const failures = await stage.failures(() => Reflect.apply(run, undefined, [Symbol("a"), () => {}]));
  expect(failures).toMatchObject([{ code: "INVALID_NAME", message: expect.stringContaining("of type symbol") }]);
});
