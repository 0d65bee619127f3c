import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { historyOf } from "../../../plugins/admin/operations/history.js";
import { migrate } from "../../../plugins/admin/operations/index.js";
import { verify } from "../../../plugins/admin/operations/verify/verify.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { keys, loadFrom } from "../../helpers/stores/journals.js";
import { testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { doomed, EVERYTHING, foundIn, killedAt, livedStage } from "../../helpers/stores/migrations.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
const place = { keys, app: "app", stage: "dev", keep: 3 };

describe.each([
  { from: true, to: true },
  { from: true, to: false },
  { from: false, to: true },
  { from: false, to: false },
])("moving a stage (segments: $from, then $to)", (kinds) => {
  const empty = () => memoryStore({ append: kinds.to, name: "new" });

  it("gives the new store all that the old one has, byte for byte, and the old one refuses to be used", async () => {
    const old = await livedStage(ledgers, kinds.from);
    const copies = await historyOf({ ...place, store: old });
    const next = empty();
    const moved = await migrate(toolSettings(old), { to: next });
    expect(moved).toEqual({ from: "old", to: "new", resources: EVERYTHING.length, wasCopied: false });
    expect(await foundIn(next)).toEqual(EVERYTHING);
    expect(await foundIn(old)).toBe("STATE_RETIRED");
    const [before, after] = [await snapshot(old), await snapshot(next)];
    const last = [...before.keys()]
      .filter((key) => key.startsWith(keys.entries))
      .sort()
      .at(-1);
    const [ended, begun] = [before, after].map((all) => JSON.parse(all.get(last ?? "") ?? "null"));
    expect([ended.open.retired, ended.prev]).toEqual([{ to: "new", session: begun.session }, begun.prev]);
    // Versions without moves refuse it as too new.
    expect([ended.open.format, begun.open.format]).toEqual([2, 2]);
    for (const [key, text] of before) if (key !== last) expect(after.get(key), key).toBe(text);
    expect(after.size).toBe(before.size + 1);
    expect(await historyOf({ ...place, store: next })).toEqual(copies);
    const { rootDir } = ledgers;
    expect(await verify({ ...place, rootDir, store: next })).toMatchObject({ findings: [], unused: undefined });
    expect(await verify({ ...place, rootDir, store: old })).toMatchObject({
      findings: [],
      isBusy: false,
      unused: expect.stringContaining("was moved to new"),
    });
  });

  it("lets runs go on in the new store under the same identity", async () => {
    const old = await livedStage(ledgers, kinds.from);
    const { lineage } = (await loadFrom(old)).head;
    const next = empty();
    await migrate(toolSettings(old), { to: next });
    for (const name of ["h", "i", "j", "k", "l"]) await ledgers.ran(next, name);
    expect(await foundIn(next)).toEqual([...EVERYTHING, "h", "i", "j", "k", "l"]);
    expect((await loadFrom(next)).head.lineage).toBe(lineage);
    expect((await verify({ ...place, rootDir: ledgers.rootDir, store: next })).findings).toEqual([]);
    expect(await foundIn(old)).toBe("STATE_RETIRED");
  });

  it("tells later users of the old store where the state went, when, and what to do", async () => {
    const old = await livedStage(ledgers, kinds.from);
    await migrate(doomed(old, ledgers), { to: empty() });
    const before = await snapshot(old);
    const [code, message] = await rejectedCode(ledgers.run(old));
    expect([code, message]).toEqual([
      "STATE_RETIRED",
      expect.stringMatching(/"app\/dev" was moved to new by .+ on 2026-01-02T.+ Pass the new store/),
    ]);
    expect((await rejectedCode(ledgers.run(old, { writes: false })))[0]).toBe("STATE_RETIRED");
    expect(await snapshot(old)).toEqual(before);
  });

  it("fences a run that was paused while it was at work in the old store", async () => {
    const old = await livedStage(ledgers, kinds.from);
    const paused = await ledgers.begun(old, "h");
    const next = empty();
    await migrate(toolSettings(old), { to: next });
    await expect(paused.put("i")).rejects.toMatchObject({ code: "FENCED" });
    await paused.ledger.abandon();
    expect(await foundIn(next)).toEqual([...EVERYTHING, "h"]);
  });

  it("refuses a run that loaded the old state before it was moved, with its first write", async () => {
    const old = await livedStage(ledgers, kinds.from);
    const late = await ledgers.run(old);
    await migrate(toolSettings(old), { to: empty() });
    await expect(late.put("h")).rejects.toMatchObject({ code: "STATE_RETIRED" });
    await late.ledger.abandon();
  });
});

describe("moving a stage", () => {
  it("is finished though a power loss has taken back what was written over something else", async () => {
    const [old, to] = [memoryStore(), memoryStore()];
    await ledgers.ran(old, "a", { limits: { entries: 99, tail: 1e6, small: 0 } });
    let first: string | undefined;
    const set = to.set.bind(to);
    to.set = async (key, value) => {
      first ??= await to.get(keys.entry(1));
      await set(key, value);
    };
    // The very last write puts the new stage into use.
    for (let write = 1; (await foundIn(old)) !== "STATE_RETIRED"; write++) {
      await killedAt(ledgers, { from: old, to }, write, "after");
    }
    await set(keys.entry(1), first ?? "");
    await migrate(toolSettings(old), { to });
    expect(await foundIn(to)).toEqual(["a"]);
    expect((await verify({ ...place, rootDir: ledgers.rootDir, store: to })).findings).toEqual([]);
  });

  it("leaves the stage in use, and not locked, where the other store cannot be written", async () => {
    const old = await livedStage(ledgers, true);
    const to = { ...memoryStore(), create: () => Promise.reject(new Error("access denied")) };
    await expect(migrate(toolSettings(old), { to })).rejects.toThrow("access denied");
    expect((await loadFrom(old)).head.open).toBeUndefined();
    expect(await foundIn(old)).toEqual(EVERYTHING);
  });

  it("finds out a store that cannot keep two runs apart before anything relies on it", async () => {
    const old = await livedStage(ledgers, false);
    const inner = memoryStore({ append: false });
    const to = { ...inner, create: async (key: string, value: string) => inner.set(key, value).then(() => true) };
    expect((await rejectedCode(migrate(toolSettings(old), { to })))[0]).toBe("STORE_NOT_ATOMIC");
    expect(await foundIn(old)).toEqual(EVERYTHING);
  });

  it("finds out a store that does not give back what was written", async () => {
    const old = await livedStage(ledgers, false);
    const to = memoryStore({ append: false });
    const getMany = to.getMany.bind(to);
    const copy = [...(await snapshot(old)).keys()].find((key) => key.startsWith(keys.histories));
    to.getMany = async (wanted) =>
      (await getMany(wanted)).map((text, index) => (wanted[index] === copy ? "lost" : text));
    const [code, message] = await rejectedCode(migrate(toolSettings(old), { to }));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("did not return")]);
    expect(await foundIn(old)).toEqual(EVERYTHING);
    expect(await foundIn(to)).toBe("STATE_INCOMPLETE");
  });

  it("ends when its signal does, and the stage is in use where it was", async () => {
    const old = await livedStage(ledgers, true);
    const stop = new AbortController();
    const to = memoryStore();
    const settings = toolSettings(old, { signal: stop.signal });
    const moving = migrate(settings, { to, progress: () => stop.abort(new Error("enough")) });
    expect(await rejectedCode(moving)).toEqual(["ABORTED", expect.stringContaining("enough")]);
    expect([await foundIn(old), await foundIn(to)]).toEqual([EVERYTHING, "STATE_INCOMPLETE"]);
    await migrate(toolSettings(old), { to });
    expect(await foundIn(to)).toEqual(EVERYTHING);
  });

  it("is not taken for the reason where an entry of a stage that has arrived is lost", async () => {
    const [old, to] = [await livedStage(ledgers, true), memoryStore({ append: false })];
    await migrate(toolSettings(old), { to });
    const run = await ledgers.run(to, { limits: { entries: 99, tail: 1e6, small: 0 } });
    for (const name of ["h", "i", "j"]) await run.put(name);
    await run.close();
    const { seq } = (await loadFrom(to)).head;
    expect(await to.deleteMany([keys.entry(seq - 1)])).toBe(true);
    expect(await foundIn(to)).toBe("STATE_CORRUPT");
  });

  it("tells how far it has come, up to the end", async () => {
    const old = await livedStage(ledgers, true);
    const told: [number, number][] = [];
    await migrate(toolSettings(old), { to: memoryStore(), progress: (done, all) => told.push([done, all]) });
    const counts = told.map(([done]) => done);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(new Set(told.map(([, all]) => all)).size).toBe(1);
    expect(told.at(-1)?.[0]).toBe(told[0]?.[1]);
  });
});
