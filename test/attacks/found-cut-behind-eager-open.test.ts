import { expect, test } from "vitest";
import { seqOf } from "../../core/state/index.js";
import { keys, linesOf, newestIn, seqsIn } from "./forging.ts";
import { refusalOf, sealedStage } from "./stages.ts";

/**
 * An `open` without changes, which every run with `lock: "eager"` writes, may name any line before it (`follows` in
 * head.ts). If lines before it are cut off, the remaining state has only MACs that fit, and never existed.
 */
test("the end of a session, cut off, is noticed where the session after it had taken the lock before it changed anything", async () => {
  const { world, Thing, stage, store, program: less } = await sealedStage();
  await stage.up(async () => [await less(), await Thing("b", {})]);
  await stage.up(less);
  expect(world.names).toEqual(["a#1"]);
  const cut = await newestIn(store, keys.entries);
  const program = async () => [await less(), await Thing("c", {})];
  await stage.up(program, { lock: "eager" });

  // Only the first line of the session that deleted b is left: the intent.
  const [first = ""] = linesOf(await store.get(cut));
  await store.set(cut, first);
  for (const seq of await seqsIn(store, keys.checkpoints)) {
    if (seq >= (seqOf(cut) ?? 0)) await store.deleteMany([keys.checkpoint(seq)]);
  }
  expect(await refusalOf(world, () => stage.up(program))).toMatch(/^EngineError STATE_(FORGED|CORRUPT) /);
});
