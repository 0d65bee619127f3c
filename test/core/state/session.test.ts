import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { NOTHING_DONE } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { type Change, readSegment } from "../../../core/state/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { keys, keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { keysOf, NO_CHECKPOINTS, putting, type Run, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore, storeAround } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
const both = [{ append: true }, { append: false }] as const;
const start = (store: StateStore): Promise<Run> => ledgers.run(store, { limits: NO_CHECKPOINTS });

/** Kinds of the lines of an entry, e.g. `open+ops`. */
async function shape(store: StateStore, seq: number): Promise<string[]> {
  const segment = readSegment(seq, (await store.get(keys.entry(seq))) ?? "");
  const kinds = ["open", "settled", "ops", "close"] as const;
  return (segment?.lines ?? []).map(({ entry }) => kinds.filter((kind) => entry[kind] !== undefined).join("+"));
}

/** A run that has recorded `a`, and continues. */
const begun = (store: StateStore): Promise<Run> => ledgers.begun(store, "a", { limits: NO_CHECKPOINTS });
const ran = (store: StateStore, ...names: string[]): Promise<Run> =>
  ledgers.ran(store, names, { limits: NO_CHECKPOINTS });

describe.each(both)("a session (%j)", (options) => {
  it("opens with its first write and not before", async () => {
    const { store, calls } = recordingStore(memoryStore(options));
    const run = await start(store);
    expect(calls.filter(({ op }) => op !== "list" && op !== "get")).toEqual([]);
    await run.put("a");
    expect(recorded(await loadFrom(store))).toEqual(["a"]);
    expect(run.events.map(({ type }) => type)).toEqual(["state:locked", "state:committed"]);
  });

  it("that only reads writes nothing, even where a dead owner left its session open", async () => {
    const store = memoryStore(options);
    await begun(store);
    const before = await snapshot(store);
    const run = await ledgers.run(store, { writes: false });
    await run.close();
    expect(await snapshot(store)).toEqual(before);
  });

  it("follows one that was closed, with its first changes in its open", async () => {
    const store = memoryStore(options);
    await ran(store, "a");
    const { head } = await loadFrom(store);
    await ran(store, "b");
    expect((await shape(store, head.seq + 1))[0]).toBe("open+ops");
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
  });

  it("is reported when it begins and when it ends, with the same name", async () => {
    const store = memoryStore(options);
    const run = await begun(store);
    await run.close();
    const sessions = run.events.flatMap((event) => ("session" in event ? [event.session] : []));
    expect(sessions).toEqual([sessions[0], sessions[0]]);
  });

  it("ends the session of a dead owner though it changes nothing itself", async () => {
    const store = memoryStore(options);
    await begun(store);
    const run = await start(store);
    await run.close();
    expect(run.events.map(({ type }) => type)).toEqual([
      "state:taken-over",
      "state:locked",
      "state:committed",
      "state:unlocked",
    ]);
    expect((await loadFrom(store)).head.open).toBeUndefined();
  });

  it("begins again if something is written after its end", async () => {
    const store = memoryStore(options);
    const run = await begun(store);
    await run.close();
    await run.put("b");
    await run.close();
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
    expect(run.events.filter(({ type }) => type === "state:locked")).toHaveLength(2);
  });

  it("writes nothing for changes that are none", async () => {
    const store = memoryStore(options);
    const run = await start(store);
    await run.ledger.commit([], "now");
    expect(await keysIn(store)).toEqual([]);
  });

  it("knows its own entry again where the answer to its create was lost", async () => {
    const inner = memoryStore(options);
    // Like a store whose request was sent twice on the way.
    const store = storeAround(inner, async (call, act) => {
      if (call.op === "create") await inner.create(call.key, call.value ?? "");
      return act();
    });
    const run = await begun(store);
    await run.put("b");
    await run.close();
    expect(recorded(await loadFrom(inner))).toEqual(["a", "b"]);
  });
});

