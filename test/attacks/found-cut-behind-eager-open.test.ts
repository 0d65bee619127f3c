import { describe, expect, test } from "vitest";
import { seqOf } from "../../core/state/keys.js";
import { memoryStore } from "../../core/state/memory.js";
import type { StateStore } from "../../core/state/store.js";
import { keys } from "../helpers/journals.ts";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";

async function last(store: StateStore, room: string): Promise<number> {
  let seq = 0;
  for await (const key of store.list(room)) seq = Math.max(seq, seqOf(key) ?? 0);
  return seq;
}

describe("the end of a session, cut off", () => {
  /**
   * An `open` that brings nothing along, which every run with `lock: "eager"` writes, may name any line before it (`follows` in
   * head.ts): what was cut off there leaves a state whose MACs all fit, and that never was.
   */
  test("is noticed where the session after it had taken the lock before it changed anything", async () => {
    const world = new World();
    const Thing = world.type();
    const store = memoryStore();
    const stage = secretStage({ stateStore: store });
    await stage.up(() => Thing("a", {}));
    await stage.up(async () => [await Thing("a", {}), await Thing("b", {})]);
    await stage.up(() => Thing("a", {}));
    expect(world.names).toEqual(["a#1"]);
    const cut = await last(store, keys.entries);
    const program = async () => [await Thing("a", {}), await Thing("c", {})];
    await stage.up(program, { lock: "eager" });
    world.news();

    // Of the session that deleted b, only its first line is left: the intent.
    const [first = ""] = ((await store.get(keys.entry(cut))) ?? "").split(/(?<=\n)/);
    await store.set(keys.entry(cut), first);
    for await (const key of store.list(keys.checkpoints)) if ((seqOf(key) ?? 0) >= cut) await store.delete(key);

    const refused = await stage.up(program).then(
      () => "accepted",
      (error: unknown) => String(Object(error).code),
    );
    expect(world.news()).toEqual([]);
    expect(refused).toMatch(/STATE_(FORGED|CORRUPT)/);
  });
});
