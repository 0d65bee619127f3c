import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope } from "../../../core/contract/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import type { StageOptions } from "../../helpers/apps/stage.js";
import { lost, type TypeOptions } from "../../helpers/apps/world.js";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { faultyStore } from "../../helpers/stores/store-around.js";
import { quiet } from "../../helpers/time/gate.js";

/** Ways in which a handler may succeed before its child is done. */
const ways = {
  "declares it and does not wait": (declare: () => PromiseLike<unknown>) => void declare().then(null, () => {}),
  "defers it": (declare: () => PromiseLike<unknown>) => void Scope.current.defer(() => declare()),
} as const;

/** A world in which the handlers of "a" do this. */
function setUp(inHandler: (there: NewWorld) => unknown, type: TypeOptions = {}, options: StageOptions = {}) {
  const there = newWorld(type, options);
  for (const phase of ["create", "update"]) there.world.on(`${phase} a`, async () => void (await inHandler(there)));
  return there;
}

describe.each(Object.entries(ways))("a resource whose handler makes a part, and %s", (_name, leave) => {
  const nest = (type?: TypeOptions) => setUp(({ Thing }) => leave(() => Thing("b")), type);

  test("is settled with its part, in the same run", async () => {
    const { world, Thing, stage } = nest();
    await stage.up(() => Thing("a"));
    expect(stage.record("a")).toMatchObject({ status: "ready", lastGood: undefined });
    expect(world.news()).toEqual(["create a", "create b"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("is called again in the next run where the part has failed", async () => {
    const { world, Thing, stage, failed } = nest();
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
    expect(["a", "a/b"].map((key) => stage.record(key)?.status)).toEqual(["ready", "ready"]);
  });

  test("is also settled if the child is deleted before it is created again", async () => {
    let name = "one";
    const { world, Thing, stage } = setUp(({ Thing: Part }) =>
      leave(() => Part("b", { name }, { deleteBeforeReplace: true, replaceOnChanges: ["name"] })),
    );
    await stage.up(() => Thing("a", { value: 1 }));
    name = "two";
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a", "delete b", "create b"]);
    expect(stage.record("a")).toMatchObject({ status: "ready" });
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual([]);
  });

  test("keeps the part that it has where the run ends before that is declared again", async () => {
    const { world, Thing, stage } = nest();
    await stage.up(() => Thing("a", { value: 1 }));
    world.on("update a", () => void Scope.current.defer(() => Thing("b")));
    const app = await stage.open();
    await app.run(() => Thing("a", { value: 2 }));
    // Like a program that ends by itself: no deferred function runs.
    await app[Symbol.asyncDispose]();
    world.news();
    await stage.up(() => Thing("a", { value: 2 }));
    expect(world.news()).toEqual(["update a"]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("is as done as it can be where its type cannot update it", async () => {
    const { world, Thing, stage, failed } = nest({ update: false });
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });

  test("is called again with all that it is a part of itself", async () => {
    const { world, Thing, stage, failed } = nest();
    for (const phase of ["create", "update"]) world.on(`${phase} top`, async () => void (await Thing("a")));
    await failed("create b", () => Thing("top"));
    for (const calls of [["update top", "update a", "create b"], []]) {
      await stage.up(() => Thing("top"));
      expect(world.news()).toEqual(calls);
    }
  });
});

describe("a resource that is not whole", () => {
  const caught = () => setUp(({ Thing }) => Thing("b").catch(() => {}));

  test("because its handler goes on when a part has failed is called again in the next run", async () => {
    const { world, Thing, stage, failed } = caught();
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
  });

  test("has a plan that says so", async () => {
    const { Thing, stage, failed } = caught();
    await failed("create b", () => Thing("a"));
    const plan = await stage.plan(() => Thing("a"));
    const reason = /^incomplete since .*: its create was interrupted, or one of its children is missing or unfinished$/;
    expect(plan.actions).toMatchObject([{ action: "update", reason: expect.stringMatching(reason) }]);
  });

  test("because a function that its handler defers has failed by itself is called again", async () => {
    let calls = 0;
    const late = (): void => {
      if (++calls === 1) throw new Error("busy");
    };
    const { world, Thing, stage } = setUp(() => void Scope.current.defer(late));
    await stage.failures(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["create a", "update a"]);
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual([]);
  });
});

describe("a resource that is not whole yet", () => {
  test("and whose delete fails meanwhile stays incomplete", async () => {
    const { Thing, stage, failed } = setUp(({ Thing: Part }) => void Part("b").then(null, () => {}));
    await failed("delete a", async () => {
      const a = Thing("a");
      await a;
      await stage.engine.destroy(a).catch(() => {});
    });
    expect(stage.record("a")?.status).toBe("updating");
  });

  test("is not whole without a part that was destroyed meanwhile", async () => {
    let b: PromiseLike<object> | undefined;
    const { world, Thing, stage, destroy } = setUp(async ({ Thing: Part }) => {
      b = Part("b");
      await b;
      void Part("c").then(null, () => {});
    });
    await stage.up(async () => {
      await Thing("a");
      if (b) await destroy(b);
    });
    expect(stage.record("a")?.status).toBe("updating");
    world.news();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
  });

  test("is not made whole by leaving its part out", async () => {
    const { world, Thing, stage, failed } = setUp(({ Thing: Part }) => Part("b").then(null, () => {}));
    await failed("create b", () => Thing("a"));
    await stage.up(() => Thing("a"), { exclude: ["**/a/b"] });
    world.news();
    await stage.up(() => Thing("a"));
    expect(world.news()).toEqual(["update a", "create b"]);
    expect(stage.record("a")?.status).toBe("ready");
  });

  test("is not made whole by another function that its handler has deferred", async () => {
    let calls = 0;
    const part = ({ run }: NewWorld): void => {
      const isFirst = ++calls === 1;
      void Scope.current.defer(async () => {
        if (isFirst) await run("s", () => {});
        else throw new Error("no");
      });
    };
    const { Thing, stage } = setUp(part, {}, { reapply: true });
    await stage.failures(async () => {
      await Thing("a", { value: 1 });
      await Thing("a", { value: 2 });
    });
    expect(stage.record("a")?.status).toBe("updating");
  });
});

describe("what a handler defers", () => {
  test("is done although the resource is declared again, unchanged", async () => {
    const { world, Thing, stage } = newWorld({ update: false }, { reapply: true });
    world.on("create a", () => void Scope.current.defer(() => Thing("b")));
    await stage.up(async () => {
      await Thing("a");
      await Thing("a");
    });
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("in order to delete comes too late, and that is reported", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a"));
    world.on("delete a", () => void Scope.current.defer(() => {}));
    expect(await stage.failures(() => {})).toMatchObject([{ message: expect.stringContaining("too late") }]);
  });
});

describe("an interrupted create that is called again to be settled", () => {
  test("is settled with the parts that it does not wait for", async () => {
    const { world, Thing, stage, lost: lostIn } = newWorld({ idempotent: true });
    const Part = world.type({ read: true });
    await lostIn("create a", () => Thing("a"));
    world.on("create a", () => void Part("b").then(null, () => {}));
    world.on("create b", () => quiet());
    await stage.up();
    expect([world.names.filter((name) => name.startsWith("b")), stage.keys]).toEqual([[], []]);
  });

  test("and has a part that fails is not whole", async () => {
    const { world, Thing, stage } = newWorld({ idempotent: true });
    const Part = world.type();
    world.fails("create b");
    world.on("create a", async () => void (await Part("b").catch(() => {})));
    world.on("update a", async () => void (await Part("b")));
    lost(world, "create a");
    await stage.failures(() => Thing("a"));
    world.after("create a", () => {});
    await stage.failures(() => {});
    world.calm("create b");
    await stage.up(() => Thing("a"));
    expect(["a", "a/b"].map((key) => stage.record(key)?.status)).toEqual(["ready", "ready"]);
  });
});

test("a failure of something else, which a part has met in a call that is made again, fails the run", async () => {
  const { world, Thing, failed } = newWorld();
  let x: PromiseLike<unknown> | undefined;
  let calls = 0;
  world.on("create a", async () => {
    if (++calls === 1) await Thing("b", { uses: x });
  });
  const failures = await failed("create x", () => {
    x = Thing("x");
    return Thing("a", {}, { retry: { attempts: 2, delay: 1 } });
  });
  expect(failures).toMatchObject([{ fqn: "app/dev/x" }]);
});

test.each([true, false])(
  "results that could not be recorded are made up for where a part was left to do (append: %s)",
  async (append) => {
    let isDown = false;
    const writes = new Set(["create", "append", "set", "deleteMany"]);
    const stateStore = faultyStore(memoryStore({ append }), ({ op }) =>
      isDown && writes.has(op) ? "refused" : undefined,
    );
    const part = () => void Scope.current.defer(() => undefined);
    const { world, Thing, stage } = setUp(part, {}, { stateStore, rootDir: await newFolder() });
    world.after("create a", () => {
      isDown = true;
    });
    await stage.up(() => Thing("a")).catch(() => {});
    isDown = false;
    let output: unknown;
    await stage.up(async () => {
      output = await Thing("a");
    });
    expect(world.names).toEqual(["a#1"]);
    expect(output).toMatchObject({ thing: "a#1" });
    expect(stage.record("a")?.status).toBe("ready");
  },
);
