import { expect, test } from "vitest";
import { all, keys, newestIn, put, seqsIn } from "./forging.ts";
import { refusalOf, sealedStage } from "./stages.ts";

/**
 * The same number twice: the state was put back once, and a run continued from there, which is allowed with a warning.
 * An `open` without changes then follows either of the two (`follows` in head.ts), though it names one of them.
 */
test("a session that took the lock first does not follow another one than it did, where the state went back in between", async () => {
  const { world, Thing, stage, store, program } = await sealedStage();
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {})]);
  const old = await all(store);
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {}), await Thing("c", {})]);
  await stage.up(async () => [await Thing("a", {}), await Thing("b", {}), await Thing("c", {}), await Thing("d", {})], {
    lock: "eager",
  });
  const last = await newestIn(store, keys.entries);
  const ahead = await all(store);
  await put(store, old);
  await stage.up(program);
  expect(world.names).toEqual(["a#1", "c#3", "d#4"]);

  // With b gone, c never recorded, and d created: a state that never existed.
  await store.set(last, ahead.get(last) ?? "");
  const [, ...later] = await seqsIn(store, keys.checkpoints);
  for (const seq of later) await store.deleteMany([keys.checkpoint(seq)]);
  expect(await refusalOf(world, () => stage.up(program))).toMatch(/^EngineError STATE_(FORGED|CORRUPT) /);
});
