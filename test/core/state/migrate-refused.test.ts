import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { readSegment } from "../../../core/state/index.js";
import { migrate } from "../../../plugins/admin/operations/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { keys } from "../../helpers/stores/journals.js";
import { elsewhere, ownerOf, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { copyOf, EVERYTHING, foundIn, killedAt, livedStage } from "../../helpers/stores/migrations.js";
import { storeAround } from "../../helpers/stores/store-around.js";
import { emptyStore, snapshot } from "../../helpers/stores/store-contents.js";
import { chained, openRecord } from "../../helpers/terminal/lines.js";

const ledgers = testLedgers();

describe("moving a stage", () => {
  it("is refused where nothing was recorded, and writes nothing", async () => {
    const [old, next] = [memoryStore(), memoryStore()];
    expect((await rejectedCode(migrate(toolSettings(old), { to: next })))[0]).toBe("NOT_RECORDED");
    expect([await snapshot(old), await snapshot(next)]).toEqual([new Map(), new Map()]);
  });

  it("is refused where the other store has a state of that name, or anything of it, and writes nothing", async () => {
    const old = await livedStage(ledgers, true);
    const [used, rest, own] = [memoryStore(), memoryStore(), await copyOf(old, true)];
    await ledgers.ran(used, "x");
    await rest.set(keys.history(7), "left over");
    for (const to of [used, rest, own, old]) {
      const before = [await snapshot(old), await snapshot(to)];
      const [code, message] = await rejectedCode(migrate(toolSettings(old), { to }));
      expect([code, message]).toEqual(["STATE_EXISTS", expect.stringContaining("Nothing was moved.")]);
      // Deleting a twin could delete the state itself.
      expect(message?.includes("delete")).toBe(to === used || to === rest);
      expect([await snapshot(old), await snapshot(to)]).toEqual(before);
    }
  });

  it("is refused where another stage of the name is half-way there", async () => {
    const [old, other] = [await livedStage(ledgers, true), await livedStage(ledgers, true)];
    const to = memoryStore();
    await killedAt(ledgers, { from: other, to }, 4, "after");
    const [code, message] = await rejectedCode(migrate(toolSettings(old), { to }));
    expect([code, message]).toEqual([
      "STATE_EXISTS",
      expect.stringMatching(/^Nothing was moved: .* brings a different state/),
    ]);
    expect(await foundIn(old)).toEqual(EVERYTHING);
  });

  it("tells a stage that was moved already where it went, if it is to go elsewhere", async () => {
    const old = await livedStage(ledgers, true);
    await migrate(toolSettings(old), { to: memoryStore({ name: "new" }) });
    const elsewhere = memoryStore();
    const [code, message] = await rejectedCode(migrate(toolSettings(old), { to: elsewhere }));
    expect([code, message]).toEqual(["STATE_RETIRED", expect.stringContaining("moved to new")]);
    expect(await snapshot(elsewhere)).toEqual(new Map());
  });

  it("says what to delete where a state is to go back to the store that it came from", async () => {
    const [old, to] = [await livedStage(ledgers, true), memoryStore()];
    await migrate(toolSettings(old), { to });
    const [code, message] = await rejectedCode(migrate(toolSettings(to), { to: old }));
    expect([code, message]).toEqual(["STATE_EXISTS", expect.stringContaining('Delete everything under "app/dev/"')]);
    await emptyStore(old);
    await migrate(toolSettings(to), { to: old });
    expect([await foundIn(old), await foundIn(to)]).toEqual([EVERYTHING, "STATE_RETIRED"]);
  });

  it("is given up where something else writes behind what was copied, and the stage stays where it was", async () => {
    const [old, inner] = [await livedStage(ledgers, true), memoryStore()];
    let isCopied = false;
    const to = storeAround(inner, async (call, act) => {
      if (call.op === "list" && call.key === keys.checkpoints && isCopied) {
        const all = [...(await snapshot(inner)).keys()].filter((key) => key.startsWith(keys.entries));
        const seq = Number(all.sort().at(-1)?.slice(-12));
        const last = readSegment(seq, (await inner.get(keys.entry(seq))) ?? "")?.lines.at(-1);
        const open = openRecord({ store: "elsewhere" });
        const [line] = chained({ seq: seq + 1, session: "theirs", prev: last?.digest ?? "", open });
        await inner.create(keys.entry(seq + 1), line?.text ?? "");
      }
      return act();
    });
    const progress = (done: number, all: number): void => {
      isCopied = done === all;
    };
    const [code, message] = await rejectedCode(migrate(toolSettings(old), { to, progress }));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("another program writes there")]);
    expect(await foundIn(old)).toEqual(EVERYTHING);
  });

  it("does not wait for a running process, and touches neither store", async () => {
    const old = memoryStore();
    const owner = await ledgers.begun(old, "a", { owner: ownerOf({ ...elsewhere(), ...toolSettings(old).here }) });
    const to = memoryStore();
    expect((await rejectedCode(migrate(toolSettings(old), { to })))[0]).toBe("STATE_LOCKED");
    expect(await snapshot(to)).toEqual(new Map());
    await owner.put("b");
    await owner.close();
    expect(await foundIn(old)).toEqual(["a", "b"]);
  });

  it("puts no copy in use but the one that the stage was ended for", async () => {
    const start = await livedStage(ledgers, true);
    for (let write = 2; ; write++) {
      const [old, given] = [await copyOf(start, true), memoryStore()];
      await killedAt(ledgers, { from: old, to: given }, write, "before");
      if ((await foundIn(old)) === "STATE_RETIRED") break;
      await migrate(toolSettings(old), { to: memoryStore({ name: "new" }) });
      const before = await snapshot(given);
      const [code, message] = await rejectedCode(migrate(toolSettings(old), { to: given }));
      expect([code, message], `write ${write}`).toEqual(["STATE_RETIRED", expect.stringContaining("moved to new")]);
      expect(await snapshot(given)).toEqual(before);
    }
  });
});
