import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity } from "../../../core/base/index.js";
import { unlock } from "../../../plugins/admin/operations/unlock.js";
import { rejection } from "../../helpers/apps/apps.ts";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import { elsewhere, ownerOf, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();

describe.each([true, false])("unlocking (segments: %s)", (append) => {
  it("ends the session of another machine at once, which then writes no more", async () => {
    const store = memoryStore({ append });
    const owner = await ledgers.begun(store, "a", { owner: ownerOf(elsewhere()) });
    expect(await unlock(toolSettings(store))).toMatchObject({
      session: expect.any(String),
      command: "up",
      user: "ada",
      host: "far-away",
      process: "unknown",
    });
    expect((await loadFrom(store)).head.open).toBeUndefined();
    await expect(owner.put("b")).rejects.toMatchObject({ code: "FENCED" });
    await owner.ledger.abandon();
    const loaded = await loadFrom(store);
    expect(recorded(loaded)).toEqual(["a"]);
    expect((await keysIn(store)).filter((key) => key.startsWith("lease"))).toEqual([]);
  });

  it("is refused while the owner's process runs here, unless it is forced", async () => {
    const store = memoryStore({ append });
    const owner = await ledgers.begun(store, "a", { owner: ownerOf(identity()) });
    const before = await snapshot(store);
    expect(await rejection(unlock(toolSettings(store)))).toMatchObject({
      code: "STATE_LOCKED",
      message: expect.stringContaining(`process ${process.pid}`),
      holder: { pid: process.pid, command: "up", process: "runs" },
    });
    expect(await snapshot(store)).toEqual(before);
    await unlock(toolSettings(store), { force: true });
    await expect(owner.put("b")).rejects.toMatchObject({ code: "FENCED" });
    expect(recorded(await loadFrom(store))).toEqual(["a"]);
    await owner.ledger.abandon();
  });
});

describe("unlocking", () => {
  it("does nothing where no session is open", async () => {
    const store = memoryStore();
    await ledgers.ran(store, "a");
    const before = await snapshot(store);
    expect(await unlock(toolSettings(store))).toBeUndefined();
    expect(await snapshot(store)).toEqual(before);
    expect(await unlock(toolSettings(memoryStore()))).toBeUndefined();
  });

  it("keeps what the owner wrote while it was being pushed out", async () => {
    const store = memoryStore();
    const owner = await ledgers.begun(store, "a", { owner: ownerOf(elsewhere()) });
    await unlock(toolSettings(store), { approve: () => owner.put("b") });
    expect(recorded(await loadFrom(store))).toEqual(["a", "b"]);
  });

  it("does not end a session that came after the one that was found", async () => {
    const store = memoryStore();
    const first = await ledgers.begun(store, "a", { owner: ownerOf(elsewhere()) });
    const approve = async () => {
      await first.close();
      await ledgers.begun(store, "b", { owner: ownerOf(identity()) });
    };
    expect((await rejectedCode(unlock(toolSettings(store), { approve })))[0]).toBe("STATE_LOCKED");
    expect((await loadFrom(store)).head.open).toBeDefined();
  });
});
