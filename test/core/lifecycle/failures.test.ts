import { describe, expect, test } from "vitest";
import { EngineError, RunFailedError } from "../../../core/base/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

/** An app in which the program has failed. */
async function failing(stage: Stage, program: () => unknown) {
  const app = await stage.open();
  await app.run(program).catch(() => {});
  return app;
}

describe("a failure", () => {
  test("leaves those in flight to finish", async () => {
    const { world, Thing, stage } = setUp();
    const slow = gate();
    world.fails("create a");
    world.on("create b", () => slow.opened);
    const app = await stage.open();
    await expect(app.run(() => Promise.all([Thing("a"), Thing("b")]))).rejects.toThrow("no create a");
    const finalized = app.finalize();
    slow.open();
    await expect(finalized).rejects.toMatchObject({ name: "RunFailedError" });
    expect(recordOf(app, "b")).toMatchObject({ status: "ready" });
    expect(world.names).toEqual(["b#1"]);
  });

  test("gives the run its code, if it is the only one", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    const finalized = (await failing(stage, () => Thing("a"))).finalize();
    await expect(finalized).rejects.toMatchObject({ name: "RunFailedError", code: "HANDLER_FAILED", fqn: "app/dev" });
    const odd = (await failing(stage, () => Promise.reject(new TypeError("Odd.")))).finalize();
    await expect(odd).rejects.toMatchObject({ name: "RunFailedError", code: "RUN_FAILED" });
  });

  test("comes out of finalize with all the others, each with its resource and its cause", async () => {
    const { world, Thing, stage } = setUp();
    const cause = new TypeError("odd");
    world.on("create a", () => {
      throw cause;
    });
    world.fails("create b");
    const app = await stage.open();
    await app.run(() => Promise.allSettled([Thing("a"), Thing("b"), Thing("c")]));
    const error = await app.finalize().catch((reason: unknown) => reason);
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
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("old"));
    world.fails("create a");
    const errors = await stage.failures(() => Thing("a").catch(() => "never mind"));
    expect(errors).toHaveLength(1);
    expect(world.names).toEqual(["old#1"]);
  });

  test("of the program fails the run, and nothing is pruned", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("old"));
    const why = new Error("in the program");
    const throwing = () => {
      throw why;
    };
    expect(await stage.failures(throwing)).toEqual([why]);
    expect(await stage.failures(() => stage.engine.run("s", throwing).catch(() => {}))).toEqual([why]);
    expect(await stage.failures(async (app) => void (await app.run(throwing).catch(() => {})))).toEqual([why]);
    expect(world.names).toEqual(["old#1"]);
  });

  test("that passes through scopes on its way up is told once", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    const errors = await stage.failures(() => stage.engine.run("s", () => stage.engine.run("t", () => Thing("a"))));
    expect(errors).toMatchObject([{ fqn: "app/dev/s/t/a" }]);
  });

  test("of several that a program throws together are told one by one", async () => {
    const { world, Thing, stage } = setUp();
    for (const id of ["a", "b"]) world.fails(`create ${id}`);
    const errors = await stage.failures(() => Promise.any([Thing("a"), Thing("b")]));
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }, { fqn: "app/dev/b" }]);
  });

  test("of a resource that nobody awaited ends no process, and comes out of finalize", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    const errors = await stage.failures(() => {
      Thing("a");
    });
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }]);
  });

  test.each([
    ["a string", "plain", "plain"],
    ["nothing much", null, { message: "it threw null, and no error that says why" }],
    ["an object", { code: 7 }, { code: 7 }],
  ])("may be %s", async (_, thrown, cause) => {
    const { world, Thing, stage } = setUp();
    world.on("create a", () => Promise.reject(thrown));
    const app = await stage.open();
    await expect(app.run(() => Thing("a"))).rejects.toMatchObject({
      code: "HANDLER_FAILED",
      fqn: "app/dev/a",
      cause,
    });
    await expect(app.finalize()).rejects.toThrow();
  });

  test("keeps the code of an EngineError that a handler throws", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", () => Promise.reject(new EngineError("COMMAND_FAILED", "exit 1")));
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "COMMAND_FAILED", fqn: "app/dev/a" }]);
  });
});

describe("failing deletes", () => {
  test("block only what must come after them", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async () => {
      await Thing("base");
      await Promise.all([Thing("a"), Thing("b"), Thing("c")]);
    });
    world.news();
    world.fails("delete b");
    expect(await stage.failures(() => {})).toMatchObject([{ fqn: "app/dev/b" }]);
    expect(world.calls.toSorted()).toEqual(["delete a", "delete b", "delete c"]);
    expect(world.names).toEqual(["b#3", "base#1"].sort());
    expect(stage.heard("resource:retained")).toMatchObject([{ id: "base", reason: '"app/dev/b" is still there' }]);
    expect(stage.summary).toEqual({ deleted: 2, failed: 1, retained: 1 });
  });

  test.each(["sequential", "parallel"] as const)("are all tried and all told (%s)", async (destroyStrategy) => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Promise.all([Thing("a"), Thing("b"), Thing("c")]));
    for (const id of ["a", "c"]) world.fails(`delete ${id}`);
    const errors = await stage.failures(() => {}, { destroyStrategy });
    expect(errors.map((error) => Reflect.get(Object(error), "fqn")).sort()).toEqual(["app/dev/a", "app/dev/c"]);
    expect(world.names).toEqual(["a#1", "c#3"]);
  });
});
