import { expect, test } from "vitest";
import { memoryStore } from "../../core/state/memory.js";
import { PASSWORD, secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { all, bodyOf, digestOf, keys, linesOf, newestIn, put, textOf } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/** What says that a stage was retired is not proven (`migrate`, `finish`), and its first entry is copied over that of the other store. */
test.each([PASSWORD, undefined])(
  "nothing is written to the other store where a forged line says that a stage was moved (password: %s)",
  async (password) => {
    const world = new World();
    const Thing = world.type();
    const stage = secretStage();
    await stage.up(() => Thing("a", {}));
    const last = linesOf(await stage.store.get(await newestIn(stage.store, keys.entries))).at(-1) ?? "";
    const first = bodyOf(linesOf(await stage.store.get(keys.entry(1)))[0] ?? "");
    const { genesis: _genesis, ...open } = first.open;
    const seq = bodyOf(last).seq + 1;
    const entry = { seq, session: "s", prev: digestOf(last) };
    const to = memoryStore({ name: "new" });
    await put(to, await all(stage.store));
    const arriving = { from: "memory", store: "0", lineage: first.open.genesis.lineage };
    await to.set(keys.entry(seq), textOf({ ...entry, open: { ...open, format: 2, arriving } }));
    const retired = { to: "new", session: "s" };
    await stage.store.set(keys.entry(seq), textOf({ ...entry, open: { ...open, format: 2, retired } }));
    // What the attacker wants to see there.
    await stage.store.set(keys.entry(1), textOf({ ...first, session: "of the attacker" }));
    const before = await all(to);

    const run = stage.engine.migrate("app", { stage: "dev", env: {}, stateStore: stage.store, to, password });
    expect(told(await failureOf(run))).toMatch(/^EngineError (STATE_FORGED|PASSWORD_REQUIRED) /);
    expect(await all(to)).toEqual(before);
  },
);
