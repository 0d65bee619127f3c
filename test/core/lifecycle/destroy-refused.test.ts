/** `engine.destroy()` of resources that others refer to, and references to resources that it deleted. */
import { describe, expect, test } from "vitest";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import { keysOf, recordsOf } from "../../helpers/apps/stage.js";
import { gate } from "../../helpers/time/gate.js";

type Net = ReturnType<NewWorld["Thing"]>;

const refusal = { code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/net" };
const message =
  '"app/dev/net" is not deleted: "app/dev/vm", which refers to it, stays. Destroy "app/dev/vm" first, or declare it without that reference.';
const names = ["net#1", "vm#2"];

describe("engine.destroy of what another resource refers to is refused,", () => {
  test.each<[string, (net: Net, output: Awaited<Net>) => readonly [object, object]]>([
    ["by the output", (_, output) => [{ uses: output }, {}]],
    ["by the pending resource", (net) => [{ uses: net }, {}]],
    ["by dependsOn", (net) => [{}, { dependsOn: [net] }]],
    [
      "by a promise that has resolved to it",
      (_, output) => [{ uses: Promise.resolve(output), value: Promise.resolve().then(() => "later") }, {}],
    ],
  ])("before that has settled and after, in the run that makes it and in the next: %s", async (_how, refer) => {
    const { world, Thing, stage, destroy } = newWorld();
    for (let times = 0; times < 2; times++) {
      await stage.up(async () => {
        const net = Thing("net");
        const [props, options] = refer(net, await net);
        const vm = Thing("vm", props, options);
        await expect(destroy(net)).rejects.toMatchObject({ ...refusal, message });
        await vm;
        await expect(destroy(net)).rejects.toMatchObject({ ...refusal, message });
      });
    }
    expect(world.names).toEqual(names);
  });

  test("while that waits for a place to run in, and no intent of it is recorded", async () => {
    const { world, Thing, stage, destroy } = newWorld({}, { concurrency: 1 });
    const end = gate();
    await stage.up(async (app) => {
      const net = await Thing("net");
      for (const id of ["a", "b", "c"]) world.on(`create ${id}`, () => end.opened);
      const ahead = ["a", "b", "c"].map((id) => Thing(id));
      const vm = Thing("vm", { uses: net });
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      expect(keysOf(app)).not.toContain("vm");
      end.open();
      await Promise.all([...ahead, vm]);
    });
    expect(world.names).toContain("net#1");
  });

  test("while the handler of that is under way", async () => {
    const { world, Thing, stage, destroy } = newWorld();
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
    expect(world.names).toEqual(names);
  });

  test("while that waits for another promise, and where what it waits for refers to it", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    const late = gate<string>();
    await stage.up(async () => {
      const net = await Thing("net");
      const sub = Thing("sub", { uses: net, value: late.opened });
      const vm = Thing("vm", { uses: sub });
      const bySub = { ...refusal, message: expect.stringContaining('"app/dev/sub"') };
      await expect(destroy(net)).rejects.toMatchObject(bySub);
      late.open("late");
      await vm;
    });
    expect(world.names).toEqual(["net#1", "sub#2", "vm#3"]);
  });

  test("where that is in another scope, also for the scope that holds it", async () => {
    const { world, Thing, stage, destroy, run } = newWorld();
    await stage.up(async (app) => {
      const net = await run("s", () => Thing("net"));
      const vm = run("t", () => Thing("vm", { uses: net }));
      const inScope = { ...refusal, fqn: "app/dev/s/net", message: expect.stringContaining('"app/dev/t/vm"') };
      const targets = [net, app.children.get("s") ?? {}];
      await Promise.all(targets.map((target) => expect(destroy(target)).rejects.toMatchObject(inScope)));
      await vm;
      await run("s", () => expect(destroy()).rejects.toMatchObject(inScope));
    });
    expect(world.names).toEqual(names);
  });

  test("for its part", async () => {
    const { world, Thing, stage, destroy } = newWorld();
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

  test("in a plan, and is READ_ONLY in the phase read", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    await stage.up(() => Thing("net"));
    const program = (error: object) => async (): Promise<void> => {
      const net = await Thing("net");
      const vm = Thing("vm", { uses: net, value: new Promise((resolve) => setImmediate(resolve)) });
      vm.catch(() => {});
      await expect(destroy(net)).rejects.toMatchObject(error);
    };
    await stage.up(program(refusal), { plan: true, noop: true });
    await stage.failures(program({ code: "READ_ONLY" }), { phase: "read" });
    expect(world.names).toEqual(["net#1"]);
  });

  test("where that has failed and may be there, and not where it has never begun", async () => {
    const { world, Thing, failed, destroy } = newWorld({}, { concurrency: 1 });
    const failures = await failed("create vm", async () => {
      const [net, other] = await Promise.all([Thing("net"), Thing("other")]);
      await Thing("vm", { uses: net }).catch(() => {});
      await expect(destroy(net)).rejects.toMatchObject(refusal);
      await Thing("bad", { uses: [other, Promise.reject(new Error("no"))] }).catch(() => {});
      await destroy(other);
    });
    expect(failures).toHaveLength(2);
    expect(world.names).toEqual(["net#1"]);
  });

  test.each([{ before: true }, { before: false }])(
    "where that is only recorded, or comes to refer to it (recorded before: $before)",
    async ({ before }) => {
      const { world, Thing, stage, destroy } = newWorld({}, { concurrency: 1 });
      await stage.up(async () => {
        const net = await Thing("net");
        await Thing("vm", before ? { uses: net } : {});
      });
      await stage.up(async () => {
        const net = await Thing("net");
        const vm = before ? undefined : Thing("vm", { uses: net });
        await expect(destroy(net)).rejects.toMatchObject(refusal);
        await (vm ?? Thing("vm", { uses: net }));
      });
      expect(world.names).toEqual(names);
    },
  );
});

describe("engine.destroy goes on", () => {
  test("where that is destroyed with it, after it", async () => {
    const { world, Thing, stage, destroy, run } = newWorld();
    world.on("create whole", async () => {
      Thing("user", { uses: await Thing("part") });
    });
    const app = await stage.up(async (root) => {
      await run("s", () => {
        Thing("vm", { uses: Thing("net") });
      });
      await destroy(root.children.get("s") ?? {});
      expect(world.calls.slice(2)).toEqual(["delete vm", "delete net"]);
      await destroy(Thing("whole"));
    });
    expect(world.names).toEqual([]);
    expect(recordsOf(app)).toEqual([]);
  });

  test("once that was destroyed, or does not refer to it any more", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    await stage.up(async () => {
      const [net, db] = await Promise.all([Thing("net"), Thing("db")]);
      const web = await Thing("web", { uses: [net, db] });
      await destroy(web);
      await destroy(net);
      await Thing("api", { uses: db });
    });
    expect(world.names).toEqual(["api#4", "db#2"]);
    await stage.up(async () => {
      const db = await Thing("db");
      await Thing("api");
      await destroy(db);
    });
    expect(world.names).toEqual(["api#4"]);
  });
});

