/** Kept resources in plans. */
import { expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { said, setUpPlans } from "../../helpers/apps/planning.js";

const keeper = (name: string) =>
  definePlugin({
    name: "keeper",
    apply: ({ hooks }) =>
      hooks.beforePrune.tap({ name: "keeper", inPlans: true }, ({ items, keep }) => {
        for (const item of items) if (item.id === name) keep(item, "needed");
      }),
  });

test("what a kept orphan is made from stays in its plan, as in the run", async () => {
  const { Thing, stage, plan, world } = setUpPlans();
  await stage.up(async () => {
    const net = await Thing("net");
    await Thing("server", { uses: net });
    await Thing("apart");
  });
  const plugins = [keeper("server")];
  const made = await plan(() => {}, { plugins });
  await stage.up(() => {}, { plugins });
  expect([...world.names].sort()).toEqual(["net#1", "server#2"]);
  expect(said(made)).toEqual(["delete apart: no longer declared"]);
  expect(made.kept.map(({ fqn, reason }) => `${fqn}: ${reason}`).sort()).toEqual([
    'app/dev/net: "app/dev/server" still exists',
    "app/dev/server: needed",
  ]);
});
