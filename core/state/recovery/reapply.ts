/** Which results of a recovery file can still be made up for. Pure. */
import { type Change, Contents } from "../change.js";
import { sameContents } from "../reads.js";
import { digestOf, type Intent, intentsIn, isOfPlugin, isOfRecord, keptWith, type Result, uidOf } from "./recovery.js";

export interface Reapplied {
  /** To be recorded now. */
  readonly applicable: readonly Result[];
  /** In the state already: recorded after all, or recovered before. */
  readonly known: readonly Result[];
  /** Something else was done there since. */
  readonly stale: readonly Result[];
}

/** @param contents before any of the results: none of them counts as something that was done since */
export function reapply(contents: Contents, results: readonly Result[]): Reapplied {
  const applicable: Result[] = [];
  const known: Result[] = [];
  const stale: Result[] = [];
  const ofPlugins = results.filter((result) => isOfPlugin(result) && isApplicable(contents, result));
  const kept = keptWith(contents, ofPlugins);
  for (const result of results) {
    if (isKnown(contents, result)) known.push(result);
    else if (isApplicable(contents, result) && isReadable(result, kept)) applicable.push(result);
    else stale.push(result);
  }
  return { applicable, known, stale };
}

function isApplicable(contents: Contents, { changes, intents, data }: Result): boolean {
  const uids = [...changes.filter(isOfRecord).map(uidOf), ...intents.map(({ uid }) => uid)];
  const present = intentsIn(contents, uids);
  return (
    present.length === intents.length &&
    intents.every((intent) => present.some((other) => isSame(intent, other))) &&
    (data === undefined || digestOf(contents, data.owner) === data.digest) &&
    changes.every((change) => change.op !== "put" || isFree(contents, change.record.key, uids))
  );
}

/** What was encoded with a key, say, that is not there or has gone since, is lost to everybody. */
function isReadable(result: Result, kept: string): boolean {
  return result.kept === undefined || result.kept === kept;
}

function isSame(one: Intent, other: Intent): boolean {
  return (
    one.uid === other.uid &&
    one.status === other.status &&
    one.token === other.token &&
    one.attempt === other.attempt &&
    String(one.ready) === String(other.ready)
  );
}

/** A record that is put back must not take its key from one that came since. */
function isFree(contents: Contents, key: string, uids: readonly string[]): boolean {
  const holder = contents.at(key);
  return holder === undefined || uids.includes(holder.uid);
}

/** True where the changes would change nothing, though not because the record that they end is gone. */
function isKnown(contents: Contents, { changes }: Result): boolean {
  if (changes.some((change) => change.op === "patch" && !contents.records.has(change.uid))) return false;
  const before = new Contents();
  for (const change of changes) bring(contents, before, change);
  const after = before.copy();
  for (const change of changes) after.apply(change);
  return sameContents(before, after);
}

/** Copies what a change is about. */
function bring(from: Contents, to: Contents, change: Change): void {
  const owner = isOfRecord(change) ? uidOf(change) : change.op === "place" ? undefined : change.owner;
  if (owner === undefined) return;
  const record = isOfRecord(change) ? from.records.get(owner) : undefined;
  const data = from.data.get(owner);
  if (record) to.put(record);
  if (data) to.data.set(owner, new Map(data));
}
