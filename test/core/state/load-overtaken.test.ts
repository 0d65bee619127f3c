import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { keys, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { answering, firstStale, history, KEEP } from "./load-overtaken.js";

function checkpointsIn(values: ReadonlyMap<string, string> = new Map()): string[] {
  return [...values.keys()].filter((key) => key.startsWith(keys.checkpoints)).sort();
}

describe("a load that is overtaken", () => {
  it("finds all that was acknowledged before it began, on a store with segments", async () => {
    const moments = await history(memoryStore(), 4);
    expect(moments.length).toBeGreaterThan(30);
    expect(await firstStale(moments, 3, true)).toBeUndefined();
  });

  it("finds it also on a store without segments that ignores late writes", async () => {
    const moments = await history(memoryStore({ append: false }), 3);
    expect(await firstStale(moments, 3, false, true)).toBeUndefined();
  });

  it("does not trust a checkpoint that a late request brought back after it was trimmed", async () => {
    const moments = await history(memoryStore({ append: false }), 4);
    const first = moments.findIndex(({ values }) => checkpointsIn(values).length === 1);
    const [checkpoint = ""] = checkpointsIn(moments[first]?.values);
    const before = moments.findLast(({ values }) => checkpointsIn(values).join() === checkpoint);
    const after = moments.at(-1);
    const text = before?.values.get(checkpoint) ?? "";
    const back = { values: new Map([...(after?.values ?? []), [checkpoint, text]]), acknowledged: 8 };
    // Listed before the trim; the next entry read after it; the checkpoint fetched when it was back.
    const chosen = [before, after, back].flatMap((moment) => moment ?? []);
    expect(recorded(await loadFrom(answering(chosen, false), { keep: KEEP }))).toHaveLength(8);
  });

  it("would find less if trimming took entries before checkpoints", async () => {
    const backwards = (inner: StateStore): StateStore => {
      const kept: string[] = [];
      return {
        ...inner,
        async deleteMany(doomed) {
          const isLast = doomed.some((key) => key.includes("/journal/"));
          return isLast
            ? inner.deleteMany(doomed).then(() => inner.deleteMany(kept.splice(0)))
            : kept.push(...doomed) > 0;
        },
      };
    };
    expect(await firstStale(await history(memoryStore(), 4, backwards), 3, true)).toBeDefined();
  });
});
