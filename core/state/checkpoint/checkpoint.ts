/** Checkpoints as text: the whole state of a stage as of one entry. */
import { type Encoded, type ResourceRecord, recordIn } from "../../contract/index.js";
import { Contents } from "../change.js";
import { type CloseRecord, FORMAT, type OpenRecord, SEALED_FORMAT } from "../journal/entry.js";
import type { Head, OpenSession } from "../journal/head.js";
import { type KeyList, listKeys } from "../journal/segment.js";
import type { JournalCursor } from "../journal/tail.js";
import { corrupt, type LedgerLocation, tooNew } from "../keys.js";
import { type CheckpointPurpose, macOfCheckpoint, type SealState } from "../seal/sealer.js";
import { digestedPieces, type MakeMac, readDigested, type TextSeal } from "./digested-text.js";

/** The session that closed with a checkpoint: for display only, no decision depends on it. */
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
  /** Absent in a checkpoint that was made during a run. */
  readonly closed?: ClosedSession;
  /** Its MAC, if it has one. */
  readonly seal?: TextSeal;
}

/** Contents of a checkpoint besides the state. */
export interface CheckpointAbout {
  /** Version of the library that writes it. */
  readonly version: string;
  /** Without a key, the checkpoint has no MAC. */
  readonly seal?: SealState;
  /** Default: "checkpoint". */
  readonly purpose?: CheckpointPurpose;
  readonly closed?: ClosedSession;
}

/** Writes one resource per line: readable, and as fast as a single line. */
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

/** Number of records that are serialized at once. */
const IN_A_PIECE = 1000;

/**
 * Serializes in pieces: the text of a large state is joined once and never copied. Separators are pieces of their own,
 * because the hash would copy a concatenated piece.
 */
function written(start: string, records: readonly ResourceRecord[], mac: MakeMac | undefined): string {
  const pieces = [start];
  for (let at = 0; at < records.length; at += IN_A_PIECE) {
    const few = records.slice(at, at + IN_A_PIECE).map((record) => JSON.stringify(record));
    if (at > 0) pieces.push(",\n");
    pieces.push(few.join(",\n"));
  }
  pieces.push(END);
  return digestedPieces(pieces, mac, "\n");
}

/**
 * @throws EngineError `STATE_CORRUPT` if a byte differs from the written text, `STATE_FORMAT` if a newer version wrote
 * it.
 */
export function parseCheckpoint(key: string, expected: number, text: string): Checkpoint {
  const checkpoint = readCheckpoint(key, text);
  const { seq } = checkpoint.head;
  if (seq !== expected) throw corrupt(key, `it is the checkpoint of entry ${seq}, not of entry ${expected}`);
  return checkpoint;
}

/** Parses like {@link parseCheckpoint}, but accepts any entry number. */
export function readCheckpoint(key: string, text: string): Checkpoint {
  const object = text.endsWith("\n") ? text.slice(0, -1) : undefined;
  const read = object === undefined ? undefined : readDigested(object);
  if (object === undefined || read === undefined) throw corrupt(key, "its digest does not match");
  const body = bodyIn(key, object);
  if (body.format > FORMAT && body.format !== SEALED_FORMAT) throw tooNew(key, body.format, body.version);
  const contents = contentsOf(key, body);
  const { app, stage, lineage, seq, lines, grows, guards, open, version, store, closed } = body;
  const head = { app, stage, lineage, seq, lines, digest: body.entry, grows, guards, open, version, store };
  return { head, contents, closed, ...(read.seal ? { seal: read.seal } : {}) };
}

const NO_CHECKPOINT = "its digest matches, but its content is not a checkpoint";

/** Checks the shape: an entry has a digest of the same form. */
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
    // Reported below.
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

