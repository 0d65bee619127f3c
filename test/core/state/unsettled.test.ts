/** Segments of which nobody has recorded how long they are, read while they and what follows them still change. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import type { StateStore } from "../../../core/state/store.js";
import { rejectedCode } from "../../helpers/codes.js";
import { checkpointAt, keys, loadFrom, recorded } from "../../helpers/journals.js";
import { chained, genesis, openRecord, ops } from "../../helpers/lines.js";
import { type StoreCall, storeAround } from "../../helpers/store-around.js";

const first = chained(
  { seq: 1, session: "a", grows: true, open: openRecord({ genesis }) },
  { seq: 1, session: "a", ...ops("one") },
  { seq: 1, session: "a", ...ops("two") },
);
const second = chained(
  { seq: 2, session: "b", prev: first[1]?.digest, grows: true, open: openRecord() },
  { seq: 2, session: "b", settled: [{ seq: 1, lines: 3, digest: first[2]?.digest ?? "" }] },
);
const third = chained({ seq: 3, session: "c", prev: second[0]?.digest, grows: true, open: openRecord() });

function text(lines: readonly { readonly text: string }[], count = lines.length): string {
  return lines
    .slice(0, count)
    .map((line) => line.text)
    .join("");
}

/** Two sessions that were taken over before they had said anything, and a third one. */
async function unsettled(): Promise<StateStore> {
  const store = memoryStore();
  await store.create(keys.entry(1), text(first, 2));
  await store.create(keys.entry(2), text(second, 1));
  await store.create(keys.entry(3), text(third));
  return store;
}

/** Does something after the first get of an entry that was read before. */
function onReadAgain(inner: StateStore, then: () => Promise<unknown>): StateStore {
  const seen = new Set<string>();
  let isDone = false;
  return storeAround(inner, async (call: StoreCall, act) => {
    const answer = await act();
    const isAgain = call.op === "get" && seen.has(call.key);
    for (const key of call.keys) seen.add(key);
    if (isAgain && !isDone) {
      isDone = true;
      await then();
    }
    return answer;
  });
}

describe("segments that nobody has settled", () => {
  it("count as a whole for now, with what was added until their successor was seen", async () => {
    const inner = await unsettled();
    const store = storeAround(inner, async (call, act) => {
      const answer = await act();
      // The last moment at which its owner could be told that its line is durable.
      if (call.op === "get" && call.key === keys.entry(1)) await inner.set(call.key, text(first));
      return answer;
    });
    const loaded = await loadFrom(store);
    expect(recorded(loaded)).toEqual(["one", "two"]);
    expect(loaded.unsettled.map(({ seq, lines }) => [seq, lines.length])).toEqual([
      [1, 3],
      [2, 1],
    ]);
  });

  it("are no damage where one is settled while the load reads them again", async () => {
    const inner = await unsettled();
    const store = onReadAgain(inner, async () => {
      await inner.set(keys.entry(1), text(first));
      await inner.set(keys.entry(2), text(second));
    });
    expect(recorded(await loadFrom(store))).toEqual(["one", "two"]);
  });

  it("are damaged where one holds fewer lines than a later session counted, however often it is read", async () => {
    const store = await unsettled();
    await store.set(keys.entry(2), text(second));
    expect(await rejectedCode(loadFrom(store))).toEqual(["STATE_CORRUPT", expect.stringContaining(keys.entry(1))]);
  });

  it.each([
    ["is gone", undefined],
    ["is another one", text(chained({ seq: 1, session: "x", grows: true, open: openRecord({ genesis }) }))],
    ["is damaged", "x\n"],
  ])("are read from the beginning where one %s when it is read again, and the load was overtaken", async (_, value) => {
    for (const overtaken of [true, false]) {
      const inner = await unsettled();
      let isFirst = true;
      const store = storeAround(inner, async (call, act) => {
        if (call.op === "get" && call.key === keys.entry(2)) {
          if (!isFirst) return act();
          isFirst = false;
          const answer = await act();
          if (overtaken) for (const seq of [4, 5, 6]) await checkpointAt(inner, seq);
          await (value === undefined ? inner.delete(keys.entry(1)) : inner.set(keys.entry(1), value));
          return answer;
        }
        return act();
      });
      if (overtaken) expect((await loadFrom(store)).base).toBe(6);
      else expect((await rejectedCode(loadFrom(store)))[0]).toBe("STATE_CORRUPT");
    }
  });
});
