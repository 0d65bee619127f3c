import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, put } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/**
 * The limit of what a machine can remember: a state that was put back, and that a machine which remembers nothing has gone on from, is as
 * new as any. To ask for the line that was seen would take a request more in each run after another machine's.
 */
test("a state that went back is not told as such where another machine has gone on from there, beyond what this one has seen", async () => {
  const world = new World();
  const Thing = world.type();
  const store = { ...memoryStore(), location: `memory ${randomUUID()}` };
  const here = secretStage({ stateStore: store, strictState: true });
  await here.up(() => Thing("a", { value: 1 }));
  const old = await all(store);
  await here.up(async () => [await Thing("a", { value: 1 }), await Thing("b", {})]);

  await put(store, old);
  const anywhere = memoryStore();
  await put(anywhere, await all(store));
  const elsewhere = secretStage({ stateStore: anywhere });
  for (const value of [2, 3]) await elsewhere.up(() => Thing("a", { value }));
  await put(store, await all(anywhere));
  world.news();

  const refused = told(await failureOf(here.up(() => Thing("a", { value: 3 }))));
  expect(refused).toBe("nothing");
});
