import { beforeAll, describe, expect, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { pull } from "../../plugins/admin/operations/restore.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { PASSWORD } from "../helpers/apps/secret-stage.ts";
import { snapshot } from "../helpers/stores/store-contents.js";
import { bodyOf, keys, linesOf, newestIn, put, rechain, seqsIn, textOf } from "./forging.ts";
import { ALL_BUT_FEW, attackedBy, expectRefused, failureOf, RUN_NAMES, told } from "./runs.ts";
import { type Values, type Victim, victim } from "./victim.ts";

const REFUSED = { codes: /^STATE_(FORGED|CORRUPT|IDENTITY)$/, except: ALL_BUT_FEW };

describe.each([true, false])("a genuine value in another place (append: %s)", (append) => {
  let sound: Victim;
  let twin: Victim;
  beforeAll(async () => {
    sound = await victim({ append });
    twin = await victim({ append });
  });

  const journalOf = ({ snapshots }: Victim): Map<string, string> =>
    new Map(snapshots.flatMap((one) => [...one]).filter(([key]) => key.startsWith(keys.entries)));

  async function refusedUp(values: Values): Promise<string> {
    const stage = sound.on(await sound.store(values));
    const refused = told(await failureOf(stage.up(sound.program, sound.opener)));
    expect(sound.world.news()).toEqual([]);
    return refused;
  }

  test.each([true, false])(
    "is refused as an entry of another stage with the same password (chained again: %s)",
    async (isChained) => {
      const [own, theirs] = [journalOf(sound), journalOf(twin)];
      for (const [key, text] of theirs) {
        if (!own.has(key)) continue;
        const values = await attackedBy(
          sound,
          async (store) => {
            await store.set(key, text);
            if (isChained) await rechain(store);
          },
          own,
        );
        // Their key is bound to their own state.
        const isFirst = key === keys.entry(1) || text.includes('"wrapped"');
        expect(await refusedUp(values), key).toMatch(
          isFirst
            ? /^EngineError (STATE_\w+|WRONG_PASSWORD) /
            : /^EngineError STATE_(FORGED|CORRUPT) .*"app\/dev\/journal\//,
        );
      }
    },
  );

  test("is refused as a checkpoint of another stage with the same password", async () => {
    const seq = (await seqsIn(await sound.store(sound.values), keys.checkpoints)).at(-1) ?? 0;
    const theirs = [...twin.values].find(([key]) => key.startsWith(keys.checkpoints))?.[1] ?? "";
    const { lineage } = bodyOf(sound.values.get(keys.checkpoint(seq)) ?? "");
    const values = await attackedBy(sound, (store) =>
      store.set(keys.checkpoint(seq), textOf({ ...bodyOf(theirs), seq, lineage })),
    );
    // The key that is recorded there is bound to the other state.
    await expectRefused(sound, values, { codes: /^WRONG_PASSWORD$/, names: '"app/dev"' });
  });

  test("is refused as a line of another time", async () => {
    const journal = journalOf(sound);
    const places = [...journal].flatMap(([key, text]) => linesOf(text).map((line, index) => ({ key, line, index })));
    let count = 0;
    for (const { key, index } of places.slice(-12)) {
      for (const { line: other } of places.slice(2, 9)) {
        const lines = linesOf(journal.get(key));
        const { seq } = bodyOf(lines[index] ?? "");
        lines[index] = textOf({ ...bodyOf(other), seq, grows: bodyOf(lines[index] ?? "").grows });
        if (bodyOf(other).close || bodyOf(other).open) continue;
        const values = await attackedBy(
          sound,
          async (store) => {
            await store.set(key, lines.join(""));
            await rechain(store);
          },
          journal,
        );
        expect(await refusedUp(values), `${key} ${index}`).toMatch(/^EngineError STATE_(FORGED|CORRUPT) .*"app\/dev\//);
        count++;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  /** The digest finds a changed number; the MAC finds one whose digest was made to fit. */
  test.each([true, false])(
    "is refused as a checkpoint under another number (which it says itself: %s)",
    async (says) => {
      for (const shift of [-1, 1, 2, 1000]) {
        const values = await attackedBy(sound, async (store) => {
          const key = await newestIn(store, keys.checkpoints);
          const body = bodyOf((await store.get(key)) ?? "");
          await store.deleteMany([key]);
          if (says) body.seq += shift;
          for (const seq of await seqsIn(store, keys.checkpoints)) await store.deleteMany([keys.checkpoint(seq)]);
          for (const seq of await seqsIn(store, keys.entries)) {
            if (seq > bodyOf(textOf(body)).seq) await store.deleteMany([keys.entry(seq)]);
          }
          await store.set(keys.checkpoint(says ? body.seq : body.seq + shift), textOf(body));
        });
        await expectRefused(sound, values, REFUSED);
      }
    },
  );

  test("is refused as a checkpoint if it is a pulled copy", async () => {
    const store = await sound.store(sound.values);
    const copy = await pull(sessionSettings(await closedApp(sound.on(store), sound.opener), store));
    const at = await attackedBy(sound, async (to) => to.set(await newestIn(to, keys.checkpoints), copy));
    await expectRefused(sound, at, { codes: /^STATE_FORGED$/, names: keys.checkpoints });
    const history = await attackedBy(sound, async (to) => {
      const first = (await seqsIn(to, keys.histories))[0] ?? 0;
      const { seq } = bodyOf(copy);
      await to.deleteMany([keys.history(first)]);
      await to.set(keys.history(seq), copy);
      for (const other of await seqsIn(to, keys.histories))
        if (other !== seq) await to.deleteMany([keys.history(other)]);
    });
    const others = RUN_NAMES.filter((name) => name !== "restore");
    await expectRefused(sound, history, { codes: /^STATE_FORGED$/, names: keys.histories, except: others });
  });

  test("is refused as the checkpoint of a later number if it is a history", async () => {
    const histories = await seqsIn(await sound.store(sound.values), keys.histories);
    for (const older of histories.slice(0, -1)) {
      for (const says of [true, false]) {
        const values = await attackedBy(sound, async (store) => {
          const key = await newestIn(store, keys.checkpoints);
          const body = bodyOf((await store.get(keys.history(older))) ?? "");
          await store.set(key, textOf(says ? { ...body, seq: Number(key.slice(-12)) } : body));
        });
        await expectRefused(sound, values, { ...REFUSED, names: keys.checkpoints });
      }
    }
  });

  test("is refused as the state of a stage whose password is another", async () => {
    await expectRefused(sound, sound.values, {
      codes: /^WRONG_PASSWORD$/,
      names: '"app/dev"',
      options: { password: `${PASSWORD}, not` },
      // `engine.ref` uses the password of the reading stage, or its own if the reading stage has none.
      except: ["engine.ref"],
    });
  });

  test("is refused under the name of another stage", async () => {
    const other = await sound.store(new Map());
    const renamed = new Map([...sound.values].map(([key, text]) => [key.replace("/dev/", "/prod/"), text]));
    await put(other, renamed);
    const stage = sound.on(other, { stage: "prod" });
    for (const program of [sound.program, () => {}]) {
      expect(told(await failureOf(stage.up(program, sound.opener)))).toMatch(/^EngineError STATE_IDENTITY /);
      expect(sound.world.news()).toEqual([]);
    }
    // With the names changed, too.
    await attackNames(other);
    for (const program of [sound.program, () => {}]) {
      expect(told(await failureOf(stage.up(program, sound.opener)))).toMatch(/^EngineError STATE_FORGED /);
      expect(sound.world.news()).toEqual([]);
    }
  });
});

async function attackNames(store: StateStore): Promise<void> {
  for (const [key, text] of await snapshot(store)) {
    if (!key.includes("/checkpoint/")) continue;
    await store.set(key, textOf({ ...bodyOf(text), stage: "prod" }));
  }
}
