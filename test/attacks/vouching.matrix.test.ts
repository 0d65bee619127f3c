import { beforeAll, describe, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { rekey, sealState } from "../helpers/apps/admin-tools.ts";
import { COST } from "../helpers/apps/secret-stage.ts";
import {
  all,
  bodyOf,
  forgeEntry,
  type Json,
  keys,
  linesOf,
  newestIn,
  OPEN,
  rechain,
  rewrite,
  seqsIn,
  textOf,
} from "./forging.ts";
import { ALL_BUT_FEW, attackedBy, expectRefused } from "./runs.ts";
import { type Values, type Victim, victim } from "./victim.ts";

const FEW = { except: ALL_BUT_FEW };
const FORGED = { codes: /^STATE_FORGED$/, names: `"${keys.entries}` };

function strip(body: Json): void {
  body.mac = undefined;
  body.vouches = undefined;
  if (body.format === 3) body.format = 1;
  if (body.open?.format === 3) body.open.format = 1;
}

/** A stage that was sealed late, when it already had records, and got another key later still. */
async function sealedLate(append: boolean): Promise<{ sound: Victim; atFirst: Values; rekeyed: Values }> {
  const sound = await victim({ append });
  const bare = await attackedBy(sound, async (store) => {
    await rechain(store, strip);
    for (const room of [keys.checkpoints, keys.histories]) {
      for await (const key of store.list(room)) await rewrite(store, key, strip);
    }
  });
  const store = memoryStore({ append });
  for (const [key, text] of bare) await store.set(key, text);
  const options = { stage: "dev", stateStore: store, env: {}, cost: COST, ...sound.opener };
  await sealState("app", options);
  const atFirst = await all(store);
  await rekey("app", options);
  return { sound, atFirst, rekeyed: await all(store) };
}

/** The line that brings a key. */
async function vouchingLine(store: StateStore): Promise<{ readonly key: string; readonly body: Json }> {
  for (const seq of (await seqsIn(store, keys.entries)).reverse()) {
    for (const line of linesOf(await store.get(keys.entry(seq)))) {
      if (bodyOf(line).vouches !== undefined) return { key: keys.entry(seq), body: bodyOf(line) };
    }
  }
  throw new Error("None vouches.");
}

/** Deletes the checkpoints that were made with the vouching line, or after it. */
async function beforeVouching(store: StateStore): Promise<number> {
  const vouching = Number((await vouchingLine(store)).key.slice(-12));
  for (const seq of await seqsIn(store, keys.checkpoints)) {
    if (seq >= vouching) await store.deleteMany([keys.checkpoint(seq)]);
  }
  return vouching;
}

describe.each([true, false])("a line that vouches for the lines before it (append: %s)", (append) => {
  let sound: Victim;
  let states: Readonly<Record<"atFirst" | "rekeyed", Values>>;
  beforeAll(async () => {
    const late = await sealedLate(append);
    sound = late.sound;
    states = late;
  });

  test.each(["atFirst", "rekeyed"] as const)("is enough for it: %s", async (which) => {
    const values = await attackedBy(sound, async (store) => void (await beforeVouching(store)), states[which]);
    const stage = sound.on(await sound.store(values));
    await stage.up(sound.program, sound.opener);
    sound.world.news();
  });

  const CONTENTS: Readonly<Record<string, (body: Json) => void>> = {
    "a value": (body) => {
      for (const record of body.records) if (record.key === "outer/b") record.props.value = ["changed"];
    },
    "a record less": (body) => void body.records.pop(),
    "a record more": (body) => void body.records.push({ ...body.records[0], uid: "u", key: "more" }),
    "some data": (body) => void body.data.push(["/", [["more", 1]]]),
    "the guards": (body) => void body.guards.push(3),
    "who had it open": (body) => {
      body.open = { session: "s", record: { owner: {}, ttl: 1, format: 1 } };
    },
    "the store that was tried": (body) => {
      body.store = "another";
    },
    "the version that tried it": (body) => {
      body.version = "9.9.9";
    },
    "its lineage": (body) => {
      body.lineage = "00000000-0000-4000-8000-000000000000";
    },
  };
  const cases = (["atFirst", "rekeyed"] as const).flatMap((which) =>
    Object.keys(CONTENTS).map((name) => ({ which, name })),
  );

  test.each(cases)("vouches for nothing else: $name ($which)", async ({ which, name }) => {
    const values = await attackedBy(
      sound,
      async (store) => {
        await beforeVouching(store);
        const key = await newestIn(store, keys.checkpoints);
        // Its MAC, if it has one, is not checked any more: the vouching line covers all of it.
        await rewrite(store, key, CONTENTS[name] ?? (() => {}));
      },
      states[which],
    );
    const isOther = name === "its lineage";
    await expectRefused(sound, values, {
      ...FEW,
      ...(isOther ? { codes: /^(STATE_FORGED|WRONG_PASSWORD)$/, names: "app/dev" } : FORGED),
    });
  });

  test.each(["atFirst", "rekeyed"] as const)("that was forged is found: %s", async (which) => {
    for (const mac of [true, false]) {
      const values = await attackedBy(
        sound,
        async (store) => {
          const { body } = await vouchingLine(store);
          // A line that brings the present key, and vouches for everything, as far as can be checked.
          const { open, session, ops, vouches } = body;
          const line = { session, open: open ?? OPEN, ops, vouches };
          await forgeEntry(store, { ...line, ...(mac ? { mac: body.mac } : {}) });
        },
        states[which],
      );
      await expectRefused(sound, values, FORGED);
    }
  });

  test("that brings a key which the attacker has made is one of a password that does not open it", async () => {
    const values = await attackedBy(
      sound,
      async (store) => {
        const { body } = await vouchingLine(store);
        const [data] = body.ops.filter(({ owner }: Json) => owner === "$secrets");
        const value = { ...data.value, id: "made", wrapped: Buffer.alloc(60, 7).toString("base64") };
        const ops = [{ ...data, value }];
        await forgeEntry(store, { open: OPEN, ops, vouches: body.vouches, mac: body.mac });
      },
      states.rekeyed,
    );
    await expectRefused(sound, values, { codes: /^WRONG_PASSWORD$/, names: '"app/dev"' });
  });

  test("that is genuine is of no use at another time", async () => {
    const old = await vouchingLine(await sound.store(states.atFirst));
    const text = (await (await sound.store(states.atFirst)).get(old.key)) ?? "";
    for (const isChained of [true, false]) {
      const values = await attackedBy(
        sound,
        async (store) => {
          const key = await newestIn(store, keys.entries);
          const seq = Number(key.slice(-12)) + 1;
          const body = { ...old.body, seq };
          await store.set(keys.entry(seq), isChained ? textOf(body) : text);
          if (isChained) await rechain(store);
        },
        states.rekeyed,
      );
      await expectRefused(sound, values, { codes: /^STATE_(FORGED|CORRUPT)$/ });
    }
  });

  test("that is genuine is missed if it was removed", async () => {
    for (const which of ["atFirst", "rekeyed"] as const) {
      const values = await attackedBy(
        sound,
        async (store) => {
          const seq = await beforeVouching(store);
          await rechain(store, (body) => {
            if (body.seq === seq) body.vouches = undefined;
          });
        },
        states[which],
      );
      await expectRefused(sound, values, { codes: /^STATE_FORGED$/ });
    }
  });
});
