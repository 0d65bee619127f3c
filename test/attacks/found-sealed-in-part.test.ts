import { expect, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { sealState } from "../helpers/apps/admin-tools.ts";
import { COST, PASSWORD } from "../helpers/apps/secret-stage.ts";
import { all, keys, newestIn, rewrite } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { sealedStage } from "./stages.ts";

/**
 * A checkpoint without its seal makes a state that "is not sealed", and the message says to seal it once. The other
 * values in the store show that it was sealed. A machine without memory of the stage, as in CI, can check them.
 */
test.each([
  ["entries are", (_store: StateStore) => {}],
  [
    "copies are",
    async (store: StateStore) => {
      for await (const key of store.list(keys.entries)) if (key !== keys.entry(1)) await store.deleteMany([key]);
    },
  ],
])("a state is not sealed as it is where other %s sealed", async (_what, attack) => {
  const { Thing, stage, store } = await sealedStage();
  await stage.up(() => Thing("a", { value: 2 }));
  await rewrite(store, await newestIn(store, keys.checkpoints), (body) => {
    body.records.push({ ...body.records[0], uid: "u-forged", key: "forged" });
    body.mac = undefined;
    body.format = 1;
  });
  await attack(store);
  const before = await all(store);
  const options = { stage: "dev", stateStore: store, env: {}, cost: COST, password: PASSWORD };
  expect(told(await failureOf(sealState("app", options)))).toMatch(/^EngineError STATE_FORGED /);
  expect(await all(store)).toEqual(before);
});
