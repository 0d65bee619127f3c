/** A run that tries its store with an entry of its own, which others have taken away since: they have gone on. */
import { expect, it } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { gatedStore } from "../../helpers/gated-store.js";
import { loadFrom, recorded } from "../../helpers/journals.js";
import { CLOSING_CHECKPOINTS, keysOf, testLedgers } from "../../helpers/ledgers.js";

const ledgers = testLedgers();

it.each([true, false])(
  "goes on at the end, and does not take that for a store that overwrites (segments: %s)",
  async (append) => {
    const inner = memoryStore({ append });
    const others = async (...names: string[]): Promise<void> => {
      for (const name of names) {
        const run = await ledgers.run(inner, { limits: CLOSING_CHECKPOINTS });
        await run.put(name);
        await run.close();
      }
    };
    await others("a");
    const gated = gatedStore(inner);
    const late = await ledgers.run(gated.store, { version: "2.0.0" });
    gated.hold(/^create journal/);
    const writing = late.put("late");
    const open = await gated.reached(/^create journal/);
    await others("b", "c", "d", "e");
    await open.act();
    expect(await inner.get(open.key)).toBeDefined();
    await others("f", "g", "h", "i");
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
