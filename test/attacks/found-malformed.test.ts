import { describe, expect, test } from "vitest";
import { digested } from "../../core/state/checkpoint/digested-text.js";
import { load } from "../../core/state/index.js";
import { bodyOf, digestOf, type Json, keys, lastLine, textOf } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { refusalOf, sealedStage } from "./stages.ts";

/** A text whose digest fits, whatever its members are. */
function raw(members: string): string {
  return `${digested(`{${members}`).text}\n`;
}

/** Lines that could be written after the newest one. */
const LINES: Readonly<Record<string, (at: Json) => string>> = {
  "no JSON": () => raw('"seq":}'),
  "a text behind the object": ({ seq, prev }) => raw(`"seq":${seq},"prev":"${prev}"} and more`),
  "no open, no ops, no session": (at) => textOf({ seq: at.seq, prev: at.prev }),
  "an open that is null": (at) => textOf({ ...at, open: null }),
  "an open that is a number": (at) => textOf({ ...at, open: 1 }),
  "an open without an owner": (at) => textOf({ ...at, open: { format: 1 } }),
  "an open of no format": (at) => textOf({ ...at, open: {} }),
  "changes that are a number": (at) => textOf({ ...at, ops: 1 }),
  "changes that are an object": (at) => textOf({ ...at, ops: {} }),
  "a change that is null": (at) => textOf({ ...at, ops: [null] }),
  "a change that is unknown": (at) => textOf({ ...at, ops: [{ op: "explode" }] }),
  "a put of nothing": (at) => textOf({ ...at, ops: [{ op: "put" }] }),
  "a put of null": (at) => textOf({ ...at, ops: [{ op: "put", record: null }] }),
  "a put of a record without members": (at) => textOf({ ...at, ops: [{ op: "put", record: {} }] }),
  "places that are null": (at) => textOf({ ...at, ops: [{ op: "place", at: null }] }),
  "a patch of a prototype": (at) =>
    textOf({ ...at, ops: [{ op: "patch", uid: at.uid, set: JSON.parse('{"__proto__":{"key":"x"}}') }] }),
  "a patch that takes the key away": (at) => textOf({ ...at, ops: [{ op: "patch", uid: at.uid, unset: ["key"] }] }),
  "unset that is a number": (at) => textOf({ ...at, ops: [{ op: "patch", uid: at.uid, unset: 5 }] }),
  "settled that is an object": (at) => textOf({ ...at, settled: {} }),
  "settled with null": (at) => textOf({ ...at, settled: [null] }),
  "vouches that is an object": (at) => textOf({ ...at, vouches: {} }),
  "a value as deep as no program's": (at) => {
    const text = textOf({ ...at, vouches: "", ops: [{ op: "data", owner: "/", key: "deep", value: "@" }] });
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    return raw(
      JSON.stringify({ ...bodyOf(text) })
        .slice(1)
        .replace('"@"', deep),
    );
  },
};

/** Texts that could replace the newest checkpoint. */
const CHECKPOINTS: Readonly<Record<string, (body: Json) => string>> = {
  "no JSON": () => raw('"seq":}'),
  "a record that is null": (body) => textOf({ ...body, records: [null] }),
  "records without members": (body) => textOf({ ...body, records: [{}] }),
  "data that is null": (body) => textOf({ ...body, data: [null] }),
  "data with a number": (body) => textOf({ ...body, data: [["/", 5]] }),
  "data with pairs that are none": (body) => textOf({ ...body, data: [["/", [5]]] }),
  "guards that are null": (body) => textOf({ ...body, guards: null }),
  "an open session without a record": (body) => textOf({ ...body, open: {} }),
  "no format": ({ format: _format, ...body }) => textOf(body),
  "a format that is a text": (body) => textOf({ ...body, format: "3" }),
  "a lineage that is an object": (body) => textOf({ ...body, lineage: {} }),
};

async function attacked() {
  const { store, ...sealed } = await sealedStage();
  const last = await lastLine(store);
  const { seq: end } = bodyOf(last);
  const newest = bodyOf((await store.get(keys.checkpoint(end))) ?? "");
  const at = { seq: end + 1, session: "s", prev: digestOf(last), uid: newest.records[0].uid };
  return { ...sealed, store, end, newest, at };
}

/** Runs with the key refuse it and name the key; a tool without the key may read, or reports damage. */
async function expectNamed({ world, stage, store, program }: Awaited<ReturnType<typeof attacked>>, key: string) {
  const refused = await refusalOf(world, () => stage.up(program));
  expect(refused).toMatch(/^EngineError STATE_(FORGED|CORRUPT|FORMAT|IDENTITY)/);
  expect(refused).toContain(key);
  const place = { store, keys, app: "app", stage: "dev", keep: 3 };
  expect(told(await failureOf(load(place)))).toMatch(/^nothing|^EngineError STATE_/);
}

describe("a line without a known meaning, with a digest that fits", () => {
  test.each(Object.keys(LINES))("is named by its key: %s", async (name) => {
    const sealed = await attacked();
    const key = keys.entry(sealed.at.seq);
    await sealed.store.set(key, LINES[name]?.(sealed.at) ?? "");
    await expectNamed(sealed, key);
  });
});

describe("a checkpoint without a known meaning, with a digest that fits", () => {
  test.each(Object.keys(CHECKPOINTS))("is named by its key: %s", async (name) => {
    const sealed = await attacked();
    const key = keys.checkpoint(sealed.end);
    await sealed.store.set(key, CHECKPOINTS[name]?.(sealed.newest) ?? "");
    await expectNamed(sealed, key);
  });
});
