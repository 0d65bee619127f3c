/** The contents that a run has read, to decide if another run's changes matter to it. */
import { isDeepStrictEqual } from "node:util";
import { EngineError } from "../base/index.js";
import type { Encoded, ResourceRecord } from "../contract/index.js";
import type { Change, Contents } from "./change.js";

class Reads {
  readonly #keys = new Set<string>();
  /** Keys of the data that was read, by owner. */
  readonly #data = new Map<string, Set<string>>();
  #isEverything = false;
  #hasLineage = false;

  get hasLineage(): boolean {
    return this.#hasLineage;
  }

  lineage(): void {
    this.#hasLineage = true;
  }

  everything(): void {
    this.#isEverything = true;
  }

  record(contents: Contents, key: string): ResourceRecord | undefined {
    this.#keys.add(key);
    return contents.at(key);
  }

  data(contents: Contents, owner: string, key: string): Encoded | undefined {
    const keys = this.#data.get(owner);
    if (keys) keys.add(key);
    else this.#data.set(owner, new Set([key]));
    return contents.data.get(owner)?.get(key);
  }

  /** True if the contents that were read, or that the queued changes rest on, differ between the two states. */
  differ(before: Contents, after: Contents, queued: readonly Change[]): boolean {
    // All records took part in deciding what to delete, and when.
    if ((this.#isEverything || queued.some(isDeletion)) && !sameContents(before, after)) return true;
    return (
      [...this.#keys].some((key) => !same(before.at(key), after.at(key))) ||
      [...this.#data].some(([owner, keys]) => [...keys].some((key) => !sameValue(before, after, owner, key))) ||
      queued.some((change) => !sameTarget(change, before, after))
    );
  }
}

/**
 * The error of a run that another one overtook before it changed anything.
 *
 * @param hasWritten true if its first entry is among those of the other run
 */
export function stateMoved(
  { app, stage }: { readonly app: string; readonly stage: string },
  hasWritten: boolean,
): EngineError {
  const own = hasWritten
    ? "This run changed no resource, but its first actions may be recorded as begun."
    : "This run changed nothing.";
  return new EngineError(
    "STATE_MOVED",
    `Another run changed records of "${app}/${stage}" that this run had read. ${own} Run again.`,
  );
}

/** Uids of the records that were added or changed between the two states. */
export function changedRecords(before: Contents, after: Contents): readonly string[] {
  return [...after.records].flatMap(([uid, record]) => (same(before.records.get(uid), record) ? [] : uid));
}

function isDeletion(change: Change): boolean {
  if (change.op === "patch") return change.set?.status === "deleting";
  return change.op === "drop" || change.op === "forget";
}

function sameTarget(change: Change, before: Contents, after: Contents): boolean {
  switch (change.op) {
    case "put":
      return same(before.records.get(change.record.uid), after.records.get(change.record.uid));
    case "patch":
    case "drop":
      return same(before.records.get(change.uid), after.records.get(change.uid));
    case "data":
      return sameValue(before, after, change.owner, change.key);
    case "forget":
      return same(entries(before, change.owner), entries(after, change.owner));
    case "place":
      // A place stays valid even if other resources were removed or moved.
      return true;
  }
}

/** True if both hold the same contents, in any order. */
export function sameContents(before: Contents, after: Contents): boolean {
  const owners = new Set([...before.data.keys(), ...after.data.keys()]);
  return (
    before.records.size === after.records.size &&
    [...before.records].every(([uid, record]) => same(record, after.records.get(uid))) &&
    [...owners].every((owner) => same(entries(before, owner), entries(after, owner)))
  );
}

function sameValue(before: Contents, after: Contents, owner: string, key: string): boolean {
  return same(before.data.get(owner)?.get(key), after.data.get(owner)?.get(key));
}

/** Returns the data of an owner in a fixed order. */
function entries(contents: Contents, owner: string): unknown {
  return [...(contents.data.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Compares texts first: both were stored as text, and the order of members seldom differs. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  if (one === undefined || other === undefined) return false;
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

/** The state as a run sees it, including its own changes, durable or not. Remembers what was read. */
export class View {
  readonly reads = new Reads();
  #contents: Contents;
  /** True until the first change: the session owns these contents. */
  #isShared = true;
  /** Changes that go with the next ones. */
  #piggybacked: Change[] = [];

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  get contents(): Contents {
    return this.#contents;
  }

  record(key: string): ResourceRecord | undefined {
    return this.reads.record(this.#contents, key);
  }

  data(owner: string, key: string): Encoded | undefined {
    return this.reads.data(this.#contents, owner, key);
  }

  all(): Contents {
    this.reads.everything();
    return this.#contents;
  }

  get piggybacked(): readonly Change[] {
    return this.#piggybacked;
  }

  /** Queues a change to go with the next ones; visible at once. */
  piggyback(change: Change): void {
    this.see([change]);
    this.#piggybacked.push(change);
  }

  /** Returns the changes, preceded by the piggybacked ones. */
  withPiggybacked(changes: readonly Change[]): readonly Change[] {
    if (this.#piggybacked.length === 0) return changes;
    const all = [...this.#piggybacked, ...changes];
    this.#piggybacked = [];
    return all;
  }

  see(changes: readonly Change[]): void {
    if (this.#isShared) {
      this.#contents = this.#contents.copy();
      this.#isShared = false;
    }
    for (const change of changes) this.#contents.apply(change);
  }

  /** Continues from a newly loaded state, plus changes that are not durable yet. */
  begin(loaded: Contents, queued: readonly Change[]): void {
    this.#contents = loaded.copy();
    this.#isShared = false;
    for (const change of [...queued, ...this.#piggybacked]) this.#contents.apply(change);
  }
}
