/** What an attempt writes before its handler runs, and what takes that back. */

import type { ResourceRecord } from "../contract/index.js";
import type { Change, Contents } from "../state/index.js";

export interface Intended {
  /** The record that the intent leaves. */
  readonly record: ResourceRecord;
  /** What the intent says of others, as they are at that moment. */
  readonly aside?: (() => readonly Change[]) | undefined;
  /** Undoes the intent where the handler never started. Default: the record goes. */
  readonly revert?: readonly Change[] | undefined;
}

// Made when they are wanted: thousands may wait for what is durable, or for a slot; and what has been moved meanwhile
// stays where it stands.
export function intentOf(contents: Contents, { record, aside }: Intended): readonly Change[] {
  const own: Change = { op: "put", record: contents.inPlace(record) };
  return aside ? [...inPlace(contents, aside()), own] : [own];
}

export function revertOf(contents: Contents, { record, revert }: Intended): readonly Change[] {
  return revert ? inPlace(contents, revert) : [{ op: "drop", uid: record.uid }];
}

function inPlace(contents: Contents, changes: readonly Change[]): readonly Change[] {
  return changes.map((one) => (one.op === "put" ? { op: "put", record: contents.inPlace(one.record) } : one));
}
