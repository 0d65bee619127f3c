import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { digested } from "../../core/state/checkpoint/digested-text.js";
import { sealState } from "../helpers/apps/admin-tools.ts";
import { COST, PASSWORD, secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { bodyOf, keys, newestIn } from "./forging.ts";
import { refusalOf } from "./stages.ts";

const MARK = '"mark",null]';

/**
 * The contents that a line vouches for are compared as JSON that is written again (`digestOfContents`): a number that
 * is too large becomes `null` again.
 */
test("a null that became a number in a checkpoint is found by the line that vouches for that", async () => {
  const world = new World();
  const Thing = world.type();
  const store = memoryStore();
  const stage = secretStage({ stateStore: store });
  const program = () => Thing("a", { value: ["mark", null] });
  await stage.up(program, { password: undefined });
  const checkpoint = await newestIn(store, keys.checkpoints);
  await sealState("app", { stage: "dev", stateStore: store, env: {}, cost: COST, password: PASSWORD });
  expect(await newestIn(store, keys.checkpoints)).not.toBe(checkpoint);

  await store.deleteMany([await newestIn(store, keys.checkpoints)]);
  const text = JSON.stringify(bodyOf((await store.get(checkpoint)) ?? ""));
  expect(text).toContain(MARK);
  await store.set(checkpoint, `${digested(text.replaceAll(MARK, '"mark",1e999]')).text}\n`);
  expect(await refusalOf(world, () => stage.up(program))).toMatch(/^EngineError STATE_(FORGED|CORRUPT)/);
});
