import { describe, expect, it } from "vitest";
import { Contents } from "../../../core/state/change.js";
import { writeCheckpoint } from "../../../core/state/checkpoint.js";
import { emptyHead } from "../../../core/state/head.js";
import { ledgerKeys } from "../../../core/state/keys.js";
import { type Loaded, load } from "../../../core/state/load.js";
import { memoryStore } from "../../../core/state/memory.js";
import type { StateStore } from "../../../core/state/store.js";
import { rejectedCode } from "../../helpers/codes.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, testLedgers } from "../../helpers/ledgers.js";
import { chained, genesis, openRecord, ops } from "../../helpers/lines.js";
import { recordingStore, storeAround } from "../../helpers/store-around.js";

const ledgers = testLedgers();
const keys = ledgerKeys("app", "dev");
const entries = () => memoryStore({ append: false });

function loadFrom(store: StateStore, place: { app?: string; stage?: string } = {}): Promise<Loaded> {
  return load({ store, keys, app: "app", stage: "dev", keep: 3, ...place });
}

function recorded({ contents }: Loaded): string[] {
  return [...contents.records.values()].map(({ key }) => key);
}

/** A journal of so many entries by create, each with one record named after its number. */
async function fill(store: StateStore, count: number): Promise<void> {
  const more = Array.from({ length: count - 1 }, (_, index) => ({
    seq: index + 2,
    session: "s",
    ...ops(`${index + 2}`),
  }));
  const lines = chained({ seq: 1, session: "s", open: openRecord({ genesis }), ...ops("1") }, ...more);
  for (const { entry, text } of lines) await store.create(keys.entry(entry.seq), text);
}

async function checkpointAt(store: StateStore, seq: number): Promise<void> {
  const head = { ...emptyHead("app", "dev"), lineage: "lineage", seq, digest: `at ${seq}` };
  await store.create(keys.checkpoint(seq), writeCheckpoint(head, new Contents(), "1.2.3", false));
}

describe("a load", () => {
  it("of a stage that was never written finds nothing", async () => {
    const { head, contents, base } = await loadFrom(memoryStore());
    expect({ ...head, base, isEmpty: contents.isEmpty }).toMatchObject({
      seq: 0,
      lineage: undefined,
      isEmpty: true,
      base: 0,
    });
  });

  it("folds every entry, which it reads in batches that grow", async () => {
    const { store, calls } = recordingStore(entries());
    await fill(store, 200);
    calls.length = 0;
    expect(recorded(await loadFrom(store))).toHaveLength(200);
    const reads = calls.filter(({ op }) => op === "get" || op === "getMany").map((call) => call.keys.length);
    expect(reads).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
  });

  it("begins with the newest checkpoint and reads nothing that came before", async () => {
    const { store, calls } = recordingStore(entries());
    for (const key of ["a", "b", "c"]) {
      const run = await ledgers.run(store, { limits: CLOSING_CHECKPOINTS });
      await run.put(key);
      await run.close();
    }
    calls.length = 0;
    const loaded = await loadFrom(store);
    expect(recorded(loaded)).toEqual(["a", "b", "c"]);
    expect(calls.filter(({ op, key }) => op !== "list" && key < keys.checkpoint(loaded.base))).toEqual([]);
  });

  it("knows how much of what it read no checkpoint stands for", async () => {
    const store = entries();
    await fill(store, 3);
    const texts = await store.getMany([1, 2, 3].map(keys.entry));
    expect(await loadFrom(store)).toMatchObject({ base: 0, baseSize: 0, tailSize: texts.join("").length });
  });

  it("passes over keys that are not the ledger's", async () => {
    const store = entries();
    await fill(store, 1);
    await store.set(`${keys.checkpoints}notes`, "mine");
    await store.set(`${keys.checkpoints}99`, "mine");
    expect(recorded(await loadFrom(store))).toEqual(["1"]);
  });
});

