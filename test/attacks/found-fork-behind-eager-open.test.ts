import { expect, test } from "vitest";
import { memoryStore } from "../../core/state/memory.js";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { all, keys, newestIn, put, seqsIn } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/**
 * The same number twice: the state was put back once, and a run wrote on from there, as it may, with a warning. An `open` that brings
 * nothing along then follows either of the two (`follows` in head.ts), though it names one of them.
 */
test("a session that took the lock first does not follow another one than it did, where the state went back in between", async () => {
  const world = new World();
  const Thing = world.type();
  const store = memoryStore();
  const stage = secretStage({ stateStore: store });
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {})]);
  const old = await all(store);
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {}), await Thing("c", {})]);
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {}), await Thing("c", {}), await Thing("d", {})], {
    lock: "eager",
  });
  const last = await newestIn(store, keys.entries);
  const ahead = await all(store);
  await put(store, old);
  await stage.up(() => Thing("a", {}));
  expect(world.names).toEqual(["a#1", "c#3", "d#4"]);
  world.news();

  // With b gone, c never recorded, and d created: so it never was.
  await store.set(last, ahead.get(last) ?? "");
  const [, ...later] = await seqsIn(store, keys.checkpoints);
  for (const seq of later) await store.delete(keys.checkpoint(seq));
  const refused = told(await failureOf(stage.up(() => Thing("a", {}))));
  expect(world.news()).toEqual([]);
  expect(refused).toMatch(/^EngineError STATE_(FORGED|CORRUPT) /);
});
