import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EngineOptions, EnginePlugin, ResourceOptions } from "../../../core/contract/index.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import { recordOf } from "../../helpers/apps/stage.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

const FIRST = { deleteBeforeReplace: true };
let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deleted-first-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Its {
  readonly vm?: ResourceOptions;
  readonly app?: ResourceOptions;
}

/** The service refuses to delete "net" while "vm" exists, and "vm" while "app" exists. */
function setUp(type: TypeOptions = {}) {
  const planning = setUpPlans({ ...type, replaceOn: ["name"] });
  const { world, plan, Thing } = planning;
  const Host = world.type({ ...type, replaceOn: ["uses"] });
  const isThere = (id: string): boolean => world.names.some((name) => name.startsWith(`${id}#`));
  const refuses = (id: string, user: string): void =>
    world.on(`delete ${id}`, () => {
      if (isThere(user)) throw new Error(`in use by ${user}`);
    });
  refuses("net", "vm");
  refuses("vm", "app");
  const program =
    (name: string, { vm, app }: Its = {}) =>
    async () => {
      const net = Thing("net", { name }, FIRST);
      await Host("app", { uses: await Host("vm", { uses: net }, vm) }, app);
    };
  /** Saves a plan of a program. */
  const save = async (of: () => unknown, options: EngineOptions = {}): Promise<string> => {
    const planOut = join(folder, `${++files}.json`);
    await plan(of, { ...options, planOut });
    world.news();
    return planOut;
  };
  return { ...planning, Host, refuses, program, save };
}

const RIGHT = ["delete app", "delete vm", "delete net", "create net", "create vm", "create app"];

/** Vetoes each delete of an id, in the run only. */
const vetoing = (id: string): EnginePlugin => ({
  name: "vetoing",
  apply: ({ hooks }) =>
    hooks.beforeDelete.tap("vetoing", (context) => {
      if (context.id === id) context.veto("not now");
    }),
});

