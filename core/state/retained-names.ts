/** Names of retained resources: no record has them, and the real things that have them are still there. */
import { type Encoded, type ResourceRecord, retainedOwner } from "../contract/index.js";
import type { Change, Contents } from "./change.js";
import { corrupt, type LedgerLocation } from "./keys.js";

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

/** Most names are. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

const UNFIT = /^\.{0,2}$|[\p{Cc}\p{Cs}]/u;

/** @throws EngineError `STATE_CORRUPT` naming the resource, or the uid, that no program can have declared */
export function checkNames({ app, stage }: Pick<LedgerLocation, "app" | "stage">, { records }: Contents): void {
  for (const { uid, key } of records.values()) {
    if (isSound(key) && isSound(uid)) continue;
    const what = isSound(key) ? `the uid ${JSON.stringify(uid)} of "${key}"` : `the name ${JSON.stringify(key)}`;
    throw corrupt(`${app}/${stage}`, `${what} is none that the engine gives: somebody else has written it`);
  }
}

function isSound(name: unknown): boolean {
  return typeof name === "string" && (PLAIN.test(name) || !name.split("/").some((part) => UNFIT.test(part)));
}
