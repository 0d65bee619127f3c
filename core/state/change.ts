import { type Encoded, isPluginOwner, type Position, type ResourceRecord, shaped } from "../contract/index.js";
import { RecordIndex } from "./record-index.js";

/** One change of the state; the journal holds nothing else about resources. */
export type Change =
  | { readonly op: "put"; readonly record: ResourceRecord }
  /** Merges members into a record and removes others. */
  | {
      readonly op: "patch";
      readonly uid: string;
      readonly set?: Partial<ResourceRecord>;
      readonly unset?: readonly (keyof ResourceRecord)[];
    }
  /** Removes a record and its data. */
  | { readonly op: "drop"; readonly uid: string }
  /** Moves resources in the program's order. */
  | { readonly op: "place"; readonly at: readonly PlaceAt[] }
  /** For `owner` see owner.ts. Without a value, the key is deleted. */
  | { readonly op: "data"; readonly owner: string; readonly key: string; readonly value?: Encoded }
  /** Removes all data of an owner. */
  | { readonly op: "forget"; readonly owner: string };

export interface PlaceAt {
  readonly uid: string;
  readonly ready: Position;
  readonly done?: Position;
}

const NONE: readonly ResourceRecord[] = [];

/** The contents of a stage's state: the result of applying all changes. */
export class Contents {
  readonly records: Map<string, ResourceRecord>;
  readonly data = new Map<string, Map<string, Encoded>>();
  readonly #current: Map<string, string>;
  /** Children by the uid of the parent; built at the first request and kept up to date from then on. */
  #children: Map<string, Set<string>> | undefined;
  /** Built and kept up to date in the same way. */
  #index: RecordIndex | undefined;

  constructor(other?: Contents) {
    this.records = new Map(other?.records);
    this.#current = new Map(other ? other.#current : undefined);
    if (other) for (const [owner, values] of other.data) this.data.set(owner, new Map(values));
  }

  /** Returns the living record of a key, never an old copy that waits for its deletion. */
  at(key: string): ResourceRecord | undefined {
    const uid = this.#current.get(key);
    return uid === undefined ? undefined : this.records.get(uid);
  }

  /** Returns the records of the resources that a handler declared, old copies included. */
  childrenOf(uid: string): readonly ResourceRecord[] {
    if (!this.#children) {
      this.#children = new Map();
      for (const record of this.records.values()) this.#adopt(record);
    }
    const children = this.#children.get(uid);
    return children ? [...children].flatMap((child) => this.records.get(child) ?? []) : NONE;
  }

  /** Returns the records under a key, old copies included. */
  copiesOf(key: string): readonly ResourceRecord[] {
    return this.#at(this.#indexed.names.at(key));
  }

  /**
   * Returns the records of the resources in the scope at a path and in the scopes below it, in the order of `records`,
   * old copies included.
   */
  recordsBelow(path: string): readonly ResourceRecord[] {
    return this.#at(this.#indexed.below(path));
  }

  /** Returns the records that refer to a resource and those of its children, old copies included. */
  dependentsOf(uid: string): readonly ResourceRecord[] {
    return [...new Set([...this.childrenOf(uid), ...this.#at(this.#indexed.referringTo(uid))])];
  }

  get #indexed(): RecordIndex {
    this.#index ??= new RecordIndex(this.records.values());
    return this.#index;
  }

  #at(uids: Iterable<string>): readonly ResourceRecord[] {
    return [...uids].flatMap((uid) => this.records.get(uid) ?? []);
  }

  /** Returns the record with its current position: a record that was moved since it was read keeps its new place. */
  inPlace(record: ResourceRecord): ResourceRecord {
    const there = this.records.get(record.uid);
    if (there === undefined || (there.ready === record.ready && there.done === record.done)) return record;
    return { ...record, ready: there.ready, done: there.done };
  }

  /** True if the state holds nothing except data of plugins. */
  get isEmpty(): boolean {
    return this.records.size === 0 && [...this.data.keys()].every(isPluginOwner);
  }

  /** Returns a copy that changes independently; records are immutable and shared. */
  copy(): Contents {
    return new Contents(this);
  }

  apply(change: Change): void {
    switch (change.op) {
      case "put":
        return this.put(change.record);
      case "patch": {
        const before = this.records.get(change.uid);
        if (!before) return;
        const record = patched(before, change.set, change.unset);
        // Only a change that moves a record may give it a key: a key belongs to the record that was put last.
        if (record.key === before.key && record.replaced === before.replaced && record.parent === before.parent) {
          this.records.set(record.uid, record);
          this.#index?.replace(before, record);
        } else this.#put(record, before);
        return;
      }
      case "drop": {
        this.data.delete(change.uid);
        const record = this.records.get(change.uid);
        if (!record) return;
        this.records.delete(change.uid);
        this.#unlink(record);
        this.#disown(record);
        this.#index?.delete(record);
        return;
      }
      case "place":
        for (const { uid, ready, done } of change.at) {
          const record = this.records.get(uid);
          if (record) this.records.set(uid, patched(record, done === undefined ? { ready } : { ready, done }));
        }
        return;
      case "data":
        return this.#setData(change.owner, change.key, change.value);
      case "forget":
        this.data.delete(change.owner);
        return;
    }
  }

  put(record: ResourceRecord): void {
    const before = this.records.get(record.uid);
    if (before) return this.#put(record, before);
    this.records.set(record.uid, record);
    this.#adopt(record);
    this.#index?.add(record);
    if (!record.replaced) this.#current.set(record.key, record.uid);
  }

  #put(record: ResourceRecord, before: ResourceRecord): void {
    this.records.set(record.uid, record);
    this.#index?.replace(before, record);
    const isCurrent = this.#current.get(record.key) === record.uid;
    const isLinked = before.key === record.key && isCurrent === !record.replaced;
    if (isLinked && before.parent === record.parent) return;
    this.#unlink(before);
    if (before.parent !== record.parent) {
      this.#disown(before);
      this.#adopt(record);
    }
    if (!record.replaced) this.#current.set(record.key, record.uid);
  }

  #unlink(record: ResourceRecord): void {
    if (this.#current.get(record.key) === record.uid) this.#current.delete(record.key);
  }

  #adopt({ uid, parent }: ResourceRecord): void {
    if (!this.#children || parent === undefined) return;
    const siblings = this.#children.get(parent);
    if (siblings) siblings.add(uid);
    else this.#children.set(parent, new Set([uid]));
  }

  #disown({ uid, parent }: ResourceRecord): void {
    if (parent !== undefined) this.#children?.get(parent)?.delete(uid);
  }

  #setData(owner: string, key: string, value: Encoded | undefined): void {
    const data = this.data.get(owner);
    if (value !== undefined) {
      if (data) data.set(key, value);
      else this.data.set(owner, new Map([[key, value]]));
    } else if (data?.delete(key) && data.size === 0) this.data.delete(owner);
  }
}

function patched(
  record: ResourceRecord,
  set: Partial<ResourceRecord> | undefined,
  unset?: readonly (keyof ResourceRecord)[],
): ResourceRecord {
  // One member at a time: copying and overriding in one expression takes ten times as long.
  const next = shaped(record) as Record<keyof ResourceRecord, unknown>;
  for (const name in set) next[name as keyof ResourceRecord] = set[name as keyof ResourceRecord];
  // Absent and undefined mean the same for a record; deleting a member would make the object slow permanently.
  for (const name of unset ?? []) next[name] = undefined;
  return next as ResourceRecord;
}
