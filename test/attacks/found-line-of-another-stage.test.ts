import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { ledgerKeys } from "../../core/state/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { bodyOf, firstBody, keys, seqsIn, textOf } from "./forging.ts";
import { refusalOf, sealedStage } from "./stages.ts";

describe("lines of another stage's runs", () => {
  /**
   * Two stages with one password. An attacker empties the other one, and gives it the name and the recorded key of this
   * one. An empty state needs no seal, so the run there continues with the key that it finds (`Keyring.seal`). Its MACs
   * then fit here, and the predecessor of an `open` without changes is not checked.
   */
  test("is refused by a stage whose name and key an attacker has given to the other one", async () => {
    const { world, Thing, stage: here, store, program: own } = await sealedStage();
    const end = (await seqsIn(store, keys.entries)).at(-1) ?? 0;
    const [kept] = bodyOf((await store.get(keys.checkpoint(end))) ?? "").data;
    const genesis = await firstBody(store);

    const other = secretStage({ stateStore: memoryStore(), stage: "other" });
    const there = ledgerKeys("app", "other");
    const [owner, [[key, value]]] = kept;
    genesis.open.genesis.stage = "other";
    await other.store.set(there.entry(1), textOf({ ...genesis, ops: [{ op: "data", owner, key, value }], close: {} }));
    const program = () => Thing("of the other stage", {});
    await other.up(program);
    await other.up(async () => [await program(), await Thing("more of it", {})], { lock: "eager" });
    const ends = (await seqsIn(other.store, there.entries)).at(-1) ?? 0;
    expect(ends).toBe(end + 1);

    await store.set(keys.entry(ends), (await other.store.get(there.entry(ends))) ?? "");
    expect(await refusalOf(world, () => here.up(own))).toMatch(/^EngineError STATE_(FORGED|CORRUPT|IDENTITY)/);
  });
});
