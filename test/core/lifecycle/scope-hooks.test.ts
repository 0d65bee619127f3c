/** Hooks that tell plugins when everything in a scope is gone: `scopePruned`, `scopeDestroyed`. */
import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";

function setUp() {
  const said: string[] = [];
  const plugin = definePlugin({
    name: "keeping",
    apply({ hooks, events }) {
      events.on("resource:deleted", ({ id }) => said.push(`deleted ${id}`));
      hooks.scopePruned.tap("keeping", ({ scope }) => void said.push(`pruned ${scope.chain.join("/")}`));
      hooks.scopeDestroyed.tap("keeping", ({ scope }) => void said.push(`destroyed ${scope.chain.join("/")}`));
    },
  });
  const { world, Thing, stage } = newWorld({}, { plugins: [plugin] });
  return { Thing, world, stage, news: () => said.splice(0) };
}

describe("scopePruned", () => {
  test("comes after the deletes of each finalize of the phase up, also where there were none", async () => {
    const { Thing, stage, news } = setUp();
    await stage.up(() => Thing("a"));
    expect(news()).toEqual(["pruned app/dev"]);
    await stage.up();
    expect(news()).toEqual(["deleted a", "pruned app/dev"]);
  });

  test("comes for a child scope that is finalized by force, and for no other", async () => {
    const { Thing, stage, news } = setUp();
    await stage.up(() => stage.engine.run("child", () => Thing("a")));
    news();
    const app = await stage.open();
    await app.run(() =>
      stage.engine.run("child", async (child) => {
        await child.finalize();
        expect(news()).toEqual([]);
        await child.finalize({ force: true });
      }),
    );
    expect(news()).toEqual(["deleted a", "pruned app/dev/child"]);
    await app.finalize();
  });

  test.each([
    ["a plan", { plan: true }],
    ["the phase read", { phase: "read" }],
    ["a run that leaves something out", { exclude: ["app/dev/b"] }],
    ["a finalize that deletes nothing", { noop: true }],
  ] as const)("does not come in %s", async (_where, options) => {
    const { Thing, stage, news } = setUp();
    await stage.up(() => [Thing("a"), Thing("b")]);
    news();
    await stage.up(() => [Thing("a"), Thing("b")], options);
    expect(news()).toEqual([]);
  });

  test("does not come after a run that has failed", async () => {
    const { Thing, world, stage, news } = setUp();
    world.fails("create a");
    await stage.failures(() => Thing("a"));
    expect(news()).toEqual([]);
  });
});

describe("scopeDestroyed", () => {
  test("comes when all of a stage is deleted", async () => {
    const { Thing, stage, news } = setUp();
    await stage.up(() => Thing("a"));
    news();
    await stage.destroy();
    expect(news()).toEqual(["deleted a", "destroyed app/dev"]);
  });

  test("comes before engine.destroy() of a scope resolves, and not for a resource", async () => {
    const { Thing, stage, news } = setUp();
    await stage.up(async () => {
      const a = await Thing("a");
      await stage.engine.destroy(a);
      expect(news()).toEqual(["deleted a"]);
      await stage.engine.run("child", async () => {
        await Thing("b");
        await stage.engine.destroy();
      });
      expect(news()).toEqual(["deleted b", "destroyed app/dev/child"]);
    });
  });

  test("does not come where something is left out, or only planned, or a delete has failed", async () => {
    const { Thing, world, stage, news } = setUp();
    await stage.up(() => [Thing("a"), Thing("b")]);
    news();
    await stage.destroy({ plan: true });
    await stage.destroy({ target: ["app/dev/a"] });
    world.fails("delete b");
    await stage.failures(() => {}, { phase: "destroy" });
    expect(news()).toEqual(["deleted a"]);
  });
});
