import { beforeAll, describe, expect, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { type Json, keys, newestIn, rechain, rewrite } from "./forging.ts";
import { attackedBy, expectRefused } from "./runs.ts";
import { loadedName, type Victim, victim } from "./victim.ts";

const FORGED = { codes: /^STATE_FORGED$/ };

/** Changes every record of that key, wherever it is. */
function inRecord(body: Json, key: string, change: (record: Json) => void): void {
  for (const record of body.records ?? []) if (record.key === key) change(record);
  for (const { record, set } of body.ops ?? []) {
    if (record?.key === key) change(record);
    // A patch that sets the output holds its values.
    else if (set?.output !== undefined) change(set);
  }
}

function hostIn({ props, output }: Json): void {
  for (const part of [props, output]) if (part?.value?.host !== undefined) part.value.host = "evil.example";
}

const CHANGES: Readonly<Record<string, (body: Json) => void>> = {
  "a plain value beside a secret": (body) => inRecord(body, "a", hostIn),
  "a secret, replaced by a plain text": (body) =>
    inRecord(body, "a", ({ props, output }) => {
      for (const part of [props, output]) if (part?.value?.password) part.value.password = "known to the attacker";
    }),
  "a secret in data, replaced by a plain text": (body) => {
    for (const [owner, values] of body.data ?? []) if (owner === "/outer") values[0][1] = "plain";
    for (const change of body.ops ?? []) if (change.owner === "/outer") change.value = "plain";
  },
  "what is offered to other stages": (body) => {
    for (const [owner, values] of body.data ?? []) if (owner === "@outputs") values[0][1].url = "https://evil.example";
    for (const { owner, value } of body.ops ?? []) if (owner === "@outputs") value.url = "https://evil.example";
  },
  "the kind of a resource": (body) =>
    inRecord(body, "outer/b", (record) => {
      record.kind = "os:Command";
    }),
  "the parent of a resource": (body) =>
    inRecord(body, "parent/rooms/child", (record) => {
      record.parent = undefined;
      record.physicalName = "other";
    }),
  "a protection, added": (body) =>
    inRecord(body, "renamed", (record) => {
      record.protect = true;
    }),
  "what a pending one was": (body) =>
    inRecord(body, "interrupted", (record) => {
      record.status = "deleting";
      record.output = { thing: "a#1", value: null };
    }),
  "an old copy, made the present one": (body) =>
    inRecord(body, "renamed", (record) => {
      record.replaced = record.replaced ? undefined : true;
    }),
  "the last good props": (body) =>
    inRecord(body, "a", (record) => {
      record.lastGood = { props: {} };
    }),
  "the key, by one of another cost": (body) => {
    for (const [owner, values] of body.data ?? []) if (owner === "$secrets") values[0][1].extra = true;
    for (const { owner, value } of body.ops ?? []) if (owner === "$secrets") value.extra = true;
  },
};

describe.each([true, false])("a value that was changed where anybody can write (append: %s)", (append) => {
  let sound: Victim;
  beforeAll(async () => {
    sound = await victim({ append });
  });

  test("is all that the runs are refused for", async () => {
    for (const values of [sound.values, journalOf(sound)]) {
      expect(sound.states).toContain(await loadedName(sound, values));
    }
  });

  test.each(Object.keys(CHANGES))("is found in a checkpoint: %s", async (name) => {
    const values = await attackedBy(sound, async (store: StateStore) =>
      rewrite(store, await newestIn(store, keys.checkpoints), CHANGES[name] ?? (() => {})),
    );
    expect(values).not.toEqual(sound.values);
    await expectRefused(sound, values, { ...FORGED, names: `"${await keyOf(sound, keys.checkpoints)}"` });
  });

  test.each(Object.keys(CHANGES))("is found in the journal: %s", async (name) => {
    const early = journalOf(sound);
    const values = await attackedBy(sound, (store) => rechain(store, CHANGES[name] ?? (() => {})), early);
    expect(values).not.toEqual(early);
    await expectRefused(sound, values, { ...FORGED, names: `"${keys.entries}` });
  });
});

async function keyOf(sound: Victim, room: string): Promise<string> {
  return newestIn(await sound.store(sound.values), room);
}

/** All entries that ever existed, and nothing else. */
function journalOf({ snapshots }: Victim): Map<string, string> {
  return new Map(snapshots.flatMap((one) => [...one]).filter(([key]) => key.startsWith(keys.entries)));
}
