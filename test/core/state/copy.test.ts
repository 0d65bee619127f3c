import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { Contents, writeCheckpoint } from "../../../core/state/index.js";
import { pull, push } from "../../../plugins/admin/operations/restore.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { ownerOf, recordAt, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();

/** A store that records `a`, and its pulled state. */
async function pulled() {
  const store = memoryStore();
  await ledgers.ran(store, "a");
  return { store, text: await pull(toolSettings(store)) };
}

const pushed = (store: StateStore, text: string, more: { force?: boolean } = {}) =>
  push(toolSettings(store), { source: "state.json", text, ...more });

describe("what was pulled", () => {
  it("is nothing to push while nothing else was recorded", async () => {
    const { store, text } = await pulled();
    const before = await snapshot(store);
    expect(await pushed(store, text)).toEqual({ changes: 0, forgotten: [] });
    expect(await snapshot(store)).toEqual(before);
  });

  it("is older than what was recorded since: it is pushed by force only", async () => {
    const { store, text } = await pulled();
    await ledgers.ran(store, "b");
    const before = await snapshot(store);
    expect(await rejectedCode(pushed(store, text))).toEqual(["STATE_MOVED", expect.stringContaining("--force")]);
    expect(await snapshot(store)).toEqual(before);
    expect(await pushed(store, text, { force: true })).toEqual({ changes: 1, forgotten: ["app/dev/b"] });
    expect(recorded(await loadFrom(store))).toEqual(["a"]);
  });

  it("begins the state in another store, under the same identity", async () => {
    const [old, other] = [memoryStore(), memoryStore({ append: false })];
    await ledgers.ran(old, ["a", "b"]);
    await pushed(other, await pull(toolSettings(old)));
    const [before, after] = [await loadFrom(old), await loadFrom(other)];
    expect(recorded(after)).toEqual(["a", "b"]);
    expect(after.head.lineage).toBe(before.head.lineage);
    await ledgers.ran(other, "c");
    expect(recorded(await loadFrom(other))).toEqual(["a", "b", "c"]);
  });

  it("is refused where a byte of it is another one", async () => {
    const { store, text } = await pulled();
    for (const damaged of [text.replace('"text":"a"', '"text":"x"'), "", "{}", text.slice(0, -2)]) {
      const [code, message] = await rejectedCode(pushed(store, damaged, { force: true }));
      expect([code, message]).toEqual(["STATE_CORRUPT", expect.stringContaining('"state.json"')]);
    }
  });

  it("is refused where it has names that no program can give, though its digest was made to fit", async () => {
    const store = memoryStore();
    await ledgers.ran(store, "a");
    const contents = new Contents();
    for (const record of [recordAt("a"), recordAt("b/../../c")]) contents.put(record);
    const text = writeCheckpoint((await loadFrom(store)).head, contents, { version: "1.2.3" });
    const before = await snapshot(store);
    expect(await rejectedCode(pushed(store, text, { force: true }))).toEqual([
      "STATE_CORRUPT",
      expect.stringContaining('another program wrote the name "b/../../c"'),
    ]);
    expect(await snapshot(store)).toEqual(before);
  });

  it("is refused by another state of the same name, and by another stage", async () => {
    const [store, other] = [memoryStore(), memoryStore()];
    await ledgers.ran(store, "a");
    await ledgers.ran(other, "a");
    const text = await pull(toolSettings(store));
    expect(await rejectedCode(pushed(other, text, { force: true }))).toEqual([
      "STATE_IDENTITY",
      expect.stringContaining('belongs to another state with the same name, "app/dev"'),
    ]);
    const elsewhere = push(toolSettings(memoryStore(), { stage: "prod" }), { source: "f", text });
    expect(await rejectedCode(elsewhere)).toEqual([
      "STATE_IDENTITY",
      expect.stringContaining('belongs to the state of "app/dev", not to that of "app/prod"'),
    ]);
  });

  it("is refused while a run is at work", async () => {
    const { store, text } = await pulled();
    await ledgers.begun(store, "b", { owner: ownerOf(identity()) });
    expect((await rejectedCode(pushed(store, text, { force: true })))[0]).toBe("STATE_LOCKED");
  });
});

describe("pulling", () => {
  it("is refused where nothing was ever recorded", async () => {
    expect((await rejectedCode(pull(toolSettings(memoryStore()))))[0]).toBe("NOT_RECORDED");
  });

  it("takes no lock while a run is at work", async () => {
    const store = memoryStore();
    await ledgers.begun(store, "b", { owner: ownerOf(identity()) });
    const before = await snapshot(store);
    expect(await pull(toolSettings(store))).toContain('"uid-b"');
    expect(await snapshot(store)).toEqual(before);
  });
});
