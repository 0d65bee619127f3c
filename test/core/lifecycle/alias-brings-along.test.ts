/** What an alias moves brings along what belongs to it, and does so only to names that are free. */
import { describe, expect, test } from "vitest";
import { type ResourceOptions, Scope } from "../../../core/contract/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

/** A stage with the resource `old`, whose handler has declared `child`. */
async function setUp(concurrency?: number, type: TypeOptions = {}) {
  const world = new World();
  const Thing = world.type(type);
  const stage = new Stage(concurrency === undefined ? {} : { concurrency });
  world.on("create old", async () => void (await Thing("child")));
  await stage.up(() => Thing("old"));
  world.calm();
  world.news();
  const renamed = () => Thing("new", {}, { aliases: ["old"] });
  const child = (text = "") => stage.engine.run("new", () => Thing("child", text === "" ? {} : { value: text }));
  return { world, Thing, stage, renamed, child };
}

const keysOf = (records: ReturnType<typeof recordsOf>): readonly string[] => records.map(({ key }) => key).sort();

describe("what belongs to a resource that an alias moves", () => {
  test("is taken over by what is declared under its name afterwards", async () => {
    const { world, stage, renamed, child } = await setUp();
    await stage.up(async () => {
      await renamed();
      await child();
    });
    expect(world.news()).toEqual([]);
    expect(world.names).toEqual(["child#1", "old#2"]);
  });

  test.each(["", "other props"])(
    "does not come where something was declared before (%j): nothing is moved",
    async (text) => {
      const { world, stage, renamed, child } = await setUp();
      const failures = await stage.failures(async () => {
        await child(text);
        await renamed();
      });
      expect(failures).toMatchObject([
        {
          code: "ALIAS_CONFLICT",
          fqn: "app/dev/new",
          message: expect.stringMatching(
            /"app\/dev\/new" takes over .*"app\/dev\/old".*"app\/dev\/new\/child" is recorded/,
          ),
        },
      ]);
      expect(world.names).toEqual(["child#1", "child#3", "old#2"]);
      const app = await stage.open();
      expect(keysOf(recordsOf(app))).toEqual(["new/child", "old", "old/child"]);
      await app[Symbol.asyncDispose]();
      // What the program does not declare any more goes.
      await stage.up(async () => {
        await child(text);
      });
      expect(world.names).toEqual(["child#3"]);
    },
  );

  describe("and something is recorded under its name that was not declared yet", () => {
    /** The program has both, and renames `old`. */
    async function inTheWay(options: ResourceOptions = {}) {
      const set = await setUp();
      const mine = () => set.stage.engine.run("new", () => set.Thing("child", { value: "mine" }, options));
      await set.stage.up(async () => {
        await set.Thing("old");
        await mine();
      });
      set.world.news();
      return { ...set, mine };
    }

    test.each<[string, ResourceOptions, (set: Awaited<ReturnType<typeof inTheWay>>) => unknown]>([
      ["nor is it later", {}, () => {}],
      ["is it later", {}, ({ mine }) => mine()],
      ["moves away later", {}, ({ Thing }) => Thing("free", { value: "mine" }, { aliases: ["app/dev/new/child"] })],
      ["is protected", { protect: true }, () => {}],
    ])("does not come, where that %s: nothing is moved", async (_, options, later) => {
      const set = await inTheWay(options);
      const failures = await set.stage.failures(async () => {
        await set.renamed();
        await later(set);
      });
      expect(failures).toMatchObject([{ code: "ALIAS_CONFLICT", fqn: "app/dev/new" }]);
      expect(set.world.news()).toEqual([]);
      const app = await set.stage.open();
      expect(keysOf(recordsOf(app))).toEqual(["new/child", "old", "old/child"]);
      await app[Symbol.asyncDispose]();
    });

    test("comes where that has gone first, as the error says", async () => {
      const { world, Thing, stage, renamed } = await inTheWay();
      const [failure] = await stage.failures(renamed);
      expect(failure).toMatchObject({
        message: expect.stringContaining(
          'let "app/dev/new/child" go first: by a run that declares "app/dev/old", and not "app/dev/new/child".',
        ),
      });
      await stage.up(() => Thing("old"));
      const app = await stage.up(renamed);
      expect(world.news()).toEqual(["delete child"]);
      expect(keysOf(recordsOf(app))).toEqual(["new", "new/child"]);
      expect(world.names).toEqual(["child#1", "old#2"]);
    });

    test("comes where that has got another id before", async () => {
      const { world, Thing, stage, renamed } = await inTheWay();
      const app = await stage.up(async () => {
        await Thing("free", { value: "mine" }, { aliases: ["app/dev/new/child"] });
        await renamed();
      });
      expect(world.news()).toEqual([]);
      expect(keysOf(recordsOf(app))).toEqual(["free", "new", "new/child"]);
    });
  });

  test("does not come where another run has put something meanwhile", async () => {
    const { Thing, stage, renamed } = await setUp();
    const other = new Stage({ stateStore: stage.store });
    const failures = await stage.failures(async () => {
      await other.up(async () => {
        await Thing("old");
        await other.engine.run("new", () => Thing("child", { value: "theirs" }));
      });
      await renamed();
    });
    expect(failures).toMatchObject([{ code: "STATE_MOVED" }]);
    const app = await stage.open();
    expect(keysOf(recordsOf(app))).toEqual(["new/child", "old", "old/child"]);
    await app[Symbol.asyncDispose]();
  });

  test("has the data of its scope, but for what the scope of that name has set itself", async () => {
    const { world, Thing, stage } = await setUp();
    world.on("update old", async () => {
      await Promise.all([Thing("child"), Scope.current.set("a", "old"), Scope.current.set("b", "old")]);
    });
    await stage.up(() => Thing("old", { value: 1 }));
    const got: unknown[] = [];
    await stage.up(async () => {
      await stage.engine.run("new", (scope) => scope.set("a", "mine"));
      await Thing("new", { value: 1 }, { aliases: ["old"] });
      await stage.engine.run("new", async (scope) => void got.push(await scope.get("a"), await scope.get("b")));
    });
    expect(got).toEqual(["mine", "old"]);
  });

  test.each([0, 1])(
    "comes where something stands that an alias of its own moves away, in any order (%i)",
    async (first) => {
      const { world, Thing, stage, renamed, child } = await setUp();
      await stage.up(async () => {
        await Thing("old");
        await child("mine");
      });
      const away = () => Thing("free", { value: "mine" }, { aliases: ["app/dev/new/child"] });
      const declared = [away, renamed];
      const app = await stage.up(() =>
        Promise.all([declared[first], declared[1 - first]].map((declare) => declare?.())),
      );
      expect(keysOf(recordsOf(app))).toEqual(["free", "new", "new/child"]);
      expect(world.names).toEqual(["child#1", "child#3", "old#2"]);
    },
  );

  test("is never one of two of one name, whatever is declared at the same moment", async () => {
    const { world, stage, renamed, child } = await setUp();
    const failures = await stage.failures(() => Promise.allSettled([child("other props"), renamed()]));
    expect(failures).toMatchObject([{ code: "ALIAS_CONFLICT" }]);
    const app = await stage.open();
    const keys = keysOf(recordsOf(app));
    await app[Symbol.asyncDispose]();
    expect(new Set(keys).size).toBe(keys.length);
    expect(world.names).toHaveLength(keys.length);
  });

  test("is taken over by what is declared at the same moment, after it", async () => {
    const { world, stage, renamed, child } = await setUp();
    const app = await stage.up(() => Promise.all([renamed(), child()]));
    expect(keysOf(recordsOf(app))).toEqual(["new", "new/child"]);
    expect(world.names).toEqual(["child#1", "old#2"]);
  });

  test("is not made a second time by what is adopted under the name meanwhile", async () => {
    const { world, stage, Thing, renamed } = await setUp(undefined, { read: true });
    const held = gate();
    world.on("read child", () => held.opened);
    world.things.set("found", { kind: "x", fqn: "f", uid: "u", value: "1", uses: undefined });
    const failures = await stage.failures(async () => {
      const late = stage.engine.run("new", () => Thing("child", { value: "other props" }, { adopt: true }));
      await quiet(5);
      await renamed();
      held.open();
      await Promise.allSettled([late]);
    });
    expect(failures).toMatchObject([{ code: "ALIAS_CONFLICT", fqn: "app/dev/new/child" }]);
    const app = await stage.open();
    expect(keysOf(recordsOf(app))).toEqual(["new", "new/child"]);
    await app[Symbol.asyncDispose]();
  });

  test("is not made a second time by what waits for its turn under the name", async () => {
    const { world, Thing, stage, renamed, child } = await setUp(1);
    const held = gate();
    world.on("create x", () => held.opened);
    const failures = await stage.failures(async () => {
      const before = ["x", "y", "z"].map((id) => Thing(id));
      await quiet(5);
      const late = child("other props");
      await quiet(5);
      await renamed();
      held.open();
      await Promise.allSettled([...before, late]);
    });
    expect(failures).toMatchObject([
      {
        code: "ALIAS_CONFLICT",
        fqn: "app/dev/new/child",
        message: expect.stringContaining('"app/dev/new/child" was not created'),
      },
    ]);
    expect(world.names).toEqual(["child#1", "old#2", "x#3", "y#4", "z#5"]);
    const app = await stage.open();
    expect(keysOf(recordsOf(app))).toEqual(["new", "new/child", "x", "y", "z"]);
    await app[Symbol.asyncDispose]();
  });
});
