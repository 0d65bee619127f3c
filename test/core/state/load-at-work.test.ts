import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import type { Loaded } from "../../../core/state/index.js";
import { checkpointAt, entries, fill, keys, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { NO_CHECKPOINTS, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore, storeAround } from "../../helpers/stores/store-around.js";
import { chained, ops } from "../../helpers/terminal/lines.js";

const ledgers = testLedgers();

describe("damage counts only after a look that finds the load was not overtaken:", () => {
  /** Damages the journal after a load listed checkpoint 1, and then writes newer checkpoints that heal it. */
  async function overtaken(damage: (store: StateStore) => Promise<unknown>): Promise<Loaded> {
    const inner = entries();
    await fill(inner, 8);
    let isFirst = true;
    const store = storeAround(inner, async (call, act) => {
      const answer = await act();
      if (call.op === "list" && isFirst) {
        isFirst = false;
        await damage(inner);
        for (const seq of [10, 11, 12]) await checkpointAt(inner, seq);
      }
      return answer;
    });
    return loadFrom(store);
  }

  const stray = chained({ seq: 3, session: "t", ...ops("x") })[0]?.text ?? "";
  it.each<[string, (store: StateStore) => Promise<unknown>]>([
    ["a missing entry", (store) => store.deleteMany([keys.entry(3)])],
    ["all entries missing but the first", (store) => store.deleteMany([2, 3, 4, 5, 6, 7, 8].map(keys.entry))],
    ["an entry that does not follow", (store) => store.set(keys.entry(3), stray)],
    ["an entry that was altered", (store) => store.set(keys.entry(3), "x\n")],
  ])("%s", async (_, damage) => {
    expect((await overtaken(damage)).base).toBe(12);
  });
});

/** Runs `then` after a load has read the tail, before its second listing. */
function beforeSecondLook(inner: StateStore, then: () => Promise<void>): StateStore {
  let looks = 0;
  return storeAround(inner, async ({ op }, act) => {
    if (op === "list" && ++looks === 2) await then();
    return act();
  });
}

describe("a load that meets others at work", () => {
  it("begins again where its checkpoint was trimmed between the list and the get", async () => {
    const inner = entries();
    await fill(inner, 1);
    await checkpointAt(inner, 1);
    let gone = false;
    const store = storeAround(inner, async (call, act) => {
      if (call.op === "get" && call.key === keys.checkpoint(1) && !gone) {
        gone = true;
        await inner.deleteMany([call.key]);
        await checkpointAt(inner, 2);
      }
      return act();
    });
    expect((await loadFrom(store)).base).toBe(2);
  });

  it("does not take entries for lost that came while it read", async () => {
    const inner = entries();
    await fill(inner, 3);
    const store = beforeSecondLook(inner, () => fill(inner, 9));
    expect(recorded(await loadFrom(store)).length).toBeGreaterThanOrEqual(3);
  });

  it("does not take an entry for lost that came while it read and was trimmed when it looked for it", async () => {
    const inner = entries();
    await fill(inner, 3);
    let looks = 0;
    const store = storeAround(
      beforeSecondLook(inner, () => fill(inner, 6)),
      async (call, act) => {
        // The first read finds nothing; the second one comes after later entries were found.
        if (call.op === "get" && call.key === keys.entry(4) && ++looks === 2) {
          for (const seq of [4, 5, 6]) await checkpointAt(inner, seq);
          await inner.deleteMany([call.key]);
        }
        return act();
      },
    );
    expect((await loadFrom(store)).base).toBe(6);
    expect(looks).toBe(2);
  });

  it("does not take an entry for lost that came in the middle of a batch", async () => {
    const inner = entries();
    await fill(inner, 1);
    const store: StateStore = {
      ...inner,
      async *list(prefix) {
        yield* inner.list(prefix);
        await fill(inner, 5);
      },
      async getMany(wanted) {
        const before = await inner.getMany(wanted);
        if (wanted.length < 4) return before;
        await fill(inner, 8);
        const after = await inner.getMany(wanted);
        return [before[0], before[1], after[2], after[3]];
      },
    };
    expect(recorded(await loadFrom(store))).toHaveLength(8);
  });

  it("looks for the next entry once more after a batch with a segment that grows, which may have been read last", async () => {
    const inner = memoryStore();
    await ledgers.begun(inner, "a", { limits: NO_CHECKPOINTS });
    const { store, take } = recordingStore(inner);
    await loadFrom(store);
    expect(take()).toEqual([
      "list checkpoint",
      "get journal/1",
      "getMany journal/2 and 1 more",
      "get journal/3",
      "list",
    ]);
  });
});
