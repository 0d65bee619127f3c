/** Checkpoints as text: the whole state of a stage as of one entry. */

import { type Encoded, type ResourceRecord, recordIn } from "../../contract/index.js";
import { Contents } from "../change.js";
import { corrupt, tooNew } from "../corrupt.js";
import { type CloseRecord, FORMAT, type OpenRecord, SEALED_FORMAT } from "../journal/entry.js";
import type { Head, OpenSession } from "../journal/head.js";
import { type CheckpointPurpose, macOfCheckpoint, type SealState } from "../seal/sealer.js";
import { digestedPieces, type MakeMac, readDigested, type TextSeal } from "./digested-text.js";

/** The session that closed with a checkpoint: for people, nothing is decided by it. */
export type ClosedSession = Pick<OpenRecord, "owner" | "command"> & CloseRecord;

interface CheckpointBody {
  readonly format: number;
  /** Version of the library that wrote it. */
  readonly version: string;
  readonly store?: string;
  readonly app: string;
  readonly stage: string;
  readonly lineage: string;
  readonly seq: number;
  readonly lines: number;
  /** Digest of the last line folded. */
  readonly entry: string;
  readonly grows: boolean;
  readonly guards: readonly number[];
  readonly open?: OpenSession;
  readonly closed?: ClosedSession;
  readonly data: readonly (readonly [string, readonly (readonly [string, Encoded])[]])[];
  readonly records: readonly ResourceRecord[];
}

export interface Checkpoint {
  readonly head: Head;
  readonly contents: Contents;
  /** Absent in one that was made in mid-run. */
  readonly closed?: ClosedSession;
  /** Its MAC, where it has one. */
  readonly seal?: TextSeal;
}

/** What a checkpoint says besides what is recorded. */
export interface CheckpointAbout {
  /** Version of the library that writes it. */
  readonly version: string;
  /** Without it, the checkpoint has no MAC. */
  readonly seal?: SealState;
  /** Default: "checkpoint". */
  readonly purpose?: CheckpointPurpose;
  readonly closed?: ClosedSession;
}

/** One resource a line: readable for people, and as fast as all in one. */
export function writeCheckpoint(head: Head, contents: Contents, about: CheckpointAbout): string {
  const { version, seal, purpose = "checkpoint", closed } = about;
  const sealer = typeof seal === "object" ? seal : undefined;
  const body: Omit<CheckpointBody, "records"> = {
    format: sealer ? SEALED_FORMAT : FORMAT,
    version,
    ...(head.store === undefined ? {} : { store: head.store }),
    app: head.app,
    stage: head.stage,
    lineage: head.lineage ?? "",
    seq: head.seq,
    lines: head.lines,
    entry: head.digest,
    grows: head.grows,
    guards: head.guards,
    ...(head.open ? { open: head.open } : {}),
    ...(closed ? { closed } : {}),
    data: [...contents.data].map(([owner, values]) => [owner, [...values]]),
  };
  const mac = sealer && ((covered: string) => macOfCheckpoint(sealer, purpose, head, covered));
  return written(`${JSON.stringify(body).slice(0, -1)},"records":[\n`, [...contents.records.values()], mac);
}

const END = "\n]";
/** So many records are made into text at once. */
const IN_A_PIECE = 1000;

/** In pieces: of a large state, the whole text is put together once, and never copied. */
function written(start: string, records: readonly ResourceRecord[], mac: MakeMac | undefined): string {
  const pieces = [start];
  for (let at = 0; at < records.length; at += IN_A_PIECE) {
    const few = records.slice(at, at + IN_A_PIECE).map((record) => JSON.stringify(record));
    pieces.push(`${at === 0 ? "" : ",\n"}${few.join(",\n")}`);
  }
  pieces.push(END);
  return `${digestedPieces(pieces, mac)}\n`;
}

/**
 * @throws EngineError `STATE_CORRUPT` where a byte differs from what was written, `STATE_FORMAT` where a newer version
 * wrote it.
 */
export function parseCheckpoint(key: string, expected: number, text: string): Checkpoint {
  const checkpoint = readCheckpoint(key, text);
  const { seq } = checkpoint.head;
  if (seq !== expected) throw corrupt(key, `it is the checkpoint of entry ${seq}`);
  return checkpoint;
}

/** As {@link parseCheckpoint}, of whichever entry it is. */
export function readCheckpoint(key: string, text: string): Checkpoint {
  const object = text.endsWith("\n") ? text.slice(0, -1) : undefined;
  const read = object === undefined ? undefined : readDigested(object);
  if (object === undefined || read === undefined) throw corrupt(key, "its digest does not fit");
  const body = bodyIn(key, object);
  if (body.format > FORMAT && body.format !== SEALED_FORMAT) throw tooNew(key, body.format, body.version);
  const contents = contentsOf(key, body);
  const { app, stage, lineage, seq, lines, grows, guards, open, version, store, closed } = body;
  const head = { app, stage, lineage, seq, lines, digest: body.entry, grows, guards, open, version, store };
  return { head, contents, closed, ...(read.seal ? { seal: read.seal } : {}) };
}

const NO_CHECKPOINT = "it is whole, but no checkpoint";

/** Whatever a digest was put in front of; an entry has one of the same form. */
function bodyIn(key: string, object: string): CheckpointBody {
  try {
    const body: CheckpointBody = JSON.parse(object);
    const { format, app, stage, lineage, entry, seq, lines, guards, open, data, records } = body;
    const isText = [app, stage, lineage, entry].every((member) => typeof member === "string");
    const isCounted = [format, seq, lines].every(Number.isSafeInteger);
    const isListed = [guards, data, records].every(Array.isArray);
    const isOpen = open === undefined || (typeof open.session === "string" && typeof open.record.owner === "object");
    const isNewer = format > FORMAT && format !== SEALED_FORMAT;
    if (isNewer || (isText && isCounted && isListed && isOpen)) return body;
  } catch {
    // Told below.
  }
  throw corrupt(key, NO_CHECKPOINT);
}

function contentsOf(key: string, { data, records }: CheckpointBody): Contents {
  const contents = new Contents();
  try {
    for (const record of records) contents.put(recordIn(record));
    for (const [owner, values] of data) contents.data.set(owner, new Map(values));
    return contents;
  } catch (error) {
    throw corrupt(key, NO_CHECKPOINT, undefined, error);
  }
}
