import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { checkpointAt, entries, fill, keys, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, keysOf, NO_CHECKPOINTS, recordAt, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore, type StoreCall, storeAround } from "../../helpers/stores/store-around.js";
import { chained, genesis, openRecord, ops } from "../../helpers/terminal/lines.js";

const ledgers = testLedgers();

/** Number of keys in each read. */
function readsIn(calls: readonly StoreCall[]): number[] {
  return calls.filter(({ op }) => op === "get" || op === "getMany").map((call) => call.keys.length);
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

  it("folds every entry: those that are listed, and then the next one, which is not there", async () => {
    const { store, calls } = recordingStore(entries());
    await fill(store, 200);
    calls.length = 0;
    expect(recorded(await loadFrom(store))).toHaveLength(200);
    expect(readsIn(calls)).toEqual([64, 64, 64, 8, 1]);
  });

  it("folds what came since the list, too, which it reads in batches that grow", async () => {
    const inner = entries();
    await fill(inner, 3);
    const early = storeAround(inner, async ({ op }, act) => {
      const answer = await act();
      if (op === "list") await fill(inner, 40);
      return answer;
    });
    const { store, calls } = recordingStore(early);
    expect(recorded(await loadFrom(store))).toHaveLength(40);
    expect(readsIn(calls)).toEqual([3, 1, 2, 4, 8, 16, 32]);
  });

  it("begins with the newest checkpoint and reads nothing that came before", async () => {
    const { store, calls } = recordingStore(entries());
    for (const key of ["a", "b", "c"]) await ledgers.ran(store, key, { limits: CLOSING_CHECKPOINTS });
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
      await store.deleteMany([keys.entry(lost)]);
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
    await ledgers.ran(store, "a", { limits: CLOSING_CHECKPOINTS });
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

  it("a checkpoint that was overwritten by a whole entry, which has no records", async () => {
    const store = entries();
    await ledgers.ran(store, "a", { limits: CLOSING_CHECKPOINTS });
    const key = keys.checkpoint((await loadFrom(store)).base);
    await store.set(key, (await store.get(keys.entry(1))) ?? "");
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(`"${key}"`)]);
  });

  it.each([
    ["the uid", "a", "/../../../etc/x"],
    ["the uid", "a", ".."],
    ["the uid", "a", "u\u0000"],
    ["the name", "../../etc", "u"],
    ["the name", "a//b", "u"],
    ["the name", "child/.", "u"],
    ["the name", "a\u001b[8m", "u"],
    ["the name", "", "u"],
  ])(
    "%s of a resource that no program can have given, which would lead out of a folder: %j, %j",
    async (what, key, uid) => {
      for (const limits of [CLOSING_CHECKPOINTS, NO_CHECKPOINTS]) {
        const store = entries();
        const run = await ledgers.run(store, { limits });
        await run.ledger.commit([{ op: "put", record: recordAt(key, { uid }) }], "now");
        await run.close();
        const [code, message] = await rejectedCode(loadFrom(store));
        expect(code).toBe("STATE_CORRUPT");
        expect(message).toContain(`${what} ${JSON.stringify(what === "the uid" ? uid : key)}`);
      }
    },
  );

  it.each(["größe", "a b", "uid-site/page", "..a", "..."])(
    "a name that is only unusual, by letting it be: %j",
    async (key) => {
      const store = entries();
      const run = await ledgers.run(store);
      await run.ledger.commit([{ op: "put", record: recordAt(key) }], "now");
      expect(recorded(await loadFrom(store))).toContain(key);
    },
  );

  it.each([5, 900])(
    "a stray file among the entries by its own key, and not by one that was never written: %i",
    async (seq) => {
      const store = entries();
      await fill(store, 3);
      await store.set(keys.entry(seq), (await store.get(keys.entry(2))) ?? "");
      const stray = keys.entry(seq);
      const [code, message] = (await rejectedCode(loadFrom(store))) ?? [];
      expect(code).toBe("STATE_CORRUPT");
      expect(message).toContain(
        `damaged at "${stray}": its content is not entry ${seq}, and the earlier entry "${keys.entry(4)}" is missing`,
      );
      expect(message).toContain(`If something other than scope-engine put "${stray}" there, delete it`);
    },
  );

  it("a store that lists what it denies, without asking it a hundred times", async () => {
    const inner = entries();
    await checkpointAt(inner, 1);
    let denials = 0;
    const store = storeAround(inner, async (call, act) => {
      if (call.op !== "get" || call.key !== keys.checkpoint(1)) return act();
      denials++;
      const text = (await inner.get(call.key)) ?? "";
      await inner.deleteMany([call.key]);
      const answer = await act();
      await inner.set(call.key, text);
      return answer;
    });
    expect(await rejectedCode(loadFrom(store))).toEqual([
      "STORE_FAILED",
      expect.stringMatching(new RegExp(`listed "${keys.checkpoint(1)}" but did not return it`)),
    ]);
    expect(denials).toBe(10);
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
        await inner.deleteMany([call.key]);
        await checkpointAt(inner, ++newest);
      }
      return act();
    });
    await checkpointAt(inner, newest);
    expect((await rejectedCode(loadFrom(store)))[0]).toBe("STORE_FAILED");
  });
});

interface Lost {
  readonly key: string;
  readonly text: string;
}

/** Runs record a, with a checkpoint, then b, c and d; then the first entry after the checkpoint is deleted. */
async function lose(store: StateStore): Promise<Lost> {
  for (const name of ["a", "b", "c", "d"]) {
    await ledgers.ran(store, name, { limits: name === "a" ? CLOSING_CHECKPOINTS : NO_CHECKPOINTS });
  }
  const key = keys.entry((await loadFrom(store)).base + 1);
  const text = (await store.get(key)) ?? "";
  await store.deleteMany([key]);
  return { key, text };
}

describe("an entry that was lost behind a checkpoint, on a store without segments", () => {
  it("is noticed by every load, for there each looks at what else is there", async () => {
    const store = entries();
    const { key } = await lose(store);
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(key)]);
  });
});

describe("an entry that was lost behind a checkpoint, on a store with segments", () => {
  it("is noticed by runs that write, before anything is done, and not by those that only read", async () => {
    const store = memoryStore();
    await lose(store);
    const run = await ledgers.run(store);
    expect(keysOf(run.ledger)).toEqual(["a"]);
    expect(await rejectedCode(run.put("e"))).toEqual(["STATE_CORRUPT", expect.stringContaining("journal/")]);
    expect(run.broken).toHaveLength(1);
    expect((await rejectedCode(loadFrom(store)))[0]).toBe("STATE_CORRUPT");
  });

  it("makes the state whole once it is put back, even if a run tried to write meanwhile", async () => {
    const store = memoryStore();
    const { key, text } = await lose(store);
    await rejectedCode((await ledgers.run(store)).put("e"));
    await store.set(key, text);
    expect(recorded(await loadFrom(store))).toEqual(["a", "b", "c", "d"]);
    await ledgers.ran(store, "f");
    expect(recorded(await loadFrom(store))).toEqual(["a", "b", "c", "d", "f"]);
  });
});
