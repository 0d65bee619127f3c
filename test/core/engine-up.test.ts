import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { untyped } from "../helpers/apps/options.ts";
import { recordsOf, Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";
import { gate } from "../helpers/time/gate.ts";

const PATIENT = { lockTimeout: 60_000 } as const;

function setUp() {
  const world = new World();
  const stateStore = memoryStore();
  const stage = (): Stage => new Stage({ stateStore });
  const names = async (): Promise<string[]> => {
    const app = await stage().open({ phase: "read" });
    await app.finalize();
    return recordsOf(app)
      .map(({ key }) => key)
      .sort();
  };
  return { world, Thing: world.type(), stateStore, stage, names };
}

function up<T>(stage: Stage, program: (scope: Scope) => Promise<T> | T, options: EngineOptions = {}) {
  return stage.upInOne(program, options);
}

describe("engine.up()", () => {
  test("runs the program in the root scope, prunes, and gives its result and the summary", async () => {
    const { world, Thing, stage } = setUp();
    await up(stage(), () => Promise.all([Thing("a"), Thing("b")]));
    const { result, summary } = await up(stage(), async (scope) => {
      await Thing("a", { value: 2 });
      return scope.chain.join("/");
    });
    expect(result).toBe("app/dev");
    expect(summary).toMatchObject({ updated: 1, deleted: 1, created: 0 });
    expect(world.names).toEqual(["a#1"]);
  });

  test("releases the stage if the program throws, prunes nothing, and rethrows", async () => {
    const { world, Thing, stage, names } = setUp();
    await up(stage(), () => Promise.all([Thing("a"), Thing("b")]));
    const thrown = new TypeError("No.");
    const failing = up(stage(), async () => {
      await Thing("a", { value: 2 });
      throw thrown;
    });
    expect(await rejection(failing)).toBe(thrown);
    expect(await names()).toEqual(["a", "b"]);
    const { summary } = await up(stage(), () => Thing("a", { value: 2 }));
    expect(summary).toMatchObject({ unchanged: 1, deleted: 1 });
    expect(world.names).toEqual(["a#1"]);
  });

  test("fails with all that has failed where the program awaited none of it", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    const failing = up(stage(), () => void Thing("a").catch(() => {}));
    expect(await rejection(failing)).toMatchObject({ name: "RunFailedError", errors: [{ code: "HANDLER_FAILED" }] });
    world.calm();
    await up(stage(), () => Thing("a"));
    expect(world.names).toEqual(["a#1"]);
  });

  test("is ended by its signal, and releases the stage", async () => {
    const { world, Thing, stage } = setUp();
    const controller = new AbortController();
    world.on("create a", () => controller.abort());
    const program = async () => {
      await Thing("a");
      await Thing("b");
    };
    expect(await rejection(up(stage(), program, { signal: controller.signal }))).toMatchObject({ code: "ABORTED" });
    expect(world.names).toEqual(["a#1"]);
    await up(stage(), program);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("leaves the code around it in the scope where it was", async () => {
    const { Thing, stage } = setUp();
    const around = await new Stage().open();
    await up(stage(), () => Thing("inside"));
    await Thing("outside");
    await around.finalize();
    expect(recordsOf(around).map(({ key }) => key)).toEqual(["outside"]);
  });

  test("refuses a program that is not a function before it opens anything", async () => {
    const { stage } = setUp();
    expect(await rejection(Reflect.apply(stage().engine.up, undefined, ["app", {}, "program"]))).toMatchObject({
      code: "INVALID_CALL",
    });
  });

  test("rejects as engine() does, and leaves nothing live", async () => {
    const { stage } = setUp();
    expect(await rejection(up(stage(), () => {}, { concurrency: 0 }))).toMatchObject({ code: "INVALID_OPTION" });
    await up(stage(), () => {});
  });
});

describe("a run that another one was quicker than", () => {
  /** The first run waits until the others have read the state; then all of them change the same resource. */
  async function atOnce(count: number, options: EngineOptions) {
    const { world, Thing, stage, names } = setUp();
    const stages = Array.from({ length: count }, stage);
    const read = stages.map(() => gate());
    const runs = stages.map((one, number) =>
      up(
        one,
        async () => {
          read[number]?.open();
          await Promise.all(read.map(({ opened }) => opened));
          await Thing("counter", { value: number });
        },
        options,
      ),
    );
    return { world, names, stages, ended: await Promise.allSettled(runs) };
  }

  test("is run again by itself, so that as many as come at once all succeed", async () => {
    const { world, stages, ended } = await atOnce(4, PATIENT);
    expect(ended.map(({ status }) => status)).toEqual(Array(4).fill("fulfilled"));
    expect(world.names).toHaveLength(1);
    expect(world.calls.filter((call) => call.startsWith("create"))).toHaveLength(1);
    const repeated = stages.filter((one) => one.heard("run:repeated").length > 0);
    expect(repeated.length).toBeGreaterThan(0);
    for (const one of repeated) {
      expect(one.heard("resource:failed")).toEqual([]);
      expect(one.heard("run:finished")).toMatchObject([{ ok: true }]);
      expect(one.heard("run:started")).toHaveLength(2);
    }
  });

  test("fails where lockTimeout has passed", async () => {
    const { ended } = await atOnce(2, { lockTimeout: 0 });
    const [failed] = ended.filter((one) => one.status === "rejected");
    expect(failed?.reason).toMatchObject({ code: expect.stringMatching(/STATE_MOVED|STATE_LOCKED/) });
  });

  test("is not run again once it has changed something", async () => {
    const { Thing, stage } = setUp();
    let runs = 0;
    await up(
      stage(),
      async () => {
        runs++;
        await Thing("mine");
        // The inner run waits for the outer one, which holds the stage, or fails. It changes nothing in parallel.
        expect(await rejection(up(stage(), () => Thing("other")))).toMatchObject({ code: "STATE_LOCKED" });
      },
      PATIENT,
    );
    expect(runs).toBe(1);
  });
});

describe('lock: "eager"', () => {
  test("takes the turn before the program runs, so that no other run can be quicker", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage().open({ lock: "eager" });
    expect(await rejection(up(stage(), () => Thing("a")))).toMatchObject({ code: "STATE_LOCKED" });
    expect(world.calls).toEqual([]);
    await app.run(() => Thing("a", { value: 1 }));
    await app.finalize();
    await up(stage(), () => Thing("a", { value: 2 }));
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test("waits for one that has it, and goes on from what that has recorded", async () => {
    const { world, Thing, stage } = setUp();
    const first = stage();
    const holder = await first.open({ lock: "eager" });
    const second = up(stage(), () => Thing("a", { value: 1 }), { lock: "eager", ...PATIENT });
    await holder.run(() => Thing("a", { value: 1 }));
    await holder.finalize();
    expect((await second).summary).toMatchObject({ unchanged: 1 });
    expect(world.calls).toEqual(["create a"]);
  });

  test("has nothing to do with plans and the phase read, which take no turn", async () => {
    const { Thing, stateStore, stage } = setUp();
    const app = await stage().open({ lock: "eager", phase: "read" });
    await app.finalize();
    const { engine } = stage();
    const plan = await engine.plan("app", { stage: "dev", argv: [], env: {}, stateStore, lock: "eager" }, () =>
      Thing("a"),
    );
    expect(plan.actions).toMatchObject([{ action: "create" }]);
    const keys: string[] = [];
    for await (const key of stateStore.list("")) keys.push(key);
    expect(keys).toEqual([]);
  });

  test("is released if nothing was changed, and if the run fails", async () => {
    const { stage } = setUp();
    for (let turn = 0; turn < 2; turn++) {
      await up(stage(), () => {}, { lock: "eager" });
      expect(await rejection(up(stage(), () => Promise.reject(new Error("No.")), { lock: "eager" }))).toBeInstanceOf(
        Error,
      );
    }
  });

  test("is lazy or eager, and nothing else", async () => {
    const { stage } = setUp();
    expect(await rejection(up(stage(), () => {}, untyped({ lock: "now" })))).toMatchObject({ code: "INVALID_OPTION" });
  });
});

describe("several engine.up() that wait for their turn", () => {
  test.each([3, 5])("leave what the last of %d declares, and nothing of the others", async (count) => {
    const { world, Thing, stage, names } = setUp();
    const order: number[] = [];
    const deploy = (index: number) =>
      up(
        stage(),
        async () => {
          await Thing("x", { value: index });
          await Thing(`own${index}`);
        },
        PATIENT,
      ).then(() => order.push(index));
    await Promise.all(Array.from({ length: count }, (_, index) => deploy(index)));
    const last = order.at(-1);
    expect(await names()).toEqual([`own${last}`, "x"]);
    expect([...world.things.values()].map(({ fqn }) => fqn).sort()).toEqual([`app/dev/own${last}`, "app/dev/x"]);
  });
});
