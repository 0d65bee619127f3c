/** What somebody can make who knows the format and the code, and has no key: texts whose digests fit. */

import type { StateStore } from "../../core/contract/index.js";
import { digested } from "../../core/state/checkpoint/digested-text.js";
import { ledgerKeys, seqOf } from "../../core/state/index.js";
import { NO_DIGEST } from "../../core/state/journal/entry.js";
import { emptyStore, putAll, snapshot } from "../helpers/stores/store-contents.js";

export const keys = ledgerKeys("app", "dev");

/** Any JSON object; a forger is bound to no type. */
export type Json = ReturnType<typeof JSON.parse>;

/** Of a line or a checkpoint, without its digest; the MAC, where there is one, is a member. */
export function bodyOf(text: string): Json {
  const { digest: _digest, ...body } = JSON.parse(text);
  return body;
}

/** As a line or checkpoint, with a digest that fits; a member `mac` stands at the end, as it is. */
export function textOf({ mac, ...members }: Json): string {
  return `${digested(JSON.stringify(members), mac === undefined ? undefined : () => String(mac)).text}\n`;
}

export function digestOf(text: string): string {
  return JSON.parse(text).digest;
}

/** The lines of an entry, each with its line break. */
export function linesOf(text: string | undefined): string[] {
  return (text ?? "").split(/(?<=\n)/).filter((line) => line !== "");
}

/** An `open` of nobody. */
export const OPEN = {
  owner: { user: "u", host: "h", pid: 1, since: "" },
  command: "up",
  version: "0.1.0",
  format: 3,
  ttl: 1,
};

export async function lastLine(store: StateStore): Promise<string> {
  return linesOf(await store.get(await newestIn(store, keys.entries))).at(-1) ?? "";
}

/** What the very first line says: it gives the ledger its name. */
export async function firstBody(store: StateStore): Promise<Json> {
  return bodyOf(linesOf(await store.get(keys.entry(1)))[0] ?? "");
}

/** An entry of anybody behind the newest one; gives its number. */
export async function forgeEntry(store: StateStore, members: Json): Promise<number> {
  const last = await lastLine(store);
  const seq = bodyOf(last).seq + 1;
  await store.set(keys.entry(seq), textOf({ seq, session: "s", prev: digestOf(last), ...members }));
  return seq;
}

/** Numbers of what is there in a room of the stage, oldest first. */
export async function seqsIn(store: StateStore, room: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const key of store.list(room)) seqs.push(seqOf(key) ?? 0);
  return seqs.sort((a, b) => a - b);
}

/** Changes the body of what is stored under a key, and makes its digest fit. */
export async function rewrite(store: StateStore, key: string, change: (body: Json) => Json | void): Promise<void> {
  const body = bodyOf((await store.get(key)) ?? "");
  await store.set(key, textOf(change(body) ?? body));
}

/** Everything a store holds. */
export async function all(store: StateStore): Promise<Map<string, string>> {
  return snapshot(store);
}

/** From now on the store holds this, and nothing else. */
export async function put(store: StateStore, values: ReadonlyMap<string, string>): Promise<void> {
  await emptyStore(store);
  await putAll(store, values);
}

/**
 * Changes lines, and lets each name the one before again, and each checkpoint its line, as far as these are there: nothing but
 * MACs is left that does not fit.
 */
export async function rechain(store: StateStore, change: (body: Json) => void = () => {}): Promise<void> {
  const values = await all(store);
  for (const [key, text] of rechained(values, change)) if (values.get(key) !== text) await store.set(key, text);
}

export function rechained(
  values: ReadonlyMap<string, string>,
  change: (body: Json) => void = () => {},
): Map<string, string> {
  const next = new Map(values);
  const anew = new Map<string, string>();
  let [last, before] = [NO_DIGEST, 0];
  for (const key of [...values.keys()].filter((one) => one.startsWith(keys.entries)).sort()) {
    const seq = seqOf(key) ?? 0;
    let hasBefore = seq === before + 1;
    const lines = linesOf(values.get(key)).map((line) => {
      const body = isJson(line) ? bodyOf(line) : undefined;
      if (!body) return line;
      change(body);
      // What comes from elsewhere follows whatever stands before it here.
      body.prev = anew.get(body.prev) ?? (hasBefore ? last : body.prev);
      hasBefore = true;
      for (const one of Array.isArray(body.settled) ? body.settled : []) {
        if (typeof one === "object" && one) one.digest = anew.get(one.digest) ?? one.digest;
      }
      const text = textOf(body);
      last = digestOf(text);
      anew.set(digestOf(line), last);
      return text;
    });
    next.set(key, lines.join(""));
    before = seq;
  }
  for (const [key, text] of values) {
    const isCopy = key.startsWith(keys.checkpoints) || key.startsWith(keys.histories);
    if (!isCopy || !isJson(text)) continue;
    const body = bodyOf(text);
    next.set(key, textOf({ ...body, entry: anew.get(body.entry) ?? body.entry }));
  }
  return next;
}

/** Whoever has changed a text need not have left one of an object. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

/** Takes away checkpoints, the newest ones: what is loaded is the journal behind those that stay. */
export async function dropCheckpoints(store: StateStore, count: number): Promise<void> {
  const seqs = await seqsIn(store, keys.checkpoints);
  for (const seq of count === 0 ? [] : seqs.slice(-count)) await store.deleteMany([keys.checkpoint(seq)]);
}

/** The key of the newest in a room. */
export async function newestIn(store: StateStore, room: string): Promise<string> {
  const seq = (await seqsIn(store, room)).at(-1) ?? 0;
  return room === keys.entries ? keys.entry(seq) : room === keys.histories ? keys.history(seq) : keys.checkpoint(seq);
}