describe("a load refuses", () => {
  it("a journal in which an entry is missing, by its key", async () => {
    for (const lost of [2, 3, 4, 7]) {
      const store = entries();
      await fill(store, 8);
      await store.delete(keys.entry(lost));
      expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(keys.entry(lost))]);
    }
  });

  it("an entry that does not follow the one before it", async () => {
    const store = entries();
    await fill(store, 3);
    const [, other] = chained({ seq: 2, session: "t", ...ops("x") }, { seq: 3, session: "t", ...ops("y") });
    await store.set(keys.entry(3), other?.text ?? "");
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(keys.entry(3))]);
  });

  it("an entry or a checkpoint in which something was altered", async () => {
    const store = entries();
    const run = await ledgers.run(store, { limits: CLOSING_CHECKPOINTS });
    await run.put("a");
    await run.close();
    await (await ledgers.run(store, { limits: NO_CHECKPOINTS })).put("b");
    const newest = keys.entry((await loadFrom(store)).head.seq);
    for (const key of [newest, keys.checkpoint((await loadFrom(store)).base)]) {
      const text = (await store.get(key)) ?? "";
      await store.set(key, text.replace("test:Thing", "test:Think"));
      expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(key)]);
      await store.set(key, text);
    }
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
  });

  it("an entry of a newer format, by the version that wrote it", async () => {
    const store = entries();
    const open = openRecord({ genesis, format: 2, version: "9.8.7" });
    await store.create(keys.entry(1), chained({ seq: 1, session: "s", open })[0]?.text ?? "");
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_FORMAT", expect.stringContaining("9.8.7")]);
  });

  it("the state of another stage", async () => {
    const store = entries();
    await fill(store, 1);
    expect(await rejectedCode(loadFrom(store, { stage: "DEV" }))).toEqual([
      "STATE_IDENTITY",
      expect.stringContaining('"app/dev"'),
    ]);
    expect((await rejectedCode(loadFrom(store, { app: "App" })))[0]).toBe("STATE_IDENTITY");
  });

  it("a state that is rewritten whenever it looks", async () => {
    let newest = 1;
    const inner = entries();
    const store = storeAround(inner, async (call, act) => {
      if (call.op === "get" && call.key.startsWith(keys.checkpoints)) {
        await inner.delete(call.key);
        await checkpointAt(inner, ++newest);
      }
      return act();
    });
    await checkpointAt(inner, newest);
    expect((await rejectedCode(loadFrom(store)))[0]).toBe("STORE_FAILED");
  });
});

describe("damage counts only after a look that finds the load was not overtaken:", () => {
  /** Damages the journal for a load that has listed checkpoint 1 by the time that it reads, and heals it behind its back. */
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

  it("a missing entry", async () => {
    expect((await overtaken((store) => store.delete(keys.entry(3)))).base).toBe(12);
  });

  it("all entries missing but the first", async () => {
    const gone = [2, 3, 4, 5, 6, 7, 8].map(keys.entry);
    expect((await overtaken((store) => store.deleteMany(gone))).base).toBe(12);
  });

  it("an entry that does not follow", async () => {
    const stray = chained({ seq: 3, session: "t", ...ops("x") })[0]?.text ?? "";
    expect((await overtaken((store) => store.set(keys.entry(3), stray))).base).toBe(12);
  });

  it("an entry that was altered", async () => {
    expect((await overtaken((store) => store.set(keys.entry(3), "x\n"))).base).toBe(12);
  });
});

describe("a load that meets others at work", () => {
  it("begins again where its checkpoint was trimmed between the list and the get", async () => {
    const inner = entries();
    await fill(inner, 1);
    await checkpointAt(inner, 1);
    let gone = false;
    const store = storeAround(inner, async (call, act) => {
      if (call.op === "get" && call.key === keys.checkpoint(1) && !gone) {
        gone = true;
        await inner.delete(call.key);
        await checkpointAt(inner, 2);
      }
      return act();
    });
    expect((await loadFrom(store)).base).toBe(2);
  });

  it("does not take entries for lost that came while it read", async () => {
    const inner = entries();
    await fill(inner, 3);
    const longer = entries();
    await fill(longer, 9);
    const store = storeAround(inner, async (call, act) => {
      const answer = await act();
      // After the tail was read, before the second look.
      if (call.op === "getMany")
        for (const seq of [4, 5, 6, 7, 8, 9])
          await inner.create(keys.entry(seq), (await longer.get(keys.entry(seq))) ?? "");
      return answer;
    });
    expect(recorded(await loadFrom(store)).length).toBeGreaterThanOrEqual(3);
  });

  it("does not take an entry for lost that came in the middle of a batch", async () => {
    const inner = entries();
    await fill(inner, 4);
    const longer = entries();
    await fill(longer, 7);
    const store: StateStore = {
      ...inner,
      async getMany(wanted) {
        const before = await inner.getMany(wanted);
        if (wanted.length < 4) return before;
        for (const seq of [5, 6, 7]) await inner.create(keys.entry(seq), (await longer.get(keys.entry(seq))) ?? "");
        const after = await inner.getMany(wanted);
        return [before[0], before[1], after[2], after[3]];
      },
    };
    expect(recorded(await loadFrom(store))).toHaveLength(7);
  });

  it("looks for the next entry once more after a batch with a segment that grows, which may have been read last", async () => {
    const inner = memoryStore();
    const first = await ledgers.run(inner, { limits: NO_CHECKPOINTS });
    await first.put("a");
    await first.close();
    const owner = await ledgers.run(inner, { limits: NO_CHECKPOINTS });
    await owner.put("b");
    const { store, take } = recordingStore(inner);
    await loadFrom(store);
    expect(take()).toEqual([
      "list checkpoint",
      "get journal/1",
      "getMany journal/2 and 1 more",
      "getMany journal/4 and 3 more",
      "list",
    ]);
  });
});
