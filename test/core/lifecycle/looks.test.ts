/** A finalized app that is only read: `app.run()` begins a generation that declares nothing. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";

const BOTH = ["bucket#2", "db#1"];

/** An app that is finalized with "db" and "bucket". */
async function finalized() {
  const there = newWorld();
  const app = await there.stage.up(async () => {
    await there.Thing("db");
    await there.Thing("bucket");
  });
  there.stage.events = [];
  return { ...(await there), app, warnings: () => there.stage.heard("warning") };
}

describe("a finalized app that is only looked at", () => {
  test("is deleted by no later finalize(), which says so", async () => {
    const { world, app, warnings } = await finalized();
    expect(await app.run((scope) => scope.has("db"))).toBe(true);
    await app.finalize();
    expect(world.names).toEqual(BOTH);
    const message = expect.stringMatching(/"app\/dev".*2 resources.*pass \{ empty: true \} to finalize\(\)/);
    expect(warnings()).toMatchObject([{ code: "NOTHING_DECLARED", message }]);
  });

  test("keeps everything also where it set data, entered a scope or ran a deferred function", async () => {
    const { world, app, run } = await finalized();
    await app.run(async (scope) => {
      await scope.set("looked", true);
      await run("child", () => {});
      void scope.defer(() => {});
    });
    await app.finalize();
    expect(world.names).toEqual(BOTH);
  });

  test("keeps everything where a child scope is pruned by force", async () => {
    const { world, Thing, stage, run } = newWorld();
    const app = await stage.up(() => run("child", () => Thing("a")));
    await app.run(() => run("child", (child) => child.finalize({ force: true })));
    await app.finalize();
    expect(world.names).toEqual(["a#1"]);
    await app.run(() => run("child", (child) => child.finalize({ force: true, empty: true })));
    expect(world.names).toEqual([]);
    await app.finalize();
  });

  test("keeps old copies that wait to be deleted", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    const app = await stage.up(() => Thing("a", { name: "one" }));
    await app.run(() => Thing("a", { name: "two" }));
    await app.finalize({ noop: true });
    await app.run((scope) => scope.has("a"));
    await app.finalize();
    expect(world.names).toEqual(["a#1", "a#2"]);
    await app.run(() => Thing("a", { name: "two" }));
    await app.finalize();
    expect(world.names).toEqual(["a#2"]);
  });

  test("is emptied by finalize({ empty: true })", async () => {
    const { world, app, warnings } = await finalized();
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect([world.names, warnings()]).toEqual([[], []]);
  });

  test.each<[string, (app: Scope) => unknown, string[]]>([
    ["says nothing", (app) => app.run((scope) => scope.set("looked", true)), []],
    [
      "warns of deferred functions that did not run",
      (app) => app.run((scope) => void scope.defer(() => {}).catch(() => {})),
      ["NOT_FINALIZED"],
    ],
    [
      "warns of a function that has not come to declare anything yet",
      async (app) => {
        void app.run(() => new Promise(() => {}));
        await new Promise((resolve) => setImmediate(resolve));
      },
      ["NOT_FINALIZED"],
    ],
  ])("at the end of `await using` %s", async (_what, look, codes) => {
    const { world, stage, app, warnings } = await finalized();
    await look(app);
    await app[Symbol.asyncDispose]();
    expect(warnings().map(({ code }) => code)).toEqual(codes);
    const finished = codes.length === 0 ? [{ ok: true, summary: { deleted: 0 } }] : [{}];
    expect(stage.heard("run:finished")).toMatchObject(finished);
    expect(world.names).toEqual(BOTH);
  });

  test("makes no second plan", async () => {
    const { world, Thing, stage } = await finalized();
    const app = await stage.up(() => Thing("db"), { plan: true });
    await app.run((scope) => scope.has("db"));
    await app.finalize();
    await app.run((scope) => scope.has("db"));
    await app[Symbol.asyncDispose]();
    const plans = stage.heard("plan:made").map(({ actions }) => actions.map(({ action, id }) => `${action} ${id}`));
    expect(plans).toEqual([["delete bucket"]]);
    expect(world.names).toEqual(BOTH);
  });
});

describe("what is no look", () => {
  test.each(["up", "upInOne"] as const)(
    "a first generation without declarations prunes: a list of tenants may be empty (%s)",
    async (how) => {
      const { world, stage } = await finalized();
      await stage[how](() => {});
      expect(world.names).toEqual([]);
    },
  );

  test("a later generation prunes what it did not declare again", async () => {
    const { world, Thing, app } = await finalized();
    await app.run((scope) => scope.has("db"));
    await app.run(() => Thing("db"));
    await app.finalize();
    expect(world.names).toEqual(["db#1"]);
  });

  test("a later generation prunes also where all that it declared was destroyed", async () => {
    const { world, Thing, app, destroy } = await finalized();
    await app.run(async () => {
      const db = Thing("db");
      await db;
      await destroy(db);
    });
    await app.finalize();
    expect(world.names).toEqual([]);
  });

  test("a later generation that declared something and is not finalized warns", async () => {
    const { Thing, app, warnings } = await finalized();
    await app.run(() => Thing("db"));
    await app[Symbol.asyncDispose]();
    expect(warnings()).toMatchObject([{ code: "NOT_FINALIZED" }]);
  });
});
