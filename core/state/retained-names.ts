/** Names of retained resources: no record has them, and the real things that have them are still there. */

import { type Encoded, type ResourceRecord, retainedOwner } from "../contract/index.js";
import type { Change, Contents } from "./change.js";

/** A name that stays taken until it is adopted or forgotten. */
export interface RetainedName {
  /** The physical name. */
  readonly name: string;
  /** Key and kind of the resource that had it. */
  readonly key: string;
  readonly kind: string;
  /** Start of the run that retained it, as ISO 8601. */
  readonly since: string;
}

/** Newest first. */
export function retainedNames({ data }: Contents): readonly RetainedName[] {
  const all = [...(data.get(retainedOwner) ?? [])].map(([name, value]) => retainedName(name, value));
  return all.reverse().sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

export function isNameRetained({ data }: Contents, name: string): boolean {
  return data.get(retainedOwner)?.has(name) === true;
}

/** Keeps the name of a record that goes while the real thing stays. */
export function retainName({ physicalName, key, kind }: ResourceRecord, since: string): Change {
  return { op: "data", owner: retainedOwner, key: physicalName, value: { key, kind, since } };
}

export function releaseName(name: string): Change {
  return { op: "data", owner: retainedOwner, key: name };
}

function retainedName(name: string, value: Encoded): RetainedName {
  const { key, kind, since }: Partial<RetainedName> = Object(value);
  return { name, key: String(key), kind: String(kind), since: String(since) };
}
