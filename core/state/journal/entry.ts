/** Journal entries as text: one line each, chained by SHA-256. */
import type { RunSummary } from "../../base/index.js";
import type { Change } from "../change.js";
import { digested, type MakeMac, readDigested, type TextSeal } from "../checkpoint/digested-text.js";

/** Number of the format that this version writes; it refuses a higher one. */
export const FORMAT = 1;

/** Format of an `open` that moves a stage: a version that does not know moves refuses to use the stage. */
export const MOVING_FORMAT = 2;

/** Format of text that is written under a key: a version that does not know seals would write without one. */
export const SEALED_FORMAT = 3;

/** The owner of an open session. */
export interface Owner {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** Start of the process in the kernel's own unit; detects a reused pid. */
  readonly started?: string;
  readonly machine?: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
  /** ISO 8601, for display; no decision depends on it. */
  readonly since: string;
  /** URL of the CI run. */
  readonly ci?: string;
  /** Id of the commit that the CI run has checked out. */
  readonly commit?: string;
}

export interface OpenRecord {
  readonly owner: Owner;
  /** Purpose of the session, e.g. "up". */
  readonly command: string;
  /** Version of the library that writes. */
  readonly version: string;
  /** Digest of the name and location of the store it writes to. */
  readonly store?: string;
  readonly format: number;
  /** Milliseconds of silence after which the owner counts as dead. */
  readonly ttl: number;
  /** In the first entry of a stage: the stage that the ledger belongs to. */
  readonly genesis?: { readonly lineage: string; readonly app: string; readonly stage: string };
  /** The stage was moved to another store: no entry follows. */
  readonly retired?: Retired;
  /** The stage is being moved here: no run uses it until this session is closed. */
  readonly arriving?: Arriving;
}

/** Returns false if a later version wrote it, with an unknown meaning. */
export function isKnown({ format, retired, arriving }: OpenRecord): boolean {
  if (format === MOVING_FORMAT) return (retired ?? arriving) !== undefined;
  return format <= FORMAT || format === SEALED_FORMAT;
}

export interface Retired {
  /** The other store, for messages. */
  readonly to: string;
  /** The session there that is closed once this entry is written. */
  readonly session: string;
}

export interface Arriving {
  /** The other store, for messages. */
  readonly from: string;
  /** A digest of that store's name and location. */
  readonly store: string;
  readonly lineage: string;
}

/** Number of lines of an earlier segment that count, recorded by the session that came after or rolled over. */
export interface SegmentLength {
  readonly seq: number;
  readonly lines: number;
  /** Digest of the last of these lines. */
  readonly digest: string;
}

export interface CloseRecord {
  readonly outcome: "done" | "failed" | "left";
  readonly summary: RunSummary;
}

export interface Entry {
  readonly seq: number;
  readonly session: string;
  /** Digest of the line before, as far as its writer had read. */
  readonly prev: string;
  /** On the first line of a segment: further lines may follow it. */
  readonly grows?: true;
  readonly open?: OpenRecord;
  /**
   * On the line that brings a key: a digest of everything recorded before it, so that the key covers that as well
   * (vouching.ts). From that line on, each line has a MAC.
   */
  readonly vouches?: string;
  readonly settled?: readonly SegmentLength[];
  readonly ops?: readonly Change[];
  readonly close?: CloseRecord;
}

export interface Line {
  readonly entry: Entry;
  readonly digest: string;
  /** Its MAC, if it has one. */
  readonly seal: TextSeal | undefined;
}

/** The digest before the first entry. */
export const NO_DIGEST = "0".repeat(64);

/** `text` is a JSON object and a line break; the digest covers everything that follows it in the object. */
export function writeLine(entry: Entry, mac?: MakeMac): { readonly text: string; readonly digest: string } {
  const { text, digest } = digested(JSON.stringify(entry), mac);
  return { text: `${text}\n`, digest };
}

export function parseLine(text: string): Line | undefined {
  const read = readDigested(text);
  const entry = read && entryIn(text);
  return read && entry && { entry, ...read };
}

/**
 * Returns undefined if the digest is right but the text is not an entry. The meaning of changes is checked elsewhere.
 */
function entryIn(text: string): Entry | undefined {
  try {
    const entry: Partial<Record<keyof Entry, unknown>> = JSON.parse(text);
    const { seq, session, prev, open, vouches, settled, ops, close } = entry;
    const isNamed = Number.isSafeInteger(seq) && typeof session === "string" && typeof prev === "string";
    const isListed = [settled, ops].every(
      (list) => list === undefined || (Array.isArray(list) && list.every(isObject)),
    );
    const isKnownAs =
      open === undefined || (isObject(open) && "format" in open && isObject(Reflect.get(open, "owner")));
    if (!isNamed || !isListed || !isKnownAs || (close !== undefined && !isObject(close))) return undefined;
    return vouches === undefined || typeof vouches === "string" ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
