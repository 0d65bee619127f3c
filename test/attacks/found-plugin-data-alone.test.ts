import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EnginePlugin, Scope, StateStore } from "../../core/contract/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { COST, PASSWORD } from "../helpers/apps/secret-stage.ts";
import { Stage } from "../helpers/apps/stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, bodyOf, firstBody, type Json, keys, newestIn, put, textOf } from "./forging.ts";
import { refusalOf } from "./stages.ts";

/** Keeps the address that it sends to, and continues with the kept one. */
function sending(places: unknown[], host: string): EnginePlugin {
  return {
    name: "sending",
    apply({ hooks }) {
      hooks.stateLoaded.tap("sending", ({ keep }) => {
        const kept = keep("sending");
        if (kept.get("host") === undefined) kept.set("host", host);
        places.push(kept.get("host"));
      });
    },
  };
}

interface Sending {
  readonly places?: unknown[];
  readonly password?: string;
  readonly host?: string;
}

function stageOf(stateStore: StateStore, { places = [], password = PASSWORD, host = "own.internal" }: Sending): Stage {
  return new Stage({ stateStore, password }, { plugins: [secrets({ cost: COST }), sending(places, host)] });
}

const EVIL = "evil.example";
const HOST = { op: "data", owner: "$sending", key: "host", value: EVIL };

/**
 * Forges the first entry, without resources and without seals; the attacker only has to know the name of the ledger.
 */
async function emptied(store: StateStore, ops: readonly Json[]): Promise<void> {
  const first = await firstBody(store);
  const close = { outcome: "done", summary: {} };
  await put(
    store,
    new Map([[keys.entry(1), textOf({ ...first, mac: undefined, open: { ...first.open, format: 1 }, ops, close })]]),
  );
}

const WAYS: Readonly<Record<string, (store: StateStore) => Promise<void>>> = {
  "without seals": (store) => emptied(store, [HOST]),
  "without seals, beside the key of the stage": async (store) => {
    const { data } = bodyOf((await store.get(await newestIn(store, keys.checkpoints))) ?? "");
    const [[key, value]] = data.find(([owner]: [string]) => owner === "$secrets")[1];
    await emptied(store, [{ op: "data", owner: "$secrets", key, value }, HOST]);
  },
  "under a password of the attacker": async (store) => {
    const other = memoryStore();
    await stageOf(other, { password: "of the attacker", host: EVIL }).up(() => {}, { lock: "eager" });
    await put(store, await all(other));
  },
};

describe.each(Object.keys(WAYS))("a state with nothing but data of a plugin, %s", (way) => {
  /**
   * The data of plugins did not count as something that a run acts on (`Contents.isEmpty`), so its author was not
   * checked.
   */
  test.each([{}, { phase: "destroy" }, { phase: "read" }, { plan: true }, { lock: "eager" }] as const)(
    "is not what a run with the key goes on with (%j)",
    async (options) => {
      const world = new World();
      const Thing = world.type();
      const store = memoryStore();
      const places: unknown[] = [];
      const stage = stageOf(store, { places });
      await stage.up(() => Thing("a", {}));
      expect(places.splice(0)).toEqual(["own.internal"]);
      await WAYS[way]?.(store);
      const before = await all(store);
      const refused = await refusalOf(world, () => stage.up(() => Thing("a", {}), options));
      expect(places).not.toContain(EVIL);
      expect(refused).toMatch(/^EngineError (STATE_FORGED|WRONG_PASSWORD) /);
      expect(await all(store)).toEqual(before);
    },
  );
});

/**
 * Only the key of the stage was made again (`Run.load` in plugin.ts). The old password of the scope opens an older key
 * of it.
 */
test("the key of a scope that lies in an empty state without seals is not taken", async () => {
  const store = memoryStore();
  const stage = stageOf(store, {});
  const { engine } = stage;
  const program = (value: string) => (app: Scope) =>
    app.run(() =>
      engine.run("tenant", { password: "of the tenant" }, (scope) => scope.set("token", new Secret(value))),
    );
  await stage.up(program("one"));
  const [path, old] = await keyOfScope(store);
  await emptied(store, [{ op: "data", owner: "$secrets", key: path, value: old }]);
  await stage.up(program("two"));
  const [again, anew] = await keyOfScope(store);
  expect(again).toBe(path);
  expect(anew.id).not.toBe(old.id);
});

async function keyOfScope(store: StateStore): Promise<readonly [path: string, recorded: Json]> {
  const { data } = bodyOf((await store.get(await newestIn(store, keys.checkpoints))) ?? "");
  const [, values] = data.find(([owner]: [string]) => owner === "$secrets");
  return values.find(([path]: [string]) => path !== "/");
}
