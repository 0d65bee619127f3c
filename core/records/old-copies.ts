/** What a replacement leaves in the state until finalize: the old copy, and the children that it has. */

import { INTERNALS, isAdoption, isOfUnknownOrigin, type ResourceRecord, type Scope } from "../contract/index.js";
import { goodProps } from "../handler/index.js";
import { descendantsOf } from "../order/index.js";
import type { App } from "../run/index.js";
import type { Change, Contents } from "../state/index.js";

/** Each resource, then its children; each record once. */
export function withDescendants(contents: Contents, ...records: readonly ResourceRecord[]): readonly ResourceRecord[] {
  return [...new Set(records.flatMap((one) => [one, ...descendantsOf(contents, [one.uid])]))];
}

export function setAside(records: readonly ResourceRecord[]): Change[] {
  return records.map((member): Change => ({ op: "put", record: oldCopy(member) }));
}

interface Part {
  readonly app: App;
  readonly scope: Scope;
}

/**
 * uid of the old copy in whose handler something is declared: that is called to settle its interrupted create, and what it declares
 * goes with it. Undefined for all else.
 */
export function oldHomeOf({ app, scope }: Part): string | undefined {
  const { resource } = scope[INTERNALS];
  return resource && app.ledger.contents.records.get(resource.uid)?.replaced ? resource.uid : undefined;
}

/** What is recorded of a part of an old copy, and not of the copy that has taken its place. */
export function oldPart({ app }: Part, home: string, key: string): ResourceRecord | undefined {
  return app.ledger.contents.copiesOf(key).find(({ parent }) => parent === home);
}

/** What is deleted later is what was there last: an update that asked to be replaced has changed nothing. */
function oldCopy(record: ResourceRecord): ResourceRecord {
  const { lastGood: _lastGood, error: _error, dropped: _dropped, protect: _protect, ...kept } = record;
  const isOwn = !isAdoption(record) && !isOfUnknownOrigin(record);
  const status = record.status === "updating" && isOwn ? "ready" : record.status;
  return { ...kept, props: goodProps(record), status, replaced: true };
}