describe("a run with a plan that replaces what others use", () => {
  test("deletes the dependents first, and reports them as replaced", async () => {
    const { stage, world, program, save } = setUp();
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    const app = await stage.up(program("two"), { planFile });
    expect(world.news()).toEqual(RIGHT);
    expect(stage.summary).toEqual({ replaced: 3, deleted: 3 });
    expect(stage.told.filter((line) => line.startsWith("replaced") || line.startsWith("created"))).toEqual([
      "replaced net",
      "replaced vm",
      "replaced app",
    ]);
    await stage.up(program("two"));
    expect(stage.summary).toEqual({ unchanged: 3 });
    expect(recordOf(app, "vm")?.status).toBe("ready");
  });

  test("also where they are declared already, and wait for it", async () => {
    const { stage, world, Thing, Host, save } = setUp();
    const program = (name: string) => async () => {
      const net = Thing("net", { name }, FIRST);
      await Promise.all([net, Host("vm", { uses: net })]);
    };
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    await stage.up(program("two"), { planFile });
    expect(world.news()).toEqual(["delete vm", "delete net", "create net", "create vm"]);
  });

  test("deletes what is no longer declared first, as an orphan", async () => {
    const { stage, world, program, save, Thing } = setUp();
    await stage.up(program("one"));
    const only = () => Thing("net", { name: "two" }, FIRST);
    const planFile = await save(only);
    await stage.up(only, { planFile });
    expect(world.news()).toEqual(["delete app", "delete vm", "delete net", "create net"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 3 });
  });

  test("deletes nothing first without the plan, and leaves all as it was", async () => {
    const { stage, world, program, save } = setUp();
    await stage.up(program("one"));
    await save(program("two"));
    await stage.failures(program("two"));
    expect(world.news()).toEqual(["delete net"]);
    expect(world.names).toEqual(["app#3", "net#1", "vm#2"]);
  });

  test("leaves a dependent that can be updated, and names only the other way out", async () => {
    const { stage, world, save, Thing } = setUp();
    const program = (name: string) => async () => {
      await Thing("vm", { uses: await Thing("net", { name }, FIRST) });
    };
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    const [failure] = await stage.failures(program("two"), { planFile });
    expect(String(failure)).toContain(
      '"app/dev/vm" refers to it. The saved plan does not delete them first. Create the replacement first:',
    );
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test.each<[string, Partial<EngineOptions>, string]>([
    ["maxDeletes allows fewer", { maxDeletes: 1 }, "TOO_MANY_DELETES"],
    ["a plugin vetoes the delete of a dependent", { plugins: [vetoing("vm")] }, "VETOED"],
    ["a plugin vetoes the delete of the resource itself", { plugins: [vetoing("net")] }, "VETOED"],
    ["a dependent is left out", { exclude: ["**/app"] }, "DEPENDENTS_LEFT_OUT"],
  ])("deletes nothing where %s", async (_why, options, code) => {
    const { stage, world, program, save } = setUp();
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    const errors = await stage.failures(program("two"), { ...options, planFile });
    expect(errors).toContainEqual(expect.objectContaining({ code }));
    expect(world.news().filter((call) => call.startsWith("delete"))).toEqual([]);
  });

  test("deletes nothing where a dependent is protected by its record", async () => {
    const { stage, world, program, save } = setUp();
    await stage.up(program("one", { app: { protect: true } }));
    const planFile = await save(program("two"));
    const errors = await stage.failures(program("two"), { planFile });
    expect(errors).toContainEqual(expect.objectContaining({ code: "PROTECTED", fqn: "app/dev/app" }));
    expect(world.news()).toEqual([]);
  });

  test("counts what goes first for maxDeletes, in the plan as well", async () => {
    const { stage, plan, program, save, world } = setUp();
    await stage.up(program("one"));
    await expect(plan(program("two"), { maxDeletes: 1 })).rejects.toMatchObject({
      errors: [{ code: "TOO_MANY_DELETES" }],
    });
    world.news();
    const planFile = await save(program("two"), { maxDeletes: 2 });
    await stage.up(program("two"), { planFile, maxDeletes: 2 });
    expect(world.news()).toEqual(RIGHT);
  });

  test("deletes no orphan first that destroyOrphans or a plugin keeps", async () => {
    const { stage, world, program, save, Thing } = setUp();
    await stage.up(program("one"));
    const only = () => Thing("net", { name: "two" }, FIRST);
    const planFile = await save(only);
    const keeping: EnginePlugin = {
      name: "keeping",
      apply: ({ hooks }) =>
        hooks.beforePrune.tap("keeping", ({ items, keep }) => {
          for (const one of items) keep(one, "no");
        }),
    };
    for (const options of [{ destroyOrphans: false }, { plugins: [keeping] }]) {
      const [failure] = await stage.failures(only, { ...options, planFile });
      expect(failure).toMatchObject({
        code: "VETOED",
        message: expect.stringMatching(
          /has to be deleted first\. But it stays, because (destroyOrphans is false|a plugin keeps it)\. Allow/,
        ),
      });
      expect(world.news()).toEqual([]);
    }
  });

  test("stops where a dependent cannot be deleted, and the rest is right after the next run", async () => {
    const { stage, world, program, save, refuses } = setUp({ read: true });
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    world.fails("delete vm", "403");
    await stage.failures(program("two"), { planFile });
    expect(world.news()).toEqual(["delete app", "delete vm", "read vm"]);
    refuses("vm", "app");
    await stage.up(program("two"), { planFile: await save(program("two")) });
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual([
      "delete vm",
      "delete net",
      "create net",
      "create vm",
      "create app",
    ]);
    await stage.up(program("two"));
    expect(stage.summary).toEqual({ unchanged: 3 });
  });

  /** A run with a saved plan that is interrupted in the delete of "vm", before that does anything. */
  async function interrupted(type: TypeOptions = {}) {
    const there = setUp(type);
    const { stage, world, program, save, refuses } = there;
    await stage.up(program("one"));
    const planFile = await save(program("two"));
    const controller = new AbortController();
    world.on("delete vm", ({ signal }) => {
      controller.abort();
      signal.throwIfAborted();
    });
    await stage.up(program("two"), { planFile, signal: controller.signal }).catch(() => {});
    expect(world.news()).toEqual(["delete app", "delete vm"]);
    refuses("vm", "app");
    return there;
  }

  test.each([true, false])("goes on after an interruption with a new plan (the type has read: %s)", async (read) => {
    const { stage, world, program, save } = await interrupted({ read });
    const app = await stage.up(program("two"), { planFile: await save(program("two")) });
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual([
      "delete vm",
      "delete net",
      "create net",
      "create vm",
      "create app",
    ]);
    expect(stage.summary).toEqual({ created: 1, replaced: 2, deleted: 2 });
    expect(recordOf(app, "vm")).toMatchObject({ status: "ready", deletion: undefined });
  });

  test("deletes nothing ahead after an interruption without a plan, and says what to do", async () => {
    const { stage, world, program } = await interrupted({ read: true });
    const [failure] = await stage.failures(program("two"));
    expect(String(failure)).toMatch(/dev\/vm" refers to it.*engine plan --out plan.json.*engine up --plan plan.json/s);
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual(["delete net"]);
    expect(world.names).toEqual(["net#1", "vm#2"]);
  });

  test("does not go on if the change was reverted after an interruption", async () => {
    const { stage, world, program } = await interrupted({ read: true });
    await stage.up(program("one"));
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual(["create app"]);
    expect(world.names).toEqual(["app#4", "net#1", "vm#2"]);
  });

  test("does not go on with a delete that was begun for another reason", async () => {
    const { stage, world, Thing, refuses } = setUp({ read: true });
    const program = (net: string, vm: string) => async () => {
      await Thing("vm", { uses: await Thing("net", { name: net }, FIRST), name: vm }, FIRST);
    };
    await stage.up(program("one", "one"));
    const controller = new AbortController();
    world.on("delete vm", ({ signal }) => {
      controller.abort();
      signal.throwIfAborted();
    });
    await stage.up(program("one", "two"), { signal: controller.signal }).catch(() => {});
    refuses("vm", "app");
    world.news();
    await stage.failures(program("two", "one"));
    expect(world.news().filter((call) => !call.startsWith("read"))).toEqual(["delete net"]);
  });
});
