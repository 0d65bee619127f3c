/** Texts of a forger who knows the format and the code, and has no key: their digests fit. */

import type { StateStore } from "../../core/contract/index.js";
import { digested } from "../../core/state/checkpoint/digested-text.js";
import { ledgerKeys, seqOf } from "../../core/state/index.js";
import { NO_DIGEST } from "../../core/state/journal/entry.js";
import { emptyStore, putAll, snapshot } from "../helpers/stores/store-contents.js";

export const keys = ledgerKeys("app", "dev");

/** Any JSON object; a forger is not bound to a type. */
export type Json = ReturnType<typeof JSON.parse>;

/** The body of a line or a checkpoint, without its digest; the MAC, if there is one, is a member. */
export function bodyOf(text: string): Json {
  const { digest: _digest, ...body } = JSON.parse(text);
  return body;
}

/** A line or checkpoint with a digest that fits; a member `mac` stays as it is, at the end. */
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

/** An `open` without a real session. */
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

/** The body of the very first line, which gives the ledger its name. */
export async function firstBody(store: StateStore): Promise<Json> {
  return bodyOf(linesOf(await store.get(keys.entry(1)))[0] ?? "");
}

/** Appends a forged entry after the newest one; returns its number. */
export async function forgeEntry(store: StateStore, members: Json): Promise<number> {
  const last = await lastLine(store);
  const seq = bodyOf(last).seq + 1;
  await store.set(keys.entry(seq), textOf({ seq, session: "s", prev: digestOf(last), ...members }));
  return seq;
}

/** Numbers of the keys in a room of the stage, oldest first. */
export async function seqsIn(store: StateStore, room: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const key of store.list(room)) seqs.push(seqOf(key) ?? 0);
  return seqs.sort((a, b) => a - b);
}

/** Changes the body of the value under a key, and makes its digest fit. */
export async function rewrite(store: StateStore, key: string, change: (body: Json) => Json | void): Promise<void> {
  const body = bodyOf((await store.get(key)) ?? "");
  await store.set(key, textOf(change(body) ?? body));
}

/** Everything a store holds. */
export async function all(store: StateStore): Promise<Map<string, string>> {
  return snapshot(store);
}

/** Replaces the whole contents of the store. */
export async function put(store: StateStore, values: ReadonlyMap<string, string>): Promise<void> {
  await emptyStore(store);
  await putAll(store, values);
}

/**
 * Changes lines, then chains each name to the line before, and each checkpoint to its line, as far as these exist:
 * nothing is left that does not fit except MACs.
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
      // A line that came from elsewhere follows the line before it here.
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

/** A change need not leave a JSON object. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

/** Deletes checkpoints, the newest ones: a load then reads the journal after the remaining ones. */
export async function dropCheckpoints(store: StateStore, count: number): Promise<void> {
  const seqs = await seqsIn(store, keys.checkpoints);
  for (const seq of count === 0 ? [] : seqs.slice(-count)) await store.deleteMany([keys.checkpoint(seq)]);
}

/** The key of the newest value in a room. */
export async function newestIn(store: StateStore, room: string): Promise<string> {
  const seq = (await seqsIn(store, room)).at(-1) ?? 0;
  return room === keys.entries ? keys.entry(seq) : room === keys.histories ? keys.history(seq) : keys.checkpoint(seq);
}
