import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { CHECKPOINT_LIMITS } from "../../../core/state/index.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, type Run, recordAt, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { quiet } from "../../helpers/time/gate.js";

const ledgers = testLedgers();
const both = [{ append: true }, { append: false }] as const;
const SMALL_TAIL = { ...NO_CHECKPOINTS, tail: 3_000 };

async function within(store: StateStore, room: string): Promise<string[]> {
  return (await keysIn(store)).filter((key) => key.startsWith(room));
}

async function putMany(run: Run, count: number, prefix = ""): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  for (const name of names) await run.put(name);
  await quiet();
  return names;
}

describe("the usual limits", () => {
  it("are 64 entries, a megabyte, and a checkpoint at each close of a state of up to a megabyte", () => {
    expect(CHECKPOINT_LIMITS).toEqual({ entries: 64, tail: 1_000_000, midRunFactor: 8, small: 1_000_000 });
  });

  it("let a store without segments gather 64 entries before a checkpoint comes in mid-run", async () => {
    const store = memoryStore({ append: false });
    const run = await ledgers.run(store);
    for (let entry = 1; entry <= 64; entry++) await run.put("same");
    expect(await within(store, "checkpoint")).toEqual([]);
    await run.put("same");
    await quiet();
    expect(await within(store, "checkpoint")).toEqual(["checkpoint/65"]);
    const { take, store: recorded } = recordingStore(store);
    await loadFrom(recorded);
    expect(take()).toEqual(["list", "get journal/66", "get journal/67", "get checkpoint/65", "list"]);
  });
});

describe("a checkpoint in mid-run", () => {
  it("comes after eight times as many entries as there are resources, and none while they are made", async () => {
    const store = memoryStore({ append: false });
    const run = await ledgers.run(store);
    const names = await putMany(run, 100);
    for (let time = 1; time < 8; time++) for (const name of names) await run.put(name);
    await quiet();
    expect(await within(store, "checkpoint")).toEqual([]);
    for (const name of names.slice(0, 2)) await run.put(name);
    await quiet();
    expect(await within(store, "checkpoint")).toHaveLength(1);
  });

  it("comes when the segment has grown too long, which then ends for good", async () => {
    const store = memoryStore();
    const run = await ledgers.run(store, { limits: SMALL_TAIL });
    const names = await putMany(run, 40);
    expect((await within(store, "checkpoint")).length).toBe(3);
    const { base, tailSize } = await loadFrom(store);
    expect(base).toBeGreaterThan(3);
    expect(tailSize).toBeLessThan(2 * SMALL_TAIL.tail);
    expect(recorded(await loadFrom(store))).toEqual(names);
    await run.close();
    expect(recorded(await loadFrom(store))).toEqual(names);
  });

  it("comes the later the larger the state is", async () => {
    const store = memoryStore();
    const first = await ledgers.run(store, { limits: CLOSING_CHECKPOINTS });
    await first.ledger.commit([{ op: "put", record: recordAt("big", { props: "x".repeat(40_000) }) }], "now");
    await first.close();
    const run = await ledgers.run(store, { limits: SMALL_TAIL });
    await putMany(run, 15);
    expect(await within(store, "checkpoint")).toHaveLength(1);
    await putMany(run, 15, "more");
    expect(await within(store, "checkpoint")).toHaveLength(2);
  });

  it.each(both)("is written beside the run, which does not wait for it (%j)", async (options) => {
    const inner = memoryStore(options);
    const gated = gatedStore(inner);
    gated.hold(/^create checkpoint/);
    const run = await ledgers.run(gated.store, { limits: { ...NO_CHECKPOINTS, entries: 3, tail: 1_000 } });
    const names = await putMany(run, 10);
    expect(gated.held).toHaveLength(1);
    expect(recorded(await loadFrom(inner))).toEqual(names);
    gated.hold(undefined);
    await gated.held[0]?.answer();
    await run.close();
    expect((await within(inner, "checkpoint")).length).toBeGreaterThan(1);
    expect(recorded(await loadFrom(inner))).toEqual(names);
  });

  it.each(both)(
    "stands for a session that is still open: a run that loads it takes the session over (%j)",
    async (options) => {
      const store = memoryStore(options);
      const run = await ledgers.run(store, { limits: { ...NO_CHECKPOINTS, entries: 1, tail: 500 } });
      const names = await putMany(run, 6);
      await ledgers.ran(store, "next", { limits: NO_CHECKPOINTS });
      expect(recorded(await loadFrom(store))).toEqual([...names, "next"]);
      await expect(run.put("late")).rejects.toMatchObject({ code: "FENCED" });
      expect(recorded(await loadFrom(store))).toEqual([...names, "next"]);
    },
  );
});

describe("a checkpoint at the end of a run", () => {
  it("comes after every change of a small state, with a copy for people", async () => {
    const store = memoryStore();
    const { put, close } = await ledgers.run(store);
    await put("a");
    await close();
    expect(await keysIn(store)).toEqual(["checkpoint/2", "history/2", "journal/1", "journal/2"]);
    expect(await store.get("app/dev/history/000000000002")).toBe(await store.get("app/dev/checkpoint/000000000002"));
  });

  it("does not come after every change of a large state, whose journal is shorter", async () => {
    const store = memoryStore();
    for (const name of ["a", "b"]) {
      await ledgers.ran(store, name, { limits: { ...CLOSING_CHECKPOINTS, small: 10 } });
    }
    expect(await within(store, "checkpoint")).toEqual([]);
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
  });

  it("can be read by people: each resource is a line", async () => {
    const store = memoryStore();
    await ledgers.ran(store, ["a", "b"]);
    const lines = (await store.get("app/dev/checkpoint/000000000002"))?.split("\n") ?? [];
    const keys = lines.slice(1, -2).map((line) => JSON.parse(line.replace(/,$/, "")).key);
    expect(keys).toEqual(["a", "b"]);
  });
});

describe("the history", () => {
  it("keeps the checkpoints of the last ten runs that changed something", async () => {
    const store = memoryStore();
    for (let number = 1; number <= 13; number++) {
      await ledgers.ran(store, `${number}`);
      const idle = await ledgers.run(store);
      await idle.close();
    }
    const newest = (await loadFrom(store)).head.seq;
    expect(await within(store, "history")).toEqual(
      Array.from({ length: 10 }, (_, index) => `history/${newest - 9 + index}`),
    );
  });

  it("is of the length that was asked for, which may be none", async () => {
    for (const histories of [0, 1]) {
      const store = memoryStore();
      for (const name of ["a", "b"]) await ledgers.ran(store, name, { histories });
      expect(await within(store, "history")).toHaveLength(histories);
    }
  });

  it("is not needed for anything: damaged or gone, the state loads", async () => {
    const store = memoryStore();
    for (const name of ["a", "b"]) await ledgers.ran(store, name);
    await store.set("app/dev/history/000000000002", "damaged");
    await store.deleteMany(["app/dev/history/000000000003"]);
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
    const run = await ledgers.ran(store, "c");
    expect(run.warnings()).toEqual([]);
  });
});
