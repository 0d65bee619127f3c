/** Results of actions that could not be recorded, in a form that a later run can record. */
import { nodeCrypto } from "../../base/index.js";
import { canonical, hasForeign } from "../../codec/index.js";
import { type Encoded, isPending, isPluginOwner, isResourceOwner, type ResourceRecord } from "../../contract/index.js";
import type { Change, Contents } from "../change.js";

/** A record as it was last durable. It is still the same intent if uid, status, token, attempt and place are equal. */
export type Intent = Pick<ResourceRecord, "key" | "uid" | "status" | "token" | "attempt" | "ready">;

/** Changes that were made together, and are recorded together or not at all. */
export interface Result {
  readonly changes: readonly Change[];
  /** Intents of the records that it changes, and for data, the record that owns it. */
  readonly intents: readonly Intent[];
  /** Owner of the data that it changes, with a digest of all data that the owner had. */
  readonly data?: { readonly owner: string; readonly digest: string };
  /** Set if a plugin encoded some of it: a digest of the plugins' data that is needed to decode it. */
  readonly kept?: string;
}

type DataChange = Extract<Change, { readonly op: "data" | "forget" }>;
type RecordChange = Extract<Change, { readonly op: "put" | "patch" | "drop" }>;

/**
 * Selects the results from all changes that are not known to be durable: ends of durable intents, and data. An intent
 * among them was never acted on. Places in the order and changes of settled records follow from the program again,
 * except those of children whose parent has ended: its handler does not run again to declare them, so they belong to
 * that result.
 *
 * @param unwritten changes, grouped as they were made
 * @param durable the state as last recorded
 */
export function resultsOf(unwritten: readonly (readonly Change[])[], durable: Contents): Result[] {
  const data = new Map<string, DataChange[]>();
  const ends: (readonly RecordChange[])[] = [];
  const settled: RecordChange[] = [];
  const gone = new Set<string>();
  for (const changes of unwritten) {
    const ofRecords = changes.filter(isOfRecord);
    const hasIntent = ofRecords.some(isIntent);
    if (!hasIntent && ofRecords.some((change) => isPendingIn(durable, uidOf(change)))) {
      ends.push(ofRecords);
      for (const change of ofRecords) if (change.op === "drop") gone.add(change.uid);
    } else if (!hasIntent) settled.push(...ofRecords);
    for (const change of changes.filter(isOfData)) {
      const earlier = data.get(change.owner);
      if (earlier) earlier.push(change);
      else data.set(change.owner, [change]);
    }
  }
  const own = [...data].filter(([owner]) => !isPluginOwner(owner) && !gone.has(owner));
  const whole = ends.map((changes) => withParts(changes, settled, durable));
  const results = [...own.flatMap(([owner, changes]) => dataOf(owner, changes, durable)), ...whole];
  if (!results.some(isForeign)) return results;
  const ofPlugins = [...data].filter(([owner]) => isPluginOwner(owner));
  const kept = ofPlugins.flatMap(([owner, changes]) => dataOf(owner, changes, durable));
  const digest = keptWith(durable, kept);
  return [...kept, ...results.map((result) => (isForeign(result) ? { ...result, kept: digest } : result))];
}

/** Adds the changes of children to the end of their parent. @param settled changes that affect only settled records */
function withParts(end: readonly RecordChange[], settled: readonly RecordChange[], durable: Contents): Result {
  const wholes = new Set(end.map(uidOf));
  const parts = settled.filter((change) => wholes.has(parentIn(durable, change) ?? ""));
  const changes = [...parts, ...end];
  return { changes, intents: intentsIn(durable, changes.map(uidOf)) };
}

/** Returns the parent of a record after the change. */
function parentIn({ records }: Contents, change: RecordChange): string | undefined {
  if (change.op === "put") return change.record.parent;
  if (change.op === "drop" || change.unset?.includes("parent")) return undefined;
  return change.set?.parent ?? records.get(change.uid)?.parent;
}

function isForeign({ changes }: Result): boolean {
  return changes.flatMap(valuesIn).some(hasForeign);
}

function valuesIn(change: Change): readonly Encoded[] {
  if (change.op === "data") return change.value === undefined ? [] : [change.value];
  const { props, output, lastGood }: Partial<ResourceRecord> =
    change.op === "put" ? change.record : change.op === "patch" ? (change.set ?? {}) : {};
  return [props, output, lastGood?.props, lastGood?.output].flatMap((value) => (value === undefined ? [] : [value]));
}

/** Returns a digest of all plugin data after the results are recorded. */
export function keptWith(contents: Contents, results: readonly Result[]): string {
  const next = contents.copy();
  for (const { changes } of results) for (const change of changes) next.apply(change);
  const owners = [...next.data.keys()].filter(isPluginOwner).sort();
  return nodeCrypto().hash("sha256", JSON.stringify(owners.map((owner) => [owner, digestOf(next, owner)])), "hex");
}

/** True for data of a plugin, which counts for every value that the plugin encoded. */
export function isOfPlugin({ data }: Result): boolean {
  return data !== undefined && isPluginOwner(data.owner);
}

/** Collects data of an owner. Data of a resource belongs to its record: without a record there is none. */
function dataOf(owner: string, changes: readonly Change[], durable: Contents): Result[] {
  const isOfResource = isResourceOwner(owner);
  const intents = isOfResource ? intentsIn(durable, [owner]) : [];
  if (isOfResource && intents.length === 0) return [];
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

/** Returns a digest of all data of an owner. */
export function digestOf({ data }: Contents, owner: string): string {
  const values = [...(data.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return nodeCrypto().hash("sha256", canonical(values), "hex");
}

export function isOfRecord(change: Change): change is RecordChange {
  return change.op === "put" || change.op === "patch" || change.op === "drop";
}

export function uidOf(change: RecordChange): string {
  return change.op === "put" ? change.record.uid : change.uid;
}

function isOfData(change: Change): change is DataChange {
  return change.op === "data" || change.op === "forget";
}

function isIntent(change: RecordChange): boolean {
  if (change.op === "put") return change.record.status !== "ready";
  if (change.op !== "patch" || change.set?.status === undefined) return false;
  // A change with an output is a result, even if some of its work is still left.
  return change.set.status !== "ready" && !("output" in change.set);
}

function isPendingIn({ records }: Contents, uid: string): boolean {
  const record = records.get(uid);
  return record !== undefined && isPending(record);
}