describe("a declaration that comes to refer to what engine.destroy has deleted", () => {
  const gone = { code: "INVALID_PROPS", fqn: "app/dev/vm" };

  test("fails before its handler, and waits for nothing", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    const failures = await stage.failures(async () => {
      const net = await Thing("net");
      // Awaits the running destroy: if the destroy waited for it in turn, neither would ever end.
      const destroyed = destroy(net);
      const vm = Thing("vm", { uses: destroyed.then(() => net) });
      await destroyed;
      await expect(vm).rejects.toMatchObject({
        ...gone,
        message:
          '"app/dev/vm": it refers to "app/dev/net", which engine.destroy() has deleted. Declare that resource again first, or pass only values that are still valid.',
      });
    });
    expect(failures).toMatchObject([gone]);
    expect(world.calls).toEqual(["create net", "delete net"]);
  });

  test("fails while that is being deleted, by dependsOn and in a plan as well", async () => {
    const { world, Thing, stage, destroy } = newWorld();
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
    const planned = async () => {
      const net = await Thing("net");
      await destroy(net);
      await expect(Thing("vm", { uses: net })).rejects.toMatchObject(gone);
    };
    await stage.up(planned, { plan: true, noop: true }).catch(() => {});
    expect(world.names).toEqual(["net#2"]);
  });

  test("is made where that was declared again, could not be deleted, or was only forgotten", async () => {
    const { world, Thing, failed, destroy } = newWorld();
    const failures = await failed("delete stuck", async () => {
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

  test("does not affect a declaration that waits for a destroy, and refers to something else", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    await stage.up(async () => {
      const [net, db] = await Promise.all([Thing("net"), Thing("db")]);
      await Thing("vm", { uses: db, value: destroy(net).then(() => "after") });
    });
    expect(world.calls).toEqual(["create net", "create db", "delete net", "create vm"]);
  });

  test("does not affect the declarations of a create that is called again in order to be deleted", async () => {
    const { world, Thing, stage, destroy, run } = newWorld({ idempotent: true });
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
