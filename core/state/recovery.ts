/** What has happened in the world and could not be recorded, in a form that a later run can make up for. */
import { hash } from "node:crypto";
import type { Change, Contents } from "./change.js";
import { canonical } from "./codec.js";
import { isPending, type ResourceRecord } from "./record.js";

/** A record as it was durable last. It is still that very intent where uid, status, token, attempt and place are the same. */
export type Intent = Pick<ResourceRecord, "key" | "uid" | "status" | "token" | "attempt" | "ready">;

/** Changes that were made together, and are made up for together or not at all. */
export interface Result {
  readonly changes: readonly Change[];
  /** What the records were that it touches, and where it is data, the record that owns it. */
  readonly intents: readonly Intent[];
  /** The owner of the data that it changes, with a digest of all data that the owner had. */
  readonly data?: { readonly owner: string; readonly digest: string };
}

type DataChange = Extract<Change, { readonly op: "data" | "forget" }>;
type RecordChange = Extract<Change, { readonly op: "put" | "patch" | "drop" }>;

/**
 * What has happened, of all that is not known to be durable: ends of durable intents, and data. An intent among it was
 * never acted on; places in the order, and changes of settled records alone, follow from the program anew.
 *
 * @param unwritten changes, as they were made together
 * @param durable the state as it was recorded last
 */
export function resultsOf(unwritten: readonly (readonly Change[])[], durable: Contents): Result[] {
  const data = new Map<string, DataChange[]>();
  const ends: Result[] = [];
  const gone = new Set<string>();
  for (const changes of unwritten) {
    const ofRecords = changes.filter(isOfRecord);
    if (!ofRecords.some(isIntent) && ofRecords.some((change) => isPendingIn(durable, uidOf(change)))) {
      ends.push({ changes: ofRecords, intents: intentsIn(durable, ofRecords.map(uidOf)) });
      for (const change of ofRecords) if (change.op === "drop") gone.add(change.uid);
    }
    for (const change of changes.filter(isOfData)) {
      const earlier = data.get(change.owner);
      if (earlier) earlier.push(change);
      else data.set(change.owner, [change]);
    }
  }
  return [
    ...[...data].flatMap(([owner, changes]) => (gone.has(owner) ? [] : dataOf(owner, changes, durable))),
    ...ends,
  ];
}

/** Data of a resource goes with its record; what nobody records any more has none. */
function dataOf(owner: string, changes: readonly Change[], durable: Contents): Result[] {
  const intents = isScope(owner) ? [] : intentsIn(durable, [owner]);
  if (!isScope(owner) && intents.length === 0) return [];
  return [{ changes, intents, data: { owner, digest: digestOf(durable, owner) } }];
}

export function intentsIn({ records }: Contents, uids: readonly string[]): Intent[] {
  return [...new Set(uids)].flatMap((one) => {
    const record = records.get(one);
    if (!record) return [];
    const { key, uid, status, token, attempt, ready } = record;
    return [{ key, uid, status, token, attempt, ready }];
  });
}

/** Digest of all data of an owner. */
export function digestOf({ data }: Contents, owner: string): string {
  const values = [...(data.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", canonical(values), "hex");
}

export function isOfRecord(change: Change): change is RecordChange {
  return change.op === "put" || change.op === "patch" || change.op === "drop";
}

export function uidOf(change: RecordChange): string {
  return change.op === "put" ? change.record.uid : change.uid;
}

/** Owners of data are scopes, by their path behind a slash, and resources, by their uid. */
function isScope(owner: string): boolean {
  return owner.startsWith("/");
}

function isOfData(change: Change): change is DataChange {
  return change.op === "data" || change.op === "forget";
}

function isIntent(change: RecordChange): boolean {
  if (change.op === "put") return change.record.status !== "ready";
  return change.op === "patch" && change.set?.status !== undefined && change.set.status !== "ready";
}

function isPendingIn({ records }: Contents, uid: string): boolean {
  const record = records.get(uid);
  return record !== undefined && isPending(record);
}
