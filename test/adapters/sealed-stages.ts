/** The life of a stage that has a key, on any kind of store. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { EngineOptions, StateStore } from "../../core/contract/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { newestIn, rewrite } from "../attacks/forging.ts";
import { bareIn, DOUBTS } from "../faults/seals.js";
import { failuresOf, Stage } from "../helpers/apps/stage.ts";
import { KEYS } from "../helpers/apps/under-key.js";
import { World } from "../helpers/apps/world.ts";
import { keys, keysIn } from "../helpers/stores/journals.js";
import { type RemoteName, remoteStore } from "../helpers/stores/remote-stores.js";

const [KEY] = KEYS;
/** A checkpoint whenever a run ends, of which the newest is kept. In between, a new entry whenever one has grown. */
const PARTS = { limits: { entries: 1, tail: 1_500, small: 1_000_000 }, checkpoints: 1, histories: 1 };

/** @param place a new place; each call of its result opens the store again */
export function seals(place: () => () => StateStore): void {
  async function lived() {
    const world = new World();
    const Thing = world.type();
    const open = place();
    const stage = new Stage({ key: KEY }, { ...PARTS, plugins: [secrets()] });
    const told: string[] = [];
    const up = async (values: Readonly<Record<string, number>>, options: EngineOptions = {}): Promise<string[]> => {
      const declare = () => Promise.all(Object.entries(values).map(([id, value]) => Thing(id, { value })));
      await stage.up(declare, { stateStore: open, ...options });
      told.push(...stage.heard("warning").map(({ code }) => code));
      return world.news().sort();
    };
    const store = open();
    expect(await up({ a: 1, b: 1, c: 1 })).toEqual(["create a", "create b", "create c"]);
    return {
      world,
      store,
      up,
      doubts: () => told.filter((code) => DOUBTS.includes(code)),
      close: () => store.close?.(),
    };
  }

  it("is sealed and believed through updates, checkpoints, trims, prunes and a destroy", async () => {
    const { store, up, doubts, close } = await lived();
    expect(await up({ a: 1, b: 1, c: 1 })).toEqual([]);
    for (let value = 2; value <= 5; value++) {
      expect(await up({ a: value, b: value, c: 1 })).toEqual(["update a", "update b"]);
      expect(await bareIn(store)).toEqual([]);
    }
    const found = await keysIn(store);
    expect(found.filter((key) => key.startsWith("checkpoint/"))).toHaveLength(1);
    expect(found).not.toContain("journal/2");
    expect(await up({ a: 5 })).toEqual(["delete b", "delete c"]);
    expect(await up({}, { phase: "destroy" })).toEqual(["delete a"]);
    expect(await up({ a: 6 })).toEqual(["create a"]);
    expect(await bareIn(store)).toEqual([]);
    expect(doubts()).toEqual([]);
    await close();
  });

  it("does nothing without the key, nor after a write without it", async () => {
    const { world, store, up, close } = await lived();
    const keyless = failuresOf(up({ a: 2 }, { key: undefined }));
    expect(await keyless).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    await rewrite(store, await newestIn(store, keys.checkpoints), (body) => void body.records.pop());
    await expect(up({ a: 2 })).rejects.toMatchObject({ code: "STATE_FORGED" });
    expect(world.news()).toEqual([]);
    await close();
  });
}

export const remote = (name: RemoteName) => () => {
  const prefix = `sealed/${randomUUID()}`;
  return () => remoteStore(name, prefix);
};
