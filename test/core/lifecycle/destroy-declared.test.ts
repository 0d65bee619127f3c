/** `engine.destroy()` of what a declaration mentions that has not settled. */
import { describe, expect, test } from "vitest";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

function setUp(options: ConstructorParameters<typeof Stage>[0] = {}) {
  const world = new World();
  const stage = new Stage(options);
  return { world, Thing: world.type(), stage, destroy: stage.engine.destroy, run: stage.engine.run };
}

const refusal = { code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/net" };

describe("engine.destroy of what is mentioned by a declaration that has not settled", () => {
  test.each(["the output", "the pending resource", "dependsOn"])("is refused: %s", async (how) => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const pending = Thing("net");
      const net = await pending;
      const uses = how === "the output" ? net : pending;
      const vm = how === "dependsOn" ? Thing("vm", {}, { dependsOn: [pending] }) : Thing("vm", { uses });
      await expect(destroy(net)).rejects.toMatchObject({
        ...refusal,
        message:
          '"app/dev/net" is not deleted: "app/dev/vm", which refers to it, stays. Destroy "app/dev/vm" first, or declare it without that reference.',
      });
      await vm;
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("is refused while that waits for a place to run in, and no intent of it is recorded", async () => {
    const { world, Thing, stage, destroy } = setUp({ concurrency: 1 });
    const end = gate();
    await stage.up(async (app) => {
      const net = await Thing("net");
      for (const id of ["a", "b", "c"]) world.on(`create ${id}`, () => end.opened);
      const ahead = ["a", "b", "c"].map((id) => Thing(id));
      const vm = Thing("vm", { uses: net });
      const refused = expect(destroy(net)).rejects.toMatchObject(refusal);
      await refused;
      expect(recordsOf(app).map(({ key }) => key)).not.toContain("vm");
      end.open();
      await Promise.all([...ahead, vm]);
    });
    expect(world.names).toContain("net#1");
  });

  test("is refused while the handler of that is under way", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const [begun, end] = [gate(), gate()];
    world.on("create vm", () => {
      begun.open();
      return end.opened;
    });
    await stage.up(async () => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: net });
      await begun.opened;
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      end.open();
      await vm;
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("is refused while that waits for another promise, and where what it waits for refers to it", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const late = gate<string>();
    await stage.up(async () => {
      const net = await Thing("net");
      const sub = Thing("sub", { uses: net, value: late.opened });
      const vm = Thing("vm", { uses: sub });
      await expect(destroy(net)).rejects.toMatchObject({
        ...refusal,
        message: expect.stringContaining('"app/dev/sub"'),
      });
      late.open("late");
      await vm;
    });
    expect(world.names).toEqual(["net#1", "sub#2", "vm#3"]);
  });

  test("is refused where a promise in the props has resolved to it", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: Promise.resolve(net), value: Promise.resolve().then(() => "later") });
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      await vm;
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("is refused where that is in another scope, also for the scope that holds it", async () => {
    const { world, Thing, stage, destroy, run } = setUp();
    await stage.up(async (app) => {
      const net = await run("s", () => Thing("net"));
      const vm = run("t", () => Thing("vm", { uses: net }));
      const inScope = {
        code: "DEPENDENTS_LEFT_OUT",
        fqn: "app/dev/s/net",
        message: expect.stringContaining('"app/dev/t/vm"'),
      };
      const scope = app.children.get("s") ?? {};
      await Promise.all([destroy(net), destroy(scope)].map((call) => expect(call).rejects.toMatchObject(inScope)));
      await vm;
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("is refused for its part", async () => {
    const { world, Thing, stage, destroy } = setUp();
    let part: unknown;
    world.on("create net", async () => {
      part = await Thing("part");
    });
    await stage.up(async () => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: part });
      await expect(destroy(net)).rejects.toMatchObject({ ...refusal, fqn: "app/dev/net/part" });
      await vm;
    });
    expect(world.names).toEqual(["net#2", "part#1", "vm#3"]);
  });

  test("goes on where that is destroyed with it", async () => {
    const { world, Thing, stage, destroy, run } = setUp();
    world.on("create whole", async () => {
      Thing("user", { uses: await Thing("part") });
    });
    const app = await stage.up(async (root) => {
      const declared = run("s", () => {
        Thing("vm", { uses: Thing("net") });
      });
      await declared;
      await destroy(root.children.get("s") ?? {});
      await destroy(Thing("whole"));
    });
    expect(world.names).toEqual([]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("is refused in a plan, and is READ_ONLY in the phase read", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(() => Thing("net"));
    const program = (error: object) => async (): Promise<void> => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: net, value: new Promise((resolve) => setImmediate(resolve)) });
      vm.catch(() => {});
      await expect(destroy(net)).rejects.toMatchObject(error);
    };
    const plan = await stage.open({ plan: true });
    await plan.run(program(refusal));
    await plan.finalize({ noop: true });
    const read = await stage.open({ phase: "read" });
    await read.run(program({ code: "READ_ONLY" }));
    await read.finalize().catch(() => {});
    expect(world.names).toEqual(["net#1"]);
  });

  test("is refused where that has failed and may be there, and not where it has never begun", async () => {
    const { world, Thing, stage, destroy } = setUp({ concurrency: 1 });
    world.fails("create vm");
    const failures = await stage.failures(async () => {
      const [net, other] = await Promise.all([Thing("net"), Thing("other")]);
      await Thing("vm", { uses: net }).catch(() => {});
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      await Thing("bad", { uses: [other, Promise.reject(new Error("no"))] }).catch(() => {});
      await destroy(other);
    });
    expect(failures).toHaveLength(2);
    expect(world.names).toEqual(["net#1"]);
  });

  test("is refused where that is unchanged and recorded, before and after it has settled", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(() => Thing("vm", { uses: Thing("net") }));
    await stage.up(async () => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: net });
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      await vm;
      await expect(destroy(net)).rejects.toMatchObject(refusal);
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("is refused where it is unchanged and recorded, and comes to refer to it", async () => {
    const { world, Thing, stage, destroy } = setUp({ concurrency: 1 });
    await stage.up(async () => {
      await Thing("net");
      await Thing("vm");
    });
    await stage.up(async () => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: net });
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      await vm;
    });
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });
});
