import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import type { Change, Contents } from "../../../core/state/index.js";
import { restore } from "../../../plugins/admin/operations/restore.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { keys, keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { ownerOf, putting, recordAt, toolSettings as settings, testLedgers } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();

/** A run that makes these changes, and closes. */
async function changed(store: StateStore, ...changes: Change[]): Promise<number> {
  const run = await ledgers.run(store);
  await run.ledger.commit(changes, "now");
  await run.close();
  return (await loadFrom(store)).head.seq;
}

/** Everything in a state, in a fixed order. */
function told(contents: Contents): unknown {
  const records = [...contents.records.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  const data = [...contents.data].map(([owner, values]) => [owner, [...values].sort()]).sort();
  return JSON.parse(JSON.stringify({ records, data, current: records.map(({ key }) => contents.at(key)?.uid) }));
}

/** A state that changed a lot since its first copy; returns the numbers of that copy and of the newest. */
async function history(
  store: StateStore,
): Promise<{ readonly old: number; readonly recent: number; readonly was: unknown }> {
  const data: Change = { op: "data", owner: "/", key: "n", value: 1 };
  const old = await changed(store, putting("a"), putting("b"), putting("c"), data, { ...data, key: "same" });
  const was = told((await loadFrom(store)).contents);
  const recent = await changed(
    store,
    { op: "patch", uid: "uid-a", set: { output: { name: "new" } } },
    { op: "drop", uid: "uid-b" },
    { op: "put", record: recordAt("c", { replaced: true }) },
    { op: "put", record: recordAt("c", { uid: "uid-c2", replaces: "uid-c" }) },
    putting("d"),
    { ...data, value: 2 },
    { ...data, key: "more" },
    { op: "data", owner: "uid-d", key: "own", value: 1 },
    { op: "data", owner: "/child", key: "own", value: 1 },
  );
  return { old, recent, was };
}

describe.each([true, false])("restoring a copy (segments: %s)", (append) => {
  it("gives back all that was recorded, by one session with one entry of changes", async () => {
    const store = memoryStore({ append });
    const { old, recent, was } = await history(store);
    const before = await loadFrom(store);
    const { changes, forgotten } = await restore(settings(store), old);
    expect(changes).toBeGreaterThan(5);
    expect(forgotten.toSorted()).toEqual(["app/dev/c", "app/dev/d"]);
    const after = await loadFrom(store);
    expect(told(after.contents)).toEqual(was);
    expect(after.head).toMatchObject({ lineage: before.head.lineage, seq: recent + 1, lines: 1, open: undefined });
    expect(after.base).toBe(recent + 1);
  });

  it("is undone by restoring the copy from before", async () => {
    const store = memoryStore({ append });
    const { old, recent } = await history(store);
    const was = told((await loadFrom(store)).contents);
    await restore(settings(store), old);
    await restore(settings(store), recent);
    expect(told((await loadFrom(store)).contents)).toEqual(was);
  });

  it("takes over from an owner that died, and goes on where that one was", async () => {
    const store = memoryStore({ append });
    const { old, was } = await history(store);
    await ledgers.begun(store, "e");
    await restore(settings(store), old);
    const { head, contents } = await loadFrom(store);
    expect(told(contents)).toEqual(was);
    expect(head.open).toBeUndefined();
  });

  it("is refused where a run is at work", async () => {
    const store = memoryStore({ append });
    const { old } = await history(store);
    await ledgers.begun(store, "e", { owner: ownerOf(identity()) });
    const before = await snapshot(store);
    expect((await rejectedCode(restore(settings(store), old)))[0]).toBe("STATE_LOCKED");
    expect(await snapshot(store)).toEqual(before);
  });

  it("restores nothing where another run came first", async () => {
    const inner = memoryStore({ append });
    const { old } = await history(inner);
    const { store, hold, reached } = gatedStore(inner);
    hold(/^create journal/);
    const restoring = rejectedCode(restore(settings(store), old));
    const opening = await reached(/^create journal/);
    await changed(inner, putting("e"));
    hold(undefined);
    await opening.answer();
    expect((await restoring)[0]).toBe("STATE_MOVED");
    const { contents, head } = await loadFrom(inner);
    expect(recorded({ contents }).toSorted()).toEqual(["a", "c", "c", "d", "e"]);
    expect(head.open).toBeUndefined();
  });
});

describe("a restore", () => {
  it("takes a checkpoint where there is no copy for people", async () => {
    const store = memoryStore();
    const { old, was } = await history(store);
    await store.deleteMany([keys.history(old)]);
    await restore(settings(store), old);
    expect(told((await loadFrom(store)).contents)).toEqual(was);
  });

  it("writes nothing where all is as in the copy", async () => {
    const store = memoryStore();
    const { recent } = await history(store);
    const before = await snapshot(store);
    expect(await restore(settings(store), recent)).toEqual({ changes: 0, forgotten: [] });
    expect(await snapshot(store)).toEqual(before);
  });

  it("is refused where there is no such copy, naming those that there are", async () => {
    const store = memoryStore();
    const { old, recent } = await history(store);
    const [code, message] = await rejectedCode(restore(settings(store), 77));
    expect([code, message]).toEqual(["NOT_RECORDED", expect.stringContaining(`copy: ${old}, ${recent}.`)]);
  });

  it("is refused where a byte of the copy is another one", async () => {
    const store = memoryStore();
    const { old } = await history(store);
    const text = (await store.get(keys.history(old))) ?? "";
    await store.set(keys.history(old), text.replace('"text":"a"', '"text":"x"'));
    const [code, message] = await rejectedCode(restore(settings(store), old));
    expect([code, message]).toEqual(["STATE_CORRUPT", expect.stringContaining(keys.history(old))]);
  });

  it("is refused where the copy was written by another ledger of the same name", async () => {
    const [store, other] = [memoryStore(), memoryStore()];
    const { old } = await history(store);
    await history(other);
    await store.set(keys.history(old), (await other.get(keys.history(old))) ?? "");
    const before = await snapshot(store);
    expect(await rejectedCode(restore(settings(store), old))).toEqual([
      "STATE_IDENTITY",
      expect.stringContaining('belongs to another state with the same name, "app/dev"'),
    ]);
    expect(await snapshot(store)).toEqual(before);
  });

  it("leaves what its store did not take to the next one", async () => {
    const inner = memoryStore();
    const { old, was } = await history(inner);
    const failing = Object.assign({ ...inner }, { create: () => Promise.reject(new Error("disk full")) });
    await expect(restore(settings(failing), old)).rejects.toThrow("disk full");
    await restore(settings(inner), old);
    expect(told((await loadFrom(inner)).contents)).toEqual(was);
    expect((await keysIn(inner)).filter((key) => key.startsWith("lease"))).toEqual([]);
  });
});
