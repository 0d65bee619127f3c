import { describe, expect, test } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import type { Drift } from "../../../plugins/plan/drift.js";
import { newNetwork, type Planned, said, setUpPlans } from "../../helpers/apps/planning.js";
import { recordOf } from "../../helpers/apps/stage.js";
import { undefine } from "../../helpers/apps/undefine.js";
import { gate, quiet } from "../../helpers/time/gate.js";

/** Changes or removes a resource behind the engine's back. */
function changed({ world }: Planned, thing: string, value?: unknown): void {
  const before = world.things.get(thing);
  if (value === undefined) world.things.delete(thing);
  else if (before) world.things.set(thing, { ...before, value });
}

function driftOf({ stage, requests }: Planned, options: EngineOptions = {}): Promise<Drift> {
  requests.clear();
  return stage.engine.drift("app", { stage: "dev", argv: [], env: {}, stateStore: stage.store, ...options });
}

async function setUpDrift(): Promise<Planned & { readonly program: () => Promise<unknown> }> {
  const planned = setUpPlans({ read: true });
  const { Thing, stage, world } = planned;
  const program = () => Promise.all(["a", "b", "c"].map((id) => Thing(id, { value: id })));
  await stage.up(program);
  world.news();
  const [a = "", b = ""] = world.names;
  changed(planned, a, "else");
  changed(planned, b);
  return { ...planned, program };
}

describe("an up with refresh", () => {
  test("repairs drift, creates missing resources again, and reports both", async () => {
    const { stage, world, program } = await setUpDrift();
    await stage.up(program, { refresh: true });
    expect(stage.summary).toEqual({ updated: 1, created: 1, unchanged: 1 });
    const drifted = stage.heard("resource:drifted").sort((a, b) => (a.fqn < b.fqn ? -1 : 1));
    expect(drifted).toMatchObject([
      { fqn: "app/dev/a", gone: false, paths: ["/value"] },
      { fqn: "app/dev/b", gone: true, paths: [] },
    ]);
    expect([...world.things.values()].map(({ value }) => value).sort()).toEqual(["a", "b", "c"]);
    world.news();
    await stage.up(program);
    expect([stage.summary, world.calls]).toEqual([{ unchanged: 3 }, []]);
  });

  test("without it looks at nothing", async () => {
    const { stage, world, program } = await setUpDrift();
    await stage.up(program);
    expect([stage.summary, world.calls]).toEqual([{ unchanged: 3 }, []]);
  });

  test("looks again, with its declaration, at what it could not look at before the program ran", async () => {
    const { stage, world, program } = await setUpDrift();
    let isReady = false;
    world.on("read a", () => {
      if (!isReady) throw new Error("no credentials");
    });
    await stage.up(
      () => {
        isReady = true;
        return program();
      },
      { refresh: true },
    );
    expect(stage.summary).toEqual({ updated: 1, created: 1, unchanged: 1 });
    const failing = async () => await stage.failures(program, { refresh: true });
    isReady = false;
    expect(await failing()).toMatchObject([{ message: expect.stringContaining("no credentials") }]);
  });

  test("looks at each once, as wide as handlers may run, however the program is written", async () => {
    const { stage, world, Thing } = setUpPlans({ read: true });
    const ids = Array.from({ length: 10 }, (_, index) => `r${index}`);
    const program = async () => {
      for (const id of ids) await Thing(id);
    };
    await stage.up(program);
    world.news();
    const { opened, open } = gate();
    const four = gate();
    let running = 0;
    let most = 0;
    for (const id of ids) {
      world.on(`read ${id}`, async () => {
        most = Math.max(most, ++running);
        if (running === 4) four.open();
        await opened;
        running--;
      });
    }
    const run = stage.up(program, { refresh: true, concurrency: 4 });
    await four.opened;
    await quiet();
    expect(running).toBe(4);
    open();
    await run;
    expect(most).toBe(4);
    expect(world.calls.sort()).toEqual(ids.map((id) => `read ${id}`).sort());
    expect(stage.summary).toEqual({ unchanged: 10 });
  });

  test("fails the resource that cannot be looked at, and no other", async () => {
    const { stage, world, program } = await setUpDrift();
    world.fails("read c", "no connection");
    const failures = await stage.failures(() => Promise.allSettled([program()]), { refresh: true });
    expect(failures).toMatchObject([{ code: "HANDLER_FAILED", message: 'read of "app/dev/c" failed: no connection' }]);
    expect(stage.summary).toMatchObject({ updated: 1, created: 1, failed: 1 });
  });

  test("looks again at what is declared twice, for the first has changed it", async () => {
    const planned = setUpPlans({ read: true });
    const { stage, Thing, world } = planned;
    await stage.up(() => Thing("a", { value: 1 }));
    const [a = ""] = world.names;
    changed(planned, a, 7);
    world.news();
    await stage.up(() => Promise.all([Thing("a", { value: 1 }), Thing("a", { value: 1 })]), {
      refresh: true,
      reapply: true,
    });
    expect(world.calls).toEqual(["read a", "update a", "read a"]);
  });

  test("in a plan says what drifted, value by value", async () => {
    const { plan, program, world } = await setUpDrift();
    const made = await plan(program, { refresh: true });
    expect(said(made).sort()).toEqual([
      "create b: gone: recorded, but read found nothing",
      "update a: drift: it differs from its record",
    ]);
    expect(made.actions.find(({ id }) => id === "a")?.drift).toEqual([{ path: "/value", old: "a", new: "else" }]);
    expect(world.calls.every((call) => call.startsWith("read "))).toBe(true);
  });
});

