/** Declarations that come to refer to what `engine.destroy()` has deleted. */
import { describe, expect, test } from "vitest";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

function setUp() {
  const world = new World();
  const stage = new Stage();
  return { world, Thing: world.type(), stage, destroy: stage.engine.destroy, run: stage.engine.run };
}

const gone = { code: "INVALID_PROPS", fqn: "app/dev/vm" };

describe("a declaration that comes to refer to what engine.destroy has deleted", () => {
  test("fails before its handler, and waits for nothing", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const failures = await stage.failures(async () => {
      const net = await Thing("net");
      // Waits for the very destroy: to wait for it there would never end.
      const destroyed = destroy(net);
      const vm = Thing("vm", { uses: destroyed.then(() => net) });
      await destroyed;
      await expect(vm).rejects.toMatchObject({
        ...gone,
        message:
          '"app/dev/vm": it refers to "app/dev/net", which engine.destroy() has deleted. Declare that again first, or pass on only those of its values that are still of use.',
      });
    });
    expect(failures).toMatchObject([gone]);
    expect(world.calls).toEqual(["create net", "delete net"]);
  });

  test("fails while that is being deleted, by dependsOn and in a plan as well", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const [begun, end] = [gate(), gate()];
    world.on("delete net", () => {
      begun.open();
      return end.opened;
    });
    await stage.failures(async () => {
      const net = Thing("net");
      await net;
      const destroyed = destroy(net);
      await begun.opened;
      await expect(Thing("vm", {}, { dependsOn: [net] })).rejects.toMatchObject(gone);
      end.open();
      await destroyed;
    });
    world.calm();
    await stage.up(() => Thing("net"));
    const plan = await stage.open({ plan: true });
    await plan.run(async () => {
      const net = await Thing("net");
      await destroy(net);
      await expect(Thing("vm", { uses: net })).rejects.toMatchObject(gone);
    });
    await plan.finalize({ noop: true }).catch(() => {});
    expect(world.names).toEqual(["net#2"]);
  });

  test("is made where that was declared again, could not be deleted, or was only forgotten", async () => {
    const { world, Thing, stage, destroy } = setUp();
    world.fails("delete stuck");
    const failures = await stage.failures(async () => {
      await destroy(await Thing("net"));
      await Thing("a", { uses: await Thing("net") });
      const stuck = await Thing("stuck");
      await expect(destroy(stuck)).rejects.toMatchObject({ code: "HANDLER_FAILED" });
      await Thing("b", { uses: stuck });
      const kept = await Thing("kept", {}, { retainOnDelete: true });
      await destroy(kept);
      await Thing("c", { uses: kept });
    });
    expect(failures).toHaveLength(1);
    expect(world.names).toEqual(["a#3", "b#5", "c#7", "kept#6", "net#2", "stuck#4"]);
  });

  test("is no concern of what waits for a destroy, and refers to something else", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const [net, db] = await Promise.all([Thing("net"), Thing("db")]);
      await Thing("vm", { uses: db, value: destroy(net).then(() => "after") });
    });
    expect(world.calls).toEqual(["create net", "create db", "delete net", "create vm"]);
  });

  test("is no matter of what a create declares that is called again in order to be deleted", async () => {
    const { world, stage, destroy, run } = setUp();
    const Thing = world.type({ idempotent: true });
    await stage.failures(() =>
      run("s", async () => {
        const net = await Thing("net");
        world.on("create whole", async () => {
          await Thing("part", { uses: net });
          if (world.calls.filter((call) => call === "create whole").length === 1) throw new Error("not yet");
        });
        await Thing("whole").catch(() => {});
        await destroy();
      }),
    );
    expect(world.calls).toContain("delete whole");
    expect(world.names).toEqual([]);
  });
});
