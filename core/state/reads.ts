/** What a run has learnt from the state, to tell whether another run's changes matter to it. */
import { isDeepStrictEqual } from "node:util";
import { EngineError } from "../base/index.js";
import type { Encoded, ResourceRecord } from "../contract/index.js";
import type { Change, Contents } from "./change.js";

class Reads {
  readonly #keys = new Set<string>();
  /** Keys of the data that was read, by its owner. */
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

  /** True where what was read, or what the queued changes rest on, is not the same in both. */
  differ(before: Contents, after: Contents, queued: readonly Change[]): boolean {
    // What may go, and when, was decided by all that was recorded.
    if ((this.#isEverything || queued.some(isDeletion)) && !sameContents(before, after)) return true;
    return (
      [...this.#keys].some((key) => !same(before.at(key), after.at(key))) ||
      [...this.#data].some(([owner, keys]) => [...keys].some((key) => !sameValue(before, after, owner, key))) ||
      queued.some((change) => !sameTarget(change, before, after))
    );
  }
}

/**
 * Of a run that another one has overtaken before it has done anything.
 *
 * @param hasWritten true where its first entry is among those of the other one
 */
export function moved(
  { app, stage }: { readonly app: string; readonly stage: string },
  hasWritten: boolean,
): EngineError {
  const own = hasWritten
    ? "No resource was changed by this one, but what it was about to do may be recorded as begun."
    : "Nothing was changed by this one.";
  return new EngineError(
    "STATE_MOVED",
    `Another run changed "${app}/${stage}" while this one was at work, in what this one had read. ${own} Run again.`,
  );
}

/** Uids of the records that came or changed on the way from one to the other. */
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
      // A place among resources that went away, or were moved, is a place all the same.
      return true;
  }
}

/** True where the same is recorded, in whatever order. */
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

/** The data of an owner, in one order. */
function entries(contents: Contents, owner: string): unknown {
  return [...(contents.data.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** As text first: that is how both were stored, and the order of members seldom differs. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  if (one === undefined || other === undefined) return false;
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

/** What a run sees of the state: what is recorded, its own changes included, durable or not. Remembers what was read. */
export class View {
  readonly reads = new Reads();
  #contents: Contents;
  /** They are the session's own, until the first change. */
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

  get hasPiggybacked(): boolean {
    return this.#piggybacked.length > 0;
  }

  /** Goes with the next changes; seen at once. */
  piggyback(change: Change): void {
    this.see([change]);
    this.#piggybacked.push(change);
  }

  /** The changes, behind what goes with them. */
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

  /** Goes on from what was loaded, with changes that are not durable yet. */
  begin(loaded: Contents, queued: readonly Change[]): void {
    this.#contents = loaded.copy();
    this.#isShared = false;
    for (const change of [...queued, ...this.#piggybacked]) this.#contents.apply(change);
  }
}