describe("in a plan with refresh, of what has a prop that is not known yet", () => {
  const networked = ({ Thing, plan }: Planned) => {
    const Network = newNetwork();
    return plan(
      async () => {
        const { address } = await Network("net", { name: "main" });
        for (const id of ["a", "b", "c"]) await Thing(id, { value: address });
      },
      { refresh: true },
    );
  };

  test("what is gone is created, and what drifted says so", async () => {
    const planned = await setUpDrift();
    const { actions } = await networked(planned);
    expect(actions.slice(1)).toMatchObject([
      { action: "update", id: "a", drift: [{ path: "/value", old: "a", new: "else" }], certain: false },
      { action: "create", id: "b", reason: "gone: recorded, but read found nothing", certain: true },
      { action: "update", id: "c", drift: [], certain: false },
    ]);
    expect(planned.world.calls.sort()).toEqual(["read a", "read b", "read c"]);
  });

  test("an update is certain where something else has changed, too", async () => {
    const { plan, stage, world, Thing } = setUpPlans({ read: true });
    await stage.up(() => Thing("a", { value: { at: "x", size: 1 } }));
    world.news();
    const Network = newNetwork();
    const made = await plan(
      async () => {
        const { address } = await Network("net", { name: "main" });
        await Thing("a", { value: { at: address, size: 2 } });
      },
      { refresh: true },
    );
    expect(made.actions.at(-1)).toMatchObject({ action: "update", id: "a", certain: true });
  });
});

describe("engine.drift()", () => {
  test("says what is not as recorded, and changes nothing", async () => {
    const planned = await setUpDrift();
    const found = await driftOf(planned);
    expect(found).toMatchObject({
      app: "app",
      stage: "dev",
      resources: [
        { fqn: "app/dev/a", gone: false, changes: [{ path: "/value", old: "a", new: "else" }] },
        { fqn: "app/dev/b", gone: true, changes: [] },
      ],
      same: 1,
      unread: [],
      errors: [],
    });
    expect(planned.requests.writes).toBe(0);
    expect(planned.requests.besideTail).toBeLessThanOrEqual(4);
    expect(planned.world.calls.sort()).toEqual(["read a", "read b", "read c"]);
  });

  test("names resources that have no read, and those whose read failed", async () => {
    const planned = setUpPlans({ read: true });
    const { stage, world, Thing } = planned;
    const Blind = world.type();
    await stage.up(() => Promise.all([Thing("a"), Blind("b")]));
    world.fails("read a", "no connection");
    const found = await driftOf(planned);
    expect(found.unread).toMatchObject([{ fqn: "app/dev/b", reason: `its kind "${Blind.kind}" has no read handler` }]);
    expect(found.errors).toMatchObject([{ code: "HANDLER_FAILED", fqn: "app/dev/a" }]);
    expect(found.same).toBe(0);
  });

  test("sees what only a plugin knows, as destroy does", async () => {
    const planned = await setUpDrift();
    const { Thing } = planned;
    const definition = undefine(Thing).define();
    undefine(Thing);
    const plugin = definePlugin({
      name: "supply",
      apply: ({ hooks }) =>
        hooks.resolveKind.tap("supply", ({ kind }) => (kind === Thing.kind ? definition : undefined)),
    });
    expect((await driftOf(planned)).unread).toHaveLength(3);
    const found = await driftOf(planned, { plugins: [plugin] });
    expect([found.resources.map(({ fqn }) => fqn), found.same, found.unread]).toEqual([
      ["app/dev/a", "app/dev/b"],
      1,
      [],
    ]);
  });

  test("works while another run has the stage, and leaves no app behind", async () => {
    const planned = setUpPlans({ read: true });
    const { stage, Thing } = planned;
    const app = await stage.open({ durability: "full" });
    await app.run(() => Thing("a"));
    expect(await driftOf(planned)).toMatchObject({ same: 1 });
    await app.run(() => Thing("b"));
    await app.finalize();
    expect(recordOf(app, "b")?.status).toBe("ready");
  });

  test("of a stage of which nothing usable is recorded is empty", async () => {
    expect(await driftOf(setUpPlans())).toMatchObject({ resources: [], same: 0, unread: [] });
  });
});

test("what has drifted and cannot be updated is replaced for that, in the words of its plan, too", async () => {
  const planned = setUpPlans({ read: true, update: false });
  const { stage, plan, Thing, world } = planned;
  const program = () => Thing("a", { value: "a" });
  await stage.up(program);
  const [a = ""] = world.names;
  changed(planned, a, "else");
  const made = await plan(program, { refresh: true });
  expect(said(made)).toEqual(["replace a: drift: it differs from its record, and its type cannot update"]);
  expect(made.actions[0]?.drift).toMatchObject([{ path: "/value", old: "a", new: "else" }]);
});
