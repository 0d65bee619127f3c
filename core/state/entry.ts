/** Journal entries as text: one line each, chained by SHA-256. */
import { createHash, hash } from "node:crypto";
import type { RunSummary } from "../vocabulary.js";
import type { Change } from "./change.js";

/** Number of the format that this version writes; a higher one is refused. */
export const FORMAT = 1;

/** Number of the format of an `open` that moves a stage: what does not know of moves refuses to use the stage. */
export const MOVING_FORMAT = 2;

/** Who has a session open. */
export interface Owner {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** Start of the process in the kernel's own unit; tells a reused pid. */
  readonly started?: string;
  readonly machine?: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
  /** ISO 8601, for people; nothing is decided by it. */
  readonly since: string;
  /** URL of the CI run. */
  readonly ci?: string;
}

export interface OpenRecord {
  readonly owner: Owner;
  /** What the session is for, e.g. "up". */
  readonly command: string;
  /** Version of the library that writes. */
  readonly version: string;
  /** Which store it writes to: a digest of its name and location. */
  readonly store?: string;
  readonly format: number;
  /** Milliseconds of silence after which the owner counts as dead. */
  readonly ttl: number;
  /** In the first entry of a stage: what the ledger belongs to. */
  readonly genesis?: { readonly lineage: string; readonly app: string; readonly stage: string };
  /** The stage was moved to another store: nothing comes after this entry. */
  readonly retired?: Retired;
  /** The stage is being moved here: nothing uses it until this session is closed. */
  readonly arriving?: Arriving;
}

/** False: a later version wrote it, and what it means is not known. */
export function isKnown({ format, retired, arriving }: OpenRecord): boolean {
  return format <= FORMAT || (format === MOVING_FORMAT && (retired ?? arriving) !== undefined);
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

/** How many lines of an earlier segment count, said by the session that came after or rolled over. */
export interface Settled {
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
  readonly settled?: readonly Settled[];
  readonly ops?: readonly Change[];
  readonly close?: CloseRecord;
}

export interface Line {
  readonly entry: Entry;
  readonly digest: string;
}

/** What stands before the first entry. */
export const NO_DIGEST = "0".repeat(64);

/** What every line and every checkpoint begins with. */
export const LINE_START = '{"digest":"';
const BODY_AT = LINE_START.length + 64 + 2;

/** `text` is a JSON object and a line break; the digest covers everything that follows it in the object. */
export function writeLine(entry: Entry): { readonly text: string; readonly digest: string } {
  const { text, digest } = seal(JSON.stringify(entry));
  return { text: `${text}\n`, digest };
}

/** Puts a digest in front of the members of a JSON object's text. */
export function seal(json: string): { readonly text: string; readonly digest: string } {
  const body = json.slice(1);
  const digest = hash("sha256", body, "hex");
  return { text: `${LINE_START}${digest}",${body}`, digest };
}

/** As {@link seal} of the text that the pieces are together, without making that twice. */
export function sealPieces(pieces: readonly string[]): string {
  const [first = "", ...others] = pieces;
  const body = [first.slice(1), ...others];
  const digest = createHash("sha256");
  for (const piece of body) digest.update(piece);
  return [`${LINE_START}${digest.digest("hex")}",`, ...body].join("");
}

/** The digest of a sealed text, or undefined where any byte of it is not what was written. */
export function unseal(text: string): string | undefined {
  if (!text.startsWith(LINE_START) || text.slice(BODY_AT - 2, BODY_AT) !== '",') return undefined;
  const digest = text.slice(LINE_START.length, BODY_AT - 2);
  return hash("sha256", text.slice(BODY_AT), "hex") === digest ? digest : undefined;
}

export function parseLine(text: string): Line | undefined {
  const digest = unseal(text);
  return digest === undefined ? undefined : { entry: JSON.parse(text) as Entry, digest };
}
