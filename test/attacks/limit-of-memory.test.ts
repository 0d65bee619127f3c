import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, put } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/**
 * The limit of what a machine can remember: a state was put back, and a machine without memory has continued from
 * there. That state is as new as any. A check for the last line seen would cost one more request in each run after
 * another machine's.
 */
test("a state that went back is not reported if another machine has continued from there, beyond the last line that this one has seen", async () => {
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
