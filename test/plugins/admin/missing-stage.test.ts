import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { World } from "../../helpers/apps/world.js";

const Thing = new World().type();
const engine = createEngine();

async function storeWith(...stages: readonly string[]) {
  const stateStore = memoryStore();
  for (const name of stages) {
    const [app = "", stage = ""] = name.split("/");
    await engine.up(app, { stage, stateStore, argv: [], env: {} }, () => void Thing("one"));
  }
  return (app: string, stage: string) => stageAdmin(stateStore, { app, stage, env: {} }).checkExists();
}

test("a mistyped stage is not an empty one: the error names the stage that was meant", async () => {
  const check = await storeWith("shop/prod", "shop/dev", "blog/prdo");
  await expect(check("shop", "prod")).resolves.toBeUndefined();
  await expect(check("shop", "prdo")).rejects.toMatchObject({
    code: "NOT_RECORDED",
    message: expect.stringContaining(
      'There is no state of "shop/prdo": the app has no such stage. Did you mean "prod"?',
    ),
  });
  await expect(check("shop", "elsewhere")).rejects.toThrow('Its stages are "dev", "prod".');
});

test("a mistyped app is not an empty one: the error names the app that was meant", async () => {
  const check = await storeWith("shop/prod", "blog/prod");
  await expect(check("shpo", "prod")).rejects.toThrow('the store has no such app. Did you mean "shop"?');
  await expect(check("other", "prod")).rejects.toThrow('Its apps are "blog", "shop".');
});

test("a stage of a store in which nothing is recorded does not exist", async () => {
  const check = await storeWith();
  await expect(check("shop", "prod")).rejects.toMatchObject({
    code: "NOT_RECORDED",
    message: expect.stringContaining("the store is empty"),
  });
});

test("a stage that was destroyed still exists", async () => {
  const stateStore = memoryStore();
  const options = { stage: "dev", stateStore, argv: [], env: {} };
  await engine.up("shop", options, () => void Thing("one"));
  await engine.down("shop", options);
  await stageAdmin(stateStore, { app: "shop", stage: "dev", env: {} }).checkExists();
});
