/** Segments whose length a load cannot derive from its first reads: they and everything after them may still change. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { checkpointAt, keys, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { recordingStore, storeAround } from "../../helpers/stores/store-around.js";
import { chained, closing, genesis, openRecord, ops, type WrittenLine } from "../../helpers/terminal/lines.js";

const SEGMENT = keys.entry(2);

/** A session with a segment of two lines. */
const owner = chained(
  { seq: 1, session: "a", open: openRecord({ genesis }) },
  { seq: 2, session: "a", grows: true, ...ops("one") },
  { seq: 2, session: "a", ...ops("two") },
);
/** The journal as the next owner loaded it. */
const before = owner.slice(0, 2);
const takeover = chained({ seq: 3, session: "b", prev: before.at(-1)?.digest ?? "", open: openRecord() });
/** First line of the new owner, which has read both lines by then. */
const settling = chained({
  seq: 4,
  session: "b",
  prev: takeover[0]?.digest ?? "",
  grows: true,
  settled: [{ seq: 2, lines: 2, digest: owner[2]?.digest ?? "" }],
  ...ops("three"),
});

/** Writes these lines into their entries. */
async function put(store: StateStore, lines: readonly WrittenLine[]): Promise<void> {
  for (const seq of new Set(lines.map(({ entry }) => entry.seq))) {
    const own = lines.filter(({ entry }) => entry.seq === seq);
    await store.set(keys.entry(seq), own.map(({ text }) => text).join(""));
  }
}

async function holding(lines: readonly WrittenLine[]): Promise<StateStore> {
  const store = memoryStore();
  await put(store, lines);
  return store;
}

/** A store in which others write while a load reads its first batch, between the first entry and the rest. */
async function writingInBatch(lines: readonly WrittenLine[]): Promise<StateStore> {
  const inner = await holding(before);
  let isFirst = true;
  return {
    ...inner,
    async getMany(wanted) {
      const early = await inner.getMany(wanted);
      if (!isFirst) return early;
      isFirst = false;
      await put(inner, lines);
      return [...early.slice(0, 1), ...(await inner.getMany(wanted)).slice(1)];
    },
  };
}

/** Runs `then` before an entry is read for the second time. */
function beforeReadAgain(inner: StateStore, key: string, then: () => Promise<unknown>): StateStore {
  let reads = 0;
  return storeAround(inner, async (call, act) => {
    if ((call.op === "get" || call.op === "getMany") && call.keys.includes(key) && ++reads === 2) await then();
    return act();
  });
}

describe("a segment that was read before its owner's last line", () => {
  it("holds that line if it was acknowledged before the takeover", async () => {
    const loaded = await loadFrom(await writingInBatch([...owner, ...takeover]));
    expect(recorded(loaded)).toEqual(["one", "two"]);
    // The session that took over has to record this.
    expect(loaded.unsettled.map(({ seq, lines }) => [seq, lines.length])).toEqual([[2, 2]]);
  });

  it("holds what the session that took over has counted of it", async () => {
    const loaded = await loadFrom(await writingInBatch([...owner, ...takeover, ...settling]));
    expect(recorded(loaded)).toEqual(["one", "two", "three"]);
    expect(loaded.unsettled).toEqual([]);
  });
});

describe("a segment is read", () => {
  const close = { seq: 2, session: "a", prev: before.at(-1)?.digest ?? "", close: closing };
  const next = { seq: 3, session: "b", grows: true, open: openRecord(), ...ops("two") } as const;

  it.each([
    ["twice where a session has begun behind it that says nothing of it", [...owner, ...takeover], 2],
    ["once where a later session recorded its length", [...owner, ...takeover, ...settling], 1],
    ["once where it ends in a close", [...before, ...chained(close, next)], 1],
  ])("%s", async (_, lines, times) => {
    const { store, calls } = recordingStore(await holding(lines));
    expect(recorded(await loadFrom(store))).toEqual(expect.arrayContaining(["one", "two"]));
    expect(calls.filter(({ op, keys }) => op !== "list" && keys.includes(SEGMENT))).toHaveLength(times);
  });
});

describe("a segment that holds fewer lines than a later session counted", () => {
  it("is damaged where it still does when it is read again", async () => {
    const { store, calls } = recordingStore(await holding([...before, ...takeover, ...settling]));
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(SEGMENT)]);
    expect(calls.filter(({ keys }) => keys.includes(SEGMENT))).toHaveLength(2);
  });
});

/** An `open` of a session that paused before writing it, under a number that was trimmed meanwhile. */
const late = chained({ seq: 2, session: "x", prev: owner[0]?.digest ?? "", open: openRecord(), ...ops("x") });

describe.each<[how: string, change: (store: StateStore) => Promise<unknown>]>([
  ["is gone", (store) => store.deleteMany([SEGMENT])],
  ["is another one", (store) => put(store, late)],
  ["is altered", (store) => store.set(SEGMENT, "x\n")],
])("a segment that %s when it is read again", (_, change) => {
  it("was trimmed where the load was overtaken, which begins again", async () => {
    const inner = await holding([...owner, ...takeover]);
    const store = beforeReadAgain(inner, SEGMENT, async () => {
      for (const seq of [5, 6, 7]) await checkpointAt(inner, seq);
      await change(inner);
    });
    expect((await loadFrom(store)).base).toBe(7);
  });

  it("is damaged where the load was not overtaken", async () => {
    const inner = await holding([...owner, ...takeover]);
    const store = beforeReadAgain(inner, SEGMENT, () => change(inner));
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(SEGMENT)]);
  });
});

describe("segments of which several are to be read again", () => {
  // The format allows a session to open in the segment that it continues, and to record lengths in a later line of it.
  const first = chained(
    { seq: 1, session: "a", grows: true, open: openRecord({ genesis }) },
    { seq: 1, session: "a", ...ops("one") },
    { seq: 1, session: "a", ...ops("two") },
  );
  const second = chained(
    { seq: 2, session: "b", prev: first[1]?.digest ?? "", grows: true, open: openRecord() },
    { seq: 2, session: "b", settled: [{ seq: 1, lines: 3, digest: first[2]?.digest ?? "" }] },
  );
  const third = chained({ seq: 3, session: "c", prev: second[0]?.digest ?? "", grows: true, open: openRecord() });
  const seen = [...first.slice(0, 2), ...second.slice(0, 1), ...third];

  it.each([
    [2, [2]],
    [1, [1, 2]],
  ])("lose nothing where others write before entry %i is: the newest is read first", async (seq, unsettled) => {
    const inner = await holding(seen);
    const store = beforeReadAgain(inner, keys.entry(seq), () => put(inner, [...first, ...second]));
    const loaded = await loadFrom(store);
    expect(recorded(loaded)).toEqual(["one", "two"]);
    expect(loaded.unsettled.map((segment) => segment.seq)).toEqual(unsettled);
  });
});
