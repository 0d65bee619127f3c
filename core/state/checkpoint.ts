/** Checkpoints as text: the whole state of a stage as of one entry. */
import { Contents } from "./change.js";
import { corrupt, tooNew } from "./corrupt.js";
import { type CloseRecord, FORMAT, type OpenRecord, sealPieces, unseal } from "./entry.js";
import type { Head, OpenSession } from "./head.js";
import { type Encoded, type ResourceRecord, shaped } from "./record.js";

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
}

/** One resource a line: readable for people, and as fast as all in one. */
export function writeCheckpoint(head: Head, contents: Contents, version: string, closed?: ClosedSession): string {
  const body: Omit<CheckpointBody, "records"> = {
    format: FORMAT,
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
  return sealed(`${JSON.stringify(body).slice(0, -1)},"records":[\n`, [...contents.records.values()]);
}

const END = "\n]}";
/** So many records are made into text at once. */
const IN_A_PIECE = 1000;

/** In pieces: of a large state, the whole text is put together once, and never copied. */
function sealed(start: string, records: readonly ResourceRecord[]): string {
  const pieces = [start];
  for (let at = 0; at < records.length; at += IN_A_PIECE) {
    const few = records.slice(at, at + IN_A_PIECE).map((record) => JSON.stringify(record));
    pieces.push(`${at === 0 ? "" : ",\n"}${few.join(",\n")}`);
  }
  pieces.push(END);
  return `${sealPieces(pieces)}\n`;
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
  const sealed = text.endsWith("\n") ? text.slice(0, -1) : undefined;
  if (sealed === undefined || unseal(sealed) === undefined) throw corrupt(key, "its digest does not fit");
  const body = JSON.parse(sealed) as CheckpointBody;
  if (body.format > FORMAT) throw tooNew(key, body.format, body.version);
  // An entry is sealed in the same way.
  if (!Array.isArray(body.records) || !Array.isArray(body.data)) throw corrupt(key, "it is whole, but no checkpoint");
  const contents = new Contents();
  for (const record of body.records) contents.put(shaped(record));
  for (const [owner, values] of body.data) contents.data.set(owner, new Map(values));
  const { app, stage, lineage, seq, lines, grows, guards, open, version, store, closed } = body;
  const head = { app, stage, lineage, seq, lines, digest: body.entry, grows, guards, open, version, store };
  return { head, contents, closed };
}
