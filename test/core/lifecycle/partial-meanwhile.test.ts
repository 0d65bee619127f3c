import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope } from "../../../core/contract/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { faultyStore } from "../../helpers/stores/store-around.js";
import { quiet } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  const Thing = world.type(options);
  const stage = new Stage();
  const inHandler = (id: string, part: () => unknown): void => {
    for (const phase of ["create", "update"]) world.on(`${phase} ${id}`, async () => void (await part()));
  };
  return { world, Thing, stage, inHandler };
}

const statusOf = (app: Scope, key: string): string | undefined => recordOf(app, key)?.status;

describe("a resource that is not whole yet", () => {
  test("and whose delete fails meanwhile stays incomplete", async () => {
    const { world, Thing, stage, inHandler } = setUp();
    inHandler("a", () => void Thing("b").then(null, () => {}));
    world.fails("delete a");
    const app = await stage.open();
    await app.run(async () => {
      const a = Thing("a");
      await a;
      await stage.engine.destroy(a).catch(() => {});
    });
    await app.finalize().catch(() => {});
    expect(statusOf(app, "a")).toBe("updating");
  });

  test("is not whole without a part that was destroyed meanwhile", async () => {
    const { world, Thing, stage, inHandler } = setUp();
    let b: ReturnType<typeof Thing> | undefined;
    inHandler("a", async () => {
      b = Thing("b");
      await b;
      void Thing("c").then(null, () => {});
    });
    const app = await stage.up(async () => {
      await Thing("a");
      if (b) await stage.engine.destroy(b);
    });
    expect(statusOf(app, "a")).toBe("updating");
    world.news();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
  });

  test("is not made whole by leaving its part out", async () => {
    const { world, Thing, stage, inHandler } = setUp();
    inHandler("a", () => Thing("b").then(null, () => {}));
    world.fails("create b");
    await stage.failures(() => Thing("a"));
    world.calm("create b");
    await stage.up(() => Thing("a"), { exclude: ["**/a/b"] });
    world.news();
    const app = await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
    expect(statusOf(app, "a")).toBe("ready");
  });

  test("is not made whole by another function that its handler has deferred", async () => {
    const { Thing, inHandler } = setUp();
    const stage = new Stage({ reapply: true });
    let calls = 0;
    inHandler("a", () => {
      const isFirst = ++calls === 1;
      void Scope.current.defer(async () => {
        if (isFirst) await stage.engine.run("s", () => {});
        else throw new Error("no");
      });
    });
    const app = await stage.open();
    await app.run(async () => {
      await Thing("a", { value: 1 });
      await Thing("a", { value: 2 });
    });
    await app.finalize().catch(() => {});
    expect(statusOf(app, "a")).toBe("updating");
  });
});

describe("what a handler defers", () => {
  test("is done although the resource is declared again, unchanged", async () => {
    const { world, Thing } = setUp({ update: false });
    const stage = new Stage({ reapply: true });
    world.on("create a", () => void Scope.current.defer(() => Thing("b")));
    await stage.up(async () => {
      await Thing("a");
      await Thing("a");
    });
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("in order to delete comes too late, and that is told", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    world.on("delete a", () => void Scope.current.defer(() => {}));
    expect(await stage.failures(() => {})).toMatchObject([{ message: expect.stringContaining("too late") }]);
  });
});

describe("an interrupted create that is called again to be settled", () => {
  test("is settled with the parts that it does not wait for", async () => {
    const { world, Thing, stage } = setUp({ idempotent: true });
    const Part = world.type({ read: true });
    world.after("create a", () => {
      throw new Error("lost");
    });
    await stage.failures(() => Thing("a"));
    world.after("create a", () => {});
    world.on("create a", () => void Part("b").then(null, () => {}));
    world.on("create b", () => quiet());
    const app = await stage.up();
    expect([world.names.filter((name) => name.startsWith("b")), recordsOf(app)]).toEqual([[], []]);
  });

  test("and has a part that fails is not whole", async () => {
    const { world, Thing, stage } = setUp({ idempotent: true });
    const Part = world.type();
    world.fails("create b");
    world.on("create a", () =>
      Part("b").then(
        () => {},
        () => {},
      ),
    );
    world.on("update a", async () => void (await Part("b")));
    world.after("create a", () => {
      throw new Error("lost");
    });
    await stage.failures(() => Thing("a"));
    world.after("create a", () => {});
    await stage.failures(() => {});
    world.calm("create b");
    const app = await stage.up(() => Thing("a"));
    expect(["a", "a/b"].map((key) => statusOf(app, key))).toEqual(["ready", "ready"]);
  });
});

describe("a failure", () => {
  test("of something else, which a part has met in a call that is made again, fails the run", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create x");
    let x: PromiseLike<unknown> | undefined;
    let calls = 0;
    world.on("create a", async () => {
      if (++calls === 1) await Thing("b", { uses: x });
    });
    const failures = await stage.failures(() => {
      x = Thing("x");
      return Thing("a", {}, { retry: { attempts: 2, delay: 1 } });
    });
    expect(failures).not.toEqual([]);
  });
});

describe("results that could not be recorded", () => {
  let rootDir: string;
  beforeEach(async () => {
    rootDir = await mkdtemp(join(tmpdir(), "partial-"));
  });
  afterEach(() => rm(rootDir, { recursive: true }));

  test.each([true, false])("are made up for where a part was left to do (append: %s)", async (append) => {
    const { world, Thing } = setUp();
    let isDown = false;
    const writes = new Set(["create", "append", "set", "deleteMany"]);
    const stateStore = faultyStore(memoryStore({ append }), ({ op }) =>
      isDown && writes.has(op) ? "refused" : undefined,
    );
    const stage = new Stage({ stateStore, rootDir });
    for (const phase of ["create", "update"]) {
      world.on(`${phase} a`, () => void Scope.current.defer(() => undefined));
    }
    world.after("create a", () => {
      isDown = true;
    });
    await stage.up(() => Thing("a")).catch(() => {});
    isDown = false;
    world.after("create a", () => {});
    let output: unknown;
    const app = await stage.up(async () => {
      output = await Thing("a");
    });
    expect(world.names).toEqual(["a#1"]);
    expect(output).toMatchObject({ thing: "a#1" });
    expect(statusOf(app, "a")).toBe("ready");
  });
});
