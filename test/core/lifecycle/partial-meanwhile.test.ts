import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope } from "../../../core/contract/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import { lost, type TypeOptions } from "../../helpers/apps/world.js";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { faultyStore } from "../../helpers/stores/store-around.js";
import { quiet } from "../../helpers/time/gate.js";

type Options = Parameters<typeof newWorld>[1];

/** The handlers of "a" do so. */
function setUp(part: (there: NewWorld) => unknown, type: TypeOptions = {}, options: Options = {}) {
  const there = newWorld(type, options);
  for (const phase of ["create", "update"]) there.world.on(`${phase} a`, async () => void (await part(there)));
  return there;
}

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

  test("in order to delete comes too late, and that is told", async () => {
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