/** Sizes are in characters. */
export interface CheckpointLimits {
  /** Maximum number of entries that a load should have to read. */
  readonly entries: number;
  /** Maximum length of the tail that a load should have to read, or a quarter of the checkpoint if that is more. */
  readonly tail: number;
  /**
   * During a run, a further checkpoint is made once the tail exceeds this many times the state's size or number of
   * resources. Default: only the limits above count.
   */
  readonly midRunFactor?: number;
  /** A state of at most this size gets a checkpoint at the end of every run that changed it. */
  readonly small: number;
}

/** Typical minimum number of characters of a resource in a checkpoint. */
const TYPICAL = 500;

export const CHECKPOINT_LIMITS: CheckpointLimits = {
  entries: 64,
  tail: 1_000_000,
  midRunFactor: 8,
  small: 1_000_000,
};

/** At the end of a run: true if the next load would have to read more than the limits. */
export function isCheckpointDue({ head, base, baseSize, tailSize }: JournalCursor, limits: CheckpointLimits): boolean {
  return head.seq - base > limits.entries || tailSize > Math.max(limits.tail, baseSize / 4);
}

/**
 * During a run, only a load after a crash would read the tail. So true only if so much was written since the last
 * checkpoint that another one adds a small part to it, whatever the size of the state.
 */
export function isTailLong(at: JournalCursor, limits: CheckpointLimits): boolean {
  const { head, base, baseSize, tailSize, count } = at;
  const { entries, tail, midRunFactor = 0 } = limits;
  if (!isCheckpointDue(at, limits)) return false;
  const size = Math.max(baseSize, count * sizeOfEach(at));
  return head.seq - base > Math.max(entries, midRunFactor * count) || tailSize > Math.max(tail, midRunFactor * size);
}

/**
 * True if a checkpoint of so many resources would be small, also if a large one shrank because most resources were
 * deleted.
 */
export function isSmall(
  { baseSize, baseCount, tailSize }: JournalCursor,
  count: number,
  limits: CheckpointLimits,
): boolean {
  return Math.min(baseSize + tailSize, count * sizeOfEach({ baseSize, baseCount })) <= limits.small;
}

function sizeOfEach({ baseSize, baseCount }: Pick<JournalCursor, "baseSize" | "baseCount">): number {
  return baseCount === 0 ? TYPICAL : Math.max(TYPICAL, baseSize / baseCount);
}

/**
 * Deletes, if there are at least `keep` checkpoints, those before the `keep`-th newest, then the entries up to it. It
 * never goes beyond the entries that this session has folded, and never deletes a guard. Entries are deleted after the
 * checkpoints: a load that misses an entry then also misses its checkpoint, and starts over.
 */
export async function trim(location: LedgerLocation, folded: Head): Promise<KeyList> {
  const { store, keys, keep } = location;
  const seen = await listKeys(location);
  const oldest = seen.checkpoints.at(-keep);
  if (oldest === undefined) return seen;
  const limit = Math.min(oldest, folded.seq);
  const checkpoints = seen.checkpoints.filter((seq) => seq < limit);
  if (checkpoints.length > 0) await store.deleteMany(checkpoints.map(keys.checkpoint));
  const guards = new Set(folded.guards);
  const entries = seen.entries.filter((seq) => seq <= limit && !guards.has(seq));
  if (entries.length > 0) await store.deleteMany(entries.map(keys.entry));
  return seen;
}

interface Memory {
  readonly seq: number;
  readonly text: string;
  /** The existing copies. */
  readonly kept: readonly number[];
  readonly keep: number;
}

/** Keeps a copy of a checkpoint for display, and the newest `keep` of such copies. No load uses them. */
export async function remember({ store, keys }: LedgerLocation, { seq, text, kept, keep }: Memory): Promise<void> {
  if (keep === 0) return;
  await store.create(keys.history(seq), text, { sync: false });
  const old = [...kept.filter((other) => other !== seq), seq].sort((a, b) => a - b).slice(0, -keep);
  if (old.length > 0) await store.deleteMany(old.map(keys.history));
}