describe("what stays in the journal for ever is small:", () => {
  it.each(both)("the first entry is an open and nothing else (%j)", async (options) => {
    const store = memoryStore(options);
    await ran(store, "a");
    expect(await shape(store, 1)).toEqual(["open"]);
    expect(await shape(store, 2)).toEqual(options.append ? ["ops", "close"] : ["ops"]);
  });

  it.each(both)("so is the open of a session that takes over (%j)", async (options) => {
    const store = memoryStore(options);
    await begun(store);
    const { head } = await loadFrom(store);
    await ran(store, "b");
    expect(await shape(store, head.seq + 1)).toEqual(["open"]);
    expect((await shape(store, head.seq + 2))[0]).toBe(options.append ? "settled+ops" : "ops");
    expect((await loadFrom(store)).head.guards).toEqual([1, head.seq + 1]);
  });
});

describe.each(both)("where another run wrote since the load (%j)", (options) => {
  const dropping: Change = { op: "drop", uid: "uid-x" };
  const remembering: Change = { op: "data", owner: "/", key: "n", value: 1 };

  /** A run that has read `a`, `b` and the root's data, while another one writes the given change. */
  async function overtaken(change: Change, closes = true): Promise<{ run: Run; store: StateStore }> {
    const store = memoryStore(options);
    await ran(store, "a", "x");
    const run = await start(store);
    run.ledger.read("a");
    run.ledger.read("b");
    run.ledger.readData("/", "n");
    const other = await start(store);
    await other.ledger.commit([change], "now");
    if (closes) await other.close();
    return { run, store };
  }

  it.each([true, false])(
    "and not what this one has read, it goes on with all it has queued (closed: %s)",
    async (closes) => {
      const { run, store } = await overtaken(putting("theirs"), closes);
      const first = run.put("b");
      const second = run.put("c");
      await Promise.all([first, second]);
      expect(keysOf(run.ledger)).toEqual(["a", "b", "c", "theirs", "x"]);
      await run.close();
      expect(recorded(await loadFrom(store)).sort()).toEqual(["a", "b", "c", "theirs", "x"]);
    },
  );

  it("other data of an owner whose data this one has read and now sets, it goes on", async () => {
    const { run, store } = await overtaken({ op: "data", owner: "/", key: "theirs", value: 1 });
    await run.ledger.commit([{ op: "data", owner: "/", key: "ours", value: 2 }], "now");
    await run.close();
    const { contents } = await loadFrom(store);
    expect(Object.fromEntries(contents.data.get("/") ?? [])).toEqual({ theirs: 1, ours: 2 });
  });

  const touching: [string, Change][] = [
    ["a record that this one has read", { op: "patch", uid: "uid-a", set: { error: "theirs" } }],
    ["a record that this one has looked for in vain", putting("b")],
    ["data that this one has read", remembering],
  ];

  it.each(touching)("%s, it changes nothing and says so", async (_, change) => {
    for (const closes of [true, false]) {
      const { run, store } = await overtaken(change, closes);
      const before = recorded(await loadFrom(store));
      const [code, message] = await rejectedCode(run.put("c"));
      expect([code, message]).toEqual(["STATE_MOVED", expect.stringContaining("Run again")]);
      expect(run.broken).toHaveLength(1);
      const left = await loadFrom(store);
      expect(recorded(left)).toEqual(before);
      if (closes) expect(left.head.open).toBeUndefined();
      expect((await rejectedCode(run.put("d")))[0]).toBe("STATE_MOVED");
    }
  });

  it("in a record that this one changes without having asked for it, it says so, too", async () => {
    const { run } = await overtaken({ op: "patch", uid: "uid-x", set: { error: "theirs" } });
    const changing = run.ledger.commit([{ op: "patch", uid: "uid-x", set: { attempt: 1 } }], "now");
    expect((await rejectedCode(changing))[0]).toBe("STATE_MOVED");
  });

  it("anything at all, it deletes nothing", async () => {
    const { run } = await overtaken(putting("theirs"));
    expect((await rejectedCode(run.ledger.commit([dropping], "now")))[0]).toBe("STATE_MOVED");
  });
});

describe("closing", () => {
  it.each(both)("keeps how the run ended (%j)", async (options) => {
    const store = memoryStore(options);
    const run = await begun(store);
    await run.ledger.close("failed", { ...NOTHING_DONE, created: 1, failed: 2 });
    const { head } = await loadFrom(store);
    const lines = readSegment(head.seq, (await store.get(keys.entry(head.seq))) ?? "")?.lines ?? [];
    expect(lines.at(-1)?.entry.close).toMatchObject({ outcome: "failed", summary: { created: 1, failed: 2 } });
  });
});
