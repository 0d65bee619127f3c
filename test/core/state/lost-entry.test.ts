/**
 * The entry right behind the newest checkpoint is lost, by the disk or by hand. It looks like the end of the journal to
 * whoever looks no further.
 */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { entries, keys, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, keysOf, NO_CHECKPOINTS, testLedgers } from "../../helpers/stores/ledgers.js";

const ledgers = testLedgers();

interface Lost {
  readonly key: string;
  readonly text: string;
}

/** Runs record a, with a checkpoint, then b, c and d; the first entry after the checkpoint is taken away. */
async function lose(store: StateStore): Promise<Lost> {
  for (const name of ["a", "b", "c", "d"]) {
    const run = await ledgers.run(store, { limits: name === "a" ? CLOSING_CHECKPOINTS : NO_CHECKPOINTS });
    await run.put(name);
    await run.close();
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
  it("is noticed by whoever writes, before anything is done, and not by who only reads", async () => {
    const store = memoryStore();
    await lose(store);
    const run = await ledgers.run(store);
    expect(keysOf(run.ledger)).toEqual(["a"]);
    expect(await rejectedCode(run.put("e"))).toEqual(["STATE_CORRUPT", expect.stringContaining("journal/")]);
    expect(run.broken).toHaveLength(1);
    expect((await rejectedCode(loadFrom(store)))[0]).toBe("STATE_CORRUPT");
  });

  it("makes the state whole once it is put back, even where somebody tried to write meanwhile", async () => {
    const store = memoryStore();
    const { key, text } = await lose(store);
    await rejectedCode((await ledgers.run(store)).put("e"));
    await store.set(key, text);
    expect(recorded(await loadFrom(store))).toEqual(["a", "b", "c", "d"]);
    const next = await ledgers.run(store);
    await next.put("f");
    await next.close();
    expect(recorded(await loadFrom(store))).toEqual(["a", "b", "c", "d", "f"]);
  });
});
