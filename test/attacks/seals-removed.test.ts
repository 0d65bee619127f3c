import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { sealState } from "../helpers/apps/admin-tools.ts";
import { COST } from "../helpers/apps/secret-stage.ts";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { all, type Json, keys, linesOf, newestIn, put, rechain, rewrite } from "./forging.ts";
import { attackedBy, expectRefused, failureOf, told } from "./runs.ts";
import { type Values, type Victim, victim } from "./victim.ts";

/** Removes the seal of a line or a checkpoint: an older version without seals could have written the result. */
function strip(body: Json): void {
  body.mac = undefined;
  body.vouches = undefined;
  if (body.format === 3) body.format = 1;
  if (body.open?.format === 3) body.open.format = 1;
}

function withoutKey(body: Json): void {
  if (body.data) body.data = body.data.filter(([owner]: [string]) => owner !== "$secrets");
  if (body.ops) body.ops = body.ops.filter(({ owner }: Json) => owner !== "$secrets");
}

async function everywhere(store: StateStore, change: (body: Json) => void): Promise<void> {
  await rechain(store, change);
  for (const room of [keys.checkpoints, keys.histories]) {
    for await (const key of store.list(room)) await rewrite(store, key, change);
  }
}

describe.each([true, false])("seals that were taken away (append: %s)", (append) => {
  let sound: Victim;
  beforeAll(async () => {
    sound = await victim({ append });
  });

  test("from one checkpoint are missed", async () => {
    const key = await newestIn(await sound.store(sound.values), keys.checkpoints);
    const values = await attackedBy(sound, (store) => rewrite(store, key, strip));
    // No loaded value says that the state was ever sealed.
    await expectRefused(sound, values, { codes: /^STATE_FORGED$/, names: '"app/dev"', except: ["sealState"] });
  });

  test("from one line, any of them, are missed", async () => {
    const journal = new Map(sound.snapshots.flatMap((one) => [...one]).filter(([key]) => key.startsWith(keys.entries)));
    const count = [...journal.values()].flatMap(linesOf).filter((line) => line.includes('"mac"')).length;
    expect(count).toBeGreaterThan(20);
    for (let at = 0; at < count; at++) {
      let line = 0;
      const values = await attackedBy(
        sound,
        (store) => rechain(store, (body) => (body.mac !== undefined && line++ === at ? strip(body) : undefined)),
        journal,
      );
      const stage = sound.on(await sound.store(values));
      const refused = told(await failureOf(stage.up(sound.program, sound.opener)));
      expect(refused, `line ${at}`).toMatch(/^EngineError STATE_FORGED .*"app\/dev\/journal\//);
      expect(sound.world.news()).toEqual([]);
    }
  });

  test("from everything leave a state that a run with the key does not take", async () => {
    const values = await attackedBy(sound, (store) => everywhere(store, strip));
    expect([...values.values()].join()).not.toMatch(/"mac"|"vouches"|"format":3/);
    // `sealState` is an exception: the user has checked the state. See also below.
    await expectRefused(sound, values, { codes: /^STATE_FORGED$/, names: '"app/dev"', except: ["sealState"] });
  });

  test("and the record of the key with them are missed, too", async () => {
    const values = await attackedBy(sound, (store) =>
      everywhere(store, (body) => {
        strip(body);
        withoutKey(body);
      }),
    );
    expect([...values.values()].join()).not.toMatch(/\$secrets"/);
    await expectRefused(sound, values, { codes: /^STATE_FORGED$/, names: '"app/dev"', except: ["sealState"] });
  });

  test("are of no use without the record of the key", async () => {
    const values = await attackedBy(sound, (store) => everywhere(store, withoutKey));
    await expectRefused(sound, values, { codes: /^STATE_FORGED$/ });
  });

  test("of histories are missed by a restore of one", async () => {
    const values = await attackedBy(sound, async (store) => {
      for await (const key of store.list(keys.histories)) await rewrite(store, key, strip);
    });
    const except = [
      "up of the same program",
      "up of an early lock",
      "up of an empty program",
      "up with refresh",
    ] as const;
    const others = [
      "destroy",
      "read",
      "plan",
      "drift",
      "engine.ref",
      "push",
      "pull",
      "rotatePassword",
      "rekey",
    ] as const;
    const tools = ["sealState", "unlock", "forget", "move", "recover", "migrate"] as const;
    await expectRefused(sound, values, {
      codes: /^STATE_FORGED$/,
      names: keys.histories,
      except: [...except, ...others, ...tools],
    });
  });
});

describe("a stage that this machine has seen sealed", () => {
  async function seen(): Promise<{ sound: Victim; store: StateStore; values: Values }> {
    const sound = await victim();
    const store = { ...memoryStore(), location: `memory ${randomUUID()}` };
    await put(store, sound.values);
    const app = await sound.on(store).open({ ...sound.opener, phase: "read" });
    await app[Symbol.asyncDispose]();
    return { sound, store, values: await all(store) };
  }

  test("and that is gone, is reported as such: an error if the state is to be strict", async () => {
    const { sound, store } = await seen();
    await emptyStore(store);
    const strict = sound.on(store, { ...sound.opener, strictState: true });
    const refused = told(await failureOf(strict.up(sound.program)));
    expect(refused).toMatch(/^EngineError STATE_WENT_BACK .*"app\/dev".*it does not exist any more/);
    expect(sound.world.news()).toEqual([]);
    expect([...(await all(store))]).toEqual([]);
    const stage = sound.on(store);
    await failureOf(stage.up(sound.program, sound.opener));
    expect(stage.heard("warning")[0]).toMatchObject({ code: "STATE_WENT_BACK" });
  });

  test.each([
    ["with the key", true],
    ["without it", false],
  ])("and that has no seals any more is refused, by a run %s", async (_which, hasKey) => {
    const { sound, store } = await seen();
    await everywhere(store, strip);
    const before = await all(store);
    for (const program of [sound.program, () => {}]) {
      const refused = told(await failureOf(sound.on(store).up(program, hasKey ? sound.opener : {})));
      expect(refused).toMatch(/^EngineError STATE_FORGED .*this machine.*not sealed now/);
      expect(sound.world.news()).toEqual([]);
      expect(await all(store)).toEqual(before);
    }
  });

  test("and that has none any more is not sealed again on request", async () => {
    const { sound, store } = await seen();
    await everywhere(store, strip);
    const before = await all(store);
    const options = { stage: "dev", stateStore: store, env: {}, cost: COST, ...sound.opener };
    expect(told(await failureOf(sealState("app", options)))).toMatch(/^EngineError STATE_FORGED .*this machine/);
    expect(await all(store)).toEqual(before);
  });

  test("and that is an older one is reported as such", async () => {
    const { sound, store } = await seen();
    for (const older of sound.snapshots.slice(0, -1)) {
      await put(store, older);
      const strict = sound.on(store, { ...sound.opener, strictState: true });
      const refused = told(await failureOf(strict.up(sound.program)));
      expect(refused).toMatch(/^EngineError STATE_WENT_BACK .*"app\/dev".*it was at entry \d+, and is now at/);
      expect(sound.world.news()).toEqual([]);
      expect(await all(store)).toEqual(new Map(older));
    }
  });

  test("and whose tail was cut off, by any number of lines, is reported as such", async () => {
    const { sound, store, values } = await seen();
    const key = await newestIn(store, keys.entries);
    const lines = linesOf(values.get(key));
    for (let left = 1; left < lines.length; left++) {
      await put(store, values);
      await store.deleteMany([await newestIn(store, keys.checkpoints)]);
      await store.set(key, lines.slice(0, left).join(""));
      const strict = sound.on(store, { ...sound.opener, strictState: true });
      expect(told(await failureOf(strict.up(sound.program)))).toMatch(
        /^EngineError STATE_WENT_BACK .*its entry \d+ has fewer lines than before/,
      );
      expect(sound.world.news()).toEqual([]);
    }
  });
});
