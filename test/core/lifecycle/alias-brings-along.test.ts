/** Moves the children of a resource along with its alias, but only to names that are free. */
import { describe, expect, test } from "vitest";
import { type ResourceOptions, Scope } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import type { TypeOptions } from "../../helpers/apps/world.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { gate, quiet } from "../../helpers/time/gate.js";

/** A stage with the resource `old`, whose handler has declared `child`. */
async function setUp(concurrency = 8, type: TypeOptions = {}) {
  const { world, Thing, stage, run } = newWorld(type, { concurrency });
  world.on("create old", async () => void (await Thing("child")));
  await stage.up(() => Thing("old"));
  world.calm();
  world.news();
  const renamed = () => Thing("new", {}, { aliases: ["old"] });
  const child = (value?: string, options: ResourceOptions = {}) =>
    run("new", () => Thing("child", value === undefined ? {} : { value }, options));
  const away = () => Thing("free", { value: "mine" }, { aliases: ["app/dev/new/child"] });
  const keys = async () => recorded(await loadFrom(stage.store)).sort();
  return { world, Thing, stage, run, renamed, child, away, keys };
}

const conflict = (fqn: string, message: unknown = expect.any(String)) => [{ code: "ALIAS_CONFLICT", fqn, message }];
const UNMOVED = ["new/child", "old", "old/child"];

describe("what belongs to a resource that an alias moves", () => {
  test.each(["afterwards", "at the same moment, after it"])(
    "is taken over by what is declared under its name %s",
    async (when) => {
      const { world, stage, renamed, child, keys } = await setUp();
      await stage.up(async () => {
        const moved = renamed();
        if (when === "afterwards") await moved;
        await Promise.all([moved, child()]);
      });
      expect([world.news(), await keys()]).toEqual([[], ["new", "new/child"]]);
      expect(world.names).toEqual(["child#1", "old#2"]);
    },
  );

  test.each([undefined, "other props"])(
    "does not come where something was declared before (%j): nothing is moved",
    async (value) => {
      const { world, stage, renamed, child, keys } = await setUp();
      const failures = await stage.failures(async () => {
        await child(value);
        await renamed();
      });
      const why = /"app\/dev\/new" cannot take over .*"app\/dev\/old".*"app\/dev\/new\/child" is recorded/;
      expect(failures).toMatchObject(conflict("app/dev/new", expect.stringMatching(why)));
      expect([await keys(), world.names]).toEqual([UNMOVED, ["child#1", "child#3", "old#2"]]);
      // Prunes the records that the program no longer declares.
      await stage.up(() => child(value));
      expect(world.names).toEqual(["child#3"]);
    },
  );

  describe("and something is recorded under its name that was not declared yet", () => {
    /** The program declares both, and then renames `old`. */
    async function inTheWay(options?: ResourceOptions) {
      const there = await setUp();
      await there.stage.up(async () => {
        await there.Thing("old");
        await there.child("mine", options);
      });
      there.world.news();
      return there;
    }

    test.each<[string, ResourceOptions, (there: Awaited<ReturnType<typeof setUp>>) => unknown]>([
      ["nor is it later", {}, () => {}],
      ["is it later", {}, ({ child }) => child("mine")],
      ["moves away later", {}, ({ away }) => away()],
      ["is protected", { protect: true }, () => {}],
    ])("does not come, where that %s: nothing is moved", async (_, options, later) => {
      const there = await inTheWay(options);
      const failures = await there.stage.failures(async () => {
        await there.renamed();
        await later(there);
      });
      expect(failures).toMatchObject(conflict("app/dev/new"));
      expect([there.world.news(), await there.keys()]).toEqual([[], UNMOVED]);
    });

    test("comes where that has gone first, as the error says", async () => {
      const { world, Thing, stage, renamed, keys } = await inTheWay();
      const [failure] = await stage.failures(renamed);
      expect(String(failure)).toContain(
        'first delete "app/dev/new/child" with a run that declares "app/dev/old" and not "app/dev/new/child".',
      );
      await stage.up(() => Thing("old"));
      await stage.up(renamed);
      expect([world.news(), await keys()]).toEqual([["delete child"], ["new", "new/child"]]);
      expect(world.names).toEqual(["child#1", "old#2"]);
    });

    test("comes where that has got another id before", async () => {
      const { world, stage, renamed, away, keys } = await inTheWay();
      await stage.up(async () => {
        await away();
        await renamed();
      });
      expect([world.news(), await keys()]).toEqual([[], ["free", "new", "new/child"]]);
    });
  });

  test("does not come where another run has put something meanwhile", async () => {
    const { Thing, stage, renamed, keys } = await setUp();
    const other = new Stage({ stateStore: stage.store });
    const failures = await stage.failures(async () => {
      await other.up(async () => {
        await Thing("old");
        await other.engine.run("new", () => Thing("child", { value: "theirs" }));
      });
      await renamed();
    });
    expect(failures).toMatchObject([{ code: "STATE_MOVED" }]);
    expect(await keys()).toEqual(UNMOVED);
  });

  test("has the data of its scope, but for what the scope of that name has set itself", async () => {
    const { world, Thing, stage, run } = await setUp();
    world.on("update old", async () => {
      await Promise.all([Thing("child"), Scope.current.set("a", "old"), Scope.current.set("b", "old")]);
    });
    await stage.up(() => Thing("old", { value: 1 }));
    const got: unknown[] = [];
    await stage.up(async () => {
      await run("new", (scope) => scope.set("a", "mine"));
      await Thing("new", { value: 1 }, { aliases: ["old"] });
      await run("new", async (scope) => void got.push(await scope.get("a"), await scope.get("b")));
    });
    expect(got).toEqual(["mine", "old"]);
  });

  test("is never one of two of one name, whatever is declared at the same moment", async () => {
    const { world, stage, renamed, child, keys } = await setUp();
    const failures = await stage.failures(() => Promise.allSettled([child("other props"), renamed()]));
    expect(failures).toMatchObject([{ code: "ALIAS_CONFLICT" }]);
    const all = await keys();
    expect(new Set(all).size).toBe(all.length);
    expect(world.names).toHaveLength(all.length);
  });

  test("is not made a second time by what is adopted under the name meanwhile", async () => {
    const { world, stage, renamed, child, keys } = await setUp(8, { read: true });
    const held = gate();
    world.on("read child", () => held.opened);
    world.things.set("found", { kind: "x", fqn: "f", uid: "u", value: "1", uses: undefined });
    const failures = await stage.failures(async () => {
      const late = child("other props", { adopt: true });
      await quiet(5);
      await renamed();
      held.open();
      await Promise.allSettled([late]);
    });
    expect(failures).toMatchObject(conflict("app/dev/new/child"));
    expect(await keys()).toEqual(["new", "new/child"]);
  });

  test("is not made a second time by what waits for its turn under the name", async () => {
    const { world, Thing, stage, renamed, child, keys } = await setUp(1);
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
    const why = expect.stringContaining('"app/dev/new/child" was not created');
    expect(failures).toMatchObject(conflict("app/dev/new/child", why));
    expect(world.names).toEqual(["child#1", "old#2", "x#3", "y#4", "z#5"]);
    expect(await keys()).toEqual(["new", "new/child", "x", "y", "z"]);
  });
});
