/** A run that tries its store with an entry of its own, which others have taken away since: they have gone on. */
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { forget } from "../../../plugins/admin/operations/records/forget.js";
import { gatedStore } from "../../helpers/stores/gated-store.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, keysOf, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";

const ledgers = testLedgers();

/** Runs of others, each of which records one of the names. */
async function others(store: StateStore, ...names: string[]): Promise<void> {
  for (const name of names) {
    const run = await ledgers.run(store, { limits: CLOSING_CHECKPOINTS });
    await run.put(name);
    await run.close();
  }
}

it.each([true, false])(
  "goes on at the end, and does not take that for a store that overwrites (segments: %s)",
  async (append) => {
    const inner = memoryStore({ append });
    await others(inner, "a");
    const gated = gatedStore(inner);
    const late = await ledgers.run(gated.store, { version: "2.0.0" });
    gated.hold(/^create journal/);
    const writing = late.put("late");
    const open = await gated.reached(/^create journal/);
    await others(inner, "b", "c", "d", "e");
    await open.act();
    expect(await inner.get(open.key)).toBeDefined();
    await others(inner, "f", "g", "h", "i");
    expect(await inner.get(open.key)).toBeUndefined();
    gated.hold(undefined);
    await open.answer();
    await writing;
    const all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "late"];
    expect(keysOf(late.ledger)).toEqual(all);
    await late.close();
    expect(recorded(await loadFrom(inner)).sort()).toEqual(all);
  },
);

it.each([
  ["what was its to do may be recorded", true, "what it was about to do may be recorded as begun."],
  ["nothing was changed where it was not first", false, "Nothing was changed by this one."],
])("says, where others have changed what it had read, that %s", async (_, isFirst, said) => {
  const inner = memoryStore();
  await others(inner, "a");
  const gated = gatedStore(inner);
  const late = await ledgers.run(gated.store);
  late.ledger.read("b");
  gated.hold(/^create journal/);
  const writing = late.put("late");
  const refused = { code: "STATE_MOVED", message: expect.stringContaining(said) };
  const isRefused = expect(writing).rejects.toMatchObject(refused);
  const open = await gated.reached(/^create journal/);
  if (isFirst) await open.act();
  await others(inner, "b");
  gated.hold(undefined);
  await open.answer();
  await isRefused;
  expect(recorded(await loadFrom(inner)).sort()).toEqual(isFirst ? ["a", "b", "late"] : ["a", "b"]);
});

it.each([
  ["may be recorded", true, "What this one was to change may be recorded before that."],
  ["was not recorded where it was not first", false, "Nothing was changed by this one."],
])("says of what a tool was to change, where others have changed the stage, that it %s", async (_, isFirst, said) => {
  const inner = memoryStore();
  await others(inner, "a", "b");
  const gated = gatedStore(inner);
  gated.hold(/^create journal/);
  const forgetting = forget(toolSettings(gated.store), { patterns: ["a"] });
  const refused = { code: "STATE_MOVED", message: expect.stringContaining(said) };
  const isRefused = expect(forgetting).rejects.toMatchObject(refused);
  const open = await gated.reached(/^create journal/);
  if (isFirst) await open.act();
  await others(inner, "c");
  gated.hold(undefined);
  await open.answer();
  await isRefused;
  expect(recorded(await loadFrom(inner)).sort()).toEqual(isFirst ? ["b", "c"] : ["a", "b", "c"]);
});
