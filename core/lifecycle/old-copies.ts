/** What a replacement leaves in the state until finalize: the old copy, and the children that it has. */
import type { Change, Contents } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { familyOf } from "./family.js";
import { goodProps } from "./values.js";

/** The resource first, then its children. */
export function familyWith(contents: Contents, old: ResourceRecord): readonly ResourceRecord[] {
  return [old, ...familyOf(contents, [old.uid])];
}

export function setAside(family: readonly ResourceRecord[]): Change[] {
  return family.map((member): Change => ({ op: "put", record: oldCopy(member) }));
}

/** What is deleted later is what was there last: an update that asked to be replaced has changed nothing. */
function oldCopy(record: ResourceRecord): ResourceRecord {
  const { lastGood: _lastGood, error: _error, dropped: _dropped, protect: _protect, ...kept } = record;
  const status = record.status === "updating" ? "ready" : record.status;
  return { ...kept, props: goodProps(record), status, replaced: true };
}
