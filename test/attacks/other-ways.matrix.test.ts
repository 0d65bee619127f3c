import { beforeAll, describe, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import {
  bodyOf,
  dropCheckpoints,
  forgeEntry,
  type Json,
  keys,
  linesOf,
  newestIn,
  OPEN,
  rechain,
  rewrite,
  textOf,
} from "./forging.ts";
import { ALL_BUT_FEW, attackedBy, expectRefused } from "./runs.ts";
import { type Victim, victim } from "./victim.ts";

const REFUSED = { codes: /^(STATE_(FORGED|CORRUPT|FORMAT|IDENTITY)|WRONG_PASSWORD)$/, except: ALL_BUT_FEW };

async function newestCheckpoint(store: StateStore, change: (body: Json) => void): Promise<void> {
  await rewrite(store, await newestIn(store, keys.checkpoints), change);
}

const WAYS: Readonly<Record<string, (store: StateStore) => Promise<unknown>>> = {
  "a checkpoint of the format before seals": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { format: 1 })),
  "a checkpoint of the format of moves": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { format: 2 })),
  "a checkpoint of a format of later": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { format: 99 })),
  "a checkpoint whose format is a text": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { format: "3" })),
  "an open of the format before seals": (store) => forgeEntry(store, { open: { ...OPEN, format: 1 } }),
  "an open of a format of later": (store) => forgeEntry(store, { open: { ...OPEN, format: 99 } }),
  "an open that moves nothing": (store) => forgeEntry(store, { open: { ...OPEN, format: 2 } }),
  "an open that says the stage has gone": (store) =>
    forgeEntry(store, { open: { ...OPEN, retired: { to: "x", session: "s" } } }),
  "an open that says the stage is arriving": (store) =>
    forgeEntry(store, { open: { ...OPEN, format: 2, arriving: { from: "x", store: "0", lineage: "x" } } }),
  "an open that begins the stage anew": (store) =>
    forgeEntry(store, { open: { ...OPEN, genesis: { lineage: "x", app: "app", stage: "dev" } } }),
  "guards of all that is there": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { guards: Array.from({ length: 100 }, (_, seq) => seq) })),
  "no guards": (store) => newestCheckpoint(store, (body) => Object.assign(body, { guards: [] })),
  "a checkpoint that somebody has open": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { open: { session: "s", record: OPEN } })),
  "a checkpoint whose entry grows, or does not": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { grows: !body.grows })),
  "a checkpoint of more lines": (store) => newestCheckpoint(store, (body) => void body.lines++),
  "a checkpoint of another line": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body, { entry: "0".repeat(64) })),
  "another physical name": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { physicalName: "of somebody else" })),
  "another token": (store) => newestCheckpoint(store, (body) => Object.assign(body.records[0], { token: "0" })),
  "another order": (store) => newestCheckpoint(store, (body) => void body.records.reverse()),
  "positions of another order": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { ready: [1e9] })),
  "references that are not there": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { refs: ["x"] })),
  "a name that turns the text around": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { key: "\u202eexe.a\u0000" })),
  "a name out of the stage": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { key: "../../other/a" })),
  "a name in another form of Unicode": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0], { key: "a\u0301" })),
  "a value of ten megabytes": (store) =>
    newestCheckpoint(store, (body) => Object.assign(body.records[0].props, { value: "x".repeat(10_000_000) })),
  "a key of another scope": (store) =>
    newestCheckpoint(store, (body) => {
      const [, values] = body.data.find(([owner]: [string]) => owner === "$secrets");
      values.push(["/outer", values[0][1]]);
    }),
  "the key of the stage as that of a scope": (store) =>
    newestCheckpoint(store, (body) => {
      const [, values] = body.data.find(([owner]: [string]) => owner === "$secrets");
      values.unshift(["/outer", values[0][1]]);
    }),
  "data of a plugin that nobody knows": (store) =>
    newestCheckpoint(store, (body) => void body.data.push(["$x", [["k", 1]]])),
  "counts of lines that are wrong": (store) =>
    dropCheckpoints(store, 9).then(() =>
      rechain(store, (body) => {
        for (const one of body.settled ?? []) one.lines--;
        // Entries that do not grow need no count.
        if (!body.settled && body.ops) body.settled = [{ seq: body.seq - 1, lines: 0, digest: body.prev }];
      }),
    ),
  "counts of lines of what is no entry": (store) =>
    dropCheckpoints(store, 9).then(() =>
      rechain(store, (body) => {
        if (body.ops) body.settled = [{ seq: 1, lines: 0, digest: "0".repeat(64) }];
      }),
    ),
};

/** Invalid forms of a MAC. */
const MACS: Readonly<Record<string, (mac: string) => unknown>> = {
  shorter: (mac) => mac.slice(0, 62),
  empty: () => "",
  longer: (mac) => `${mac}00`,
  "in capitals": (mac) => mac.toUpperCase(),
  "of zeros": () => "0".repeat(64),
  "with what JSON takes for the same": (mac) => `\\u00${mac.charCodeAt(0).toString(16)}${mac.slice(1)}`,
};

describe.each([true, false])("of a sealed stage (append: %s)", (isGrowing) => {
  let sound: Victim;
  beforeAll(async () => {
    sound = await victim({ append: isGrowing });
  });

  test.each(Object.keys(WAYS))("no record is accepted that was written without the key: %s", async (name) => {
    const first = name.startsWith("counts of lines") ? sound.snapshots.slice(0, 3) : [sound.values];
    const values = await attackedBy(
      sound,
      async (store) => void (await WAYS[name]?.(store)),
      new Map(first.flatMap((one) => [...one])),
    );
    await expectRefused(sound, values, { ...REFUSED, names: "app/dev" });
  });

  test.each(Object.keys(MACS))("no MAC is taken that is %s", async (name) => {
    for (const room of [keys.checkpoints, keys.entries]) {
      const values = await attackedBy(sound, async (store) => {
        if (room === keys.entries) await dropCheckpoints(store, 1);
        const key = await newestIn(store, room);
        const texts = room === keys.entries ? linesOf(await store.get(key)) : [(await store.get(key)) ?? ""];
        const { mac, ...members } = bodyOf(texts.at(-1) ?? "");
        texts[texts.length - 1] = textOf({ ...members, mac: MACS[name]?.(mac) });
        await store.set(key, texts.join(""));
      });
      await expectRefused(sound, values, { ...REFUSED, names: "app/dev" });
    }
  });
});
