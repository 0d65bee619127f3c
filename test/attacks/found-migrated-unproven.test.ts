import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { migrate } from "../helpers/apps/admin-tools.ts";
import { PASSWORD } from "../helpers/apps/secret-stage.ts";
import { all, firstBody, forgeEntry, keys, put, textOf } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { sealedStage } from "./stages.ts";

/**
 * The line that retires a stage is not proven (`migrate`, `finish`), and its first entry is copied over that of the
 * other store.
 */
test.each([PASSWORD, undefined])(
  "nothing is written to the other store where a forged line says that a stage was moved (password: %s)",
  async (password) => {
    const { store } = await sealedStage();
    const first = await firstBody(store);
    const { genesis, ...open } = first.open;
    const to = memoryStore({ name: "new" });
    await put(to, await all(store));
    const arriving = { from: "memory", store: "0", lineage: genesis.lineage };
    await forgeEntry(to, { open: { ...open, format: 2, arriving } });
    const retired = { to: "new", session: "s" };
    await forgeEntry(store, { open: { ...open, format: 2, retired } });
    // The text that the attacker wants to see there.
    await store.set(keys.entry(1), textOf({ ...first, session: "of the attacker" }));
    const before = await all(to);

    const run = migrate("app", { stage: "dev", env: {}, stateStore: store, to, password });
    expect(told(await failureOf(run))).toMatch(/^EngineError (STATE_FORGED|PASSWORD_REQUIRED) /);
    expect(await all(to)).toEqual(before);
  },
);
