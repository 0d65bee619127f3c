/** list → checkpoint → tail → verify. */
import { EngineError } from "../errors.js";
import { Contents } from "./change.js";
import { type Checkpoint, corrupt, parseCheckpoint, tooNew } from "./checkpoint.js";
import { FORMAT } from "./entry.js";
import { advance, countLines, emptyHead, follows, type Head } from "./head.js";
import { type LedgerKeys, seqOf } from "./keys.js";
import { readSegment, type Segment } from "./segment.js";
import type { StateStore } from "./store.js";

export interface LedgerPlace {
  readonly store: StateStore;
  readonly keys: LedgerKeys;
  readonly app: string;
  readonly stage: string;
  /** Checkpoints to keep: this many newer ones prove that a load was overtaken. */
  readonly keep: number;
}

export interface Loaded {
  readonly head: Head;
  readonly contents: Contents;
  /** The checkpoint that the load began with, 0 for none. */
  readonly base: number;
  /** Characters of that checkpoint and of the entries after it. */
  readonly baseSize: number;
  readonly tailSize: number;
  /** Segments before the last one whose length nobody has recorded. */
  readonly unsettled: readonly Segment[];
}

const ATTEMPTS = 100;
const LARGEST_BATCH = 64;

/** What a load found, or the damage that it met: that counts only after a passed verify. */
interface Reading {
  readonly loaded?: Loaded;
  readonly damage?: EngineError;
  readonly entriesRead: number;
}

/**
 * Reads the state of a stage: everything acknowledged before the call, and nothing that never was.
 *
 * @throws EngineError `STATE_CORRUPT`, `STATE_FORMAT`, `STATE_IDENTITY`
 */
export async function load(place: LedgerPlace): Promise<Loaded> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const base = (await listCheckpoints(place)).at(-1) ?? 0;
    const reading = await readFrom(place, base);
    if (!reading) continue;
    const suspect = reading.entriesRead > 0 || reading.damage;
    if (suspect && !(await isCurrent(place, base))) continue;
    if (reading.damage) throw reading.damage;
    if (reading.loaded) return checkIdentity(place, reading.loaded);
  }
  throw new EngineError(
    "STORE_FAILED",
    `The state of "${place.app}/${place.stage}" could not be read: it was rewritten during each of ${ATTEMPTS} attempts.`,
  );
}

/** The checkpoints that the store lists, oldest first. */
export async function listCheckpoints(place: Pick<LedgerPlace, "store" | "keys">): Promise<number[]> {
  return listSeqs(place.store, place.keys.checkpoints);
}

export async function listSeqs(store: StateStore, prefix: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const key of store.list(prefix)) {
    const seq = seqOf(key);
    if (seq !== undefined) seqs.push(seq);
  }
  return seqs.sort((a, b) => a - b);
}

/** False once so many newer checkpoints are there that entries after `base` may have been trimmed. */
export async function isCurrent(place: LedgerPlace, base: number): Promise<boolean> {
  const newer = (await listCheckpoints(place)).filter((seq) => seq > base);
  return newer.length < place.keep;
}

/**
 * Undefined: the checkpoint was trimmed since it was listed. The tail is read before the checkpoint, and trimming takes
 * checkpoints before entries: so an entry that is missing because it was trimmed shows in its checkpoint being gone.
 */
async function readFrom(place: LedgerPlace, base: number): Promise<Reading | undefined> {
  const segments = await readTail(place, base);
  const from = await readBase(place, base);
  if (from === undefined) return undefined;
  const damage = segments instanceof EngineError ? segments : from instanceof EngineError ? from : undefined;
  if (segments instanceof EngineError || from instanceof EngineError) return { damage, entriesRead: 1 };
  const entriesRead = segments.length;
  const tail = await settle(place, segments);
  if (tail.short) {
    const key = place.keys.entry(tail.short.seq);
    return { damage: corrupt(key, "it holds fewer entries than a later session counted"), entriesRead };
  }
  let { head } = from;
  const { contents } = from;
  for (const { segment, lines } of tail.counted) {
    for (const line of lines) {
      const key = place.keys.entry(segment.seq);
      const { open, ops } = line.entry;
      if (open && open.format > FORMAT) throw tooNew(key, open.format, open.version);
      if (!follows(head, line.entry)) {
        return { damage: corrupt(key, "it does not follow the entry before it"), entriesRead };
      }
      head = advance(head, line);
      for (const change of ops ?? []) contents.apply(change);
    }
  }
  const tailSize = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const { unsettled } = tail;
  return { loaded: { head, contents, base, baseSize: from.size, tailSize, unsettled }, entriesRead };
}

type Base = Checkpoint & { readonly size: number };

async function readBase(place: LedgerPlace, base: number): Promise<Base | EngineError | undefined> {
  if (base === 0) return { head: emptyHead(place.app, place.stage), contents: new Contents(), size: 0 };
  const key = place.keys.checkpoint(base);
  const text = await place.store.get(key);
  if (text === undefined) return undefined;
  try {
    return { ...parseCheckpoint(key, text), size: text.length };
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** Entries after `base` up to the first missing one, in growing batches. */
async function readTail(place: LedgerPlace, base: number): Promise<Segment[] | EngineError> {
  const segments: Segment[] = [];
  for (let size = 1, next = base + 1; ; size = Math.min(size * 2, LARGEST_BATCH)) {
    const seqs = Array.from({ length: size }, (_, index) => next + index);
    const texts = size === 1 ? [await readEntry(place, next)] : await readEntries(place, seqs);
    for (const [index, text] of texts.entries()) {
      if (text === undefined) return segments;
      const segment = parseSegment(place, next + index, text);
      if (segment instanceof EngineError) return segment;
      segments.push(segment);
    }
    next += size;
  }
}

function readEntry(place: LedgerPlace, seq: number): Promise<string | undefined> {
  return place.store.get(place.keys.entry(seq));
}

function readEntries(place: LedgerPlace, seqs: readonly number[]): Promise<(string | undefined)[]> {
  return place.store.getMany(seqs.map((seq) => place.keys.entry(seq)));
}

function parseSegment(place: LedgerPlace, seq: number, text: string): Segment | EngineError {
  const segment = readSegment(seq, text);
  if (segment && segment.lines.length > 0) return segment;
  return corrupt(place.keys.entry(seq), segment ? "it holds no whole entry" : "a digest does not fit");
}

/**
 * A segment whose end nobody has recorded is read again once its successor has been seen: what was acknowledged to
 * its writer was written before that.
 */
async function settle(place: LedgerPlace, segments: Segment[]): Promise<ReturnType<typeof countLines>> {
  const tail = countLines(segments);
  const again = tail.short ? [...tail.unsettled, tail.short] : tail.unsettled;
  for (const { seq } of again) {
    const text = await readEntry(place, seq);
    const segment = text === undefined ? undefined : readSegment(seq, text);
    const index = segments.findIndex((other) => other.seq === seq);
    if (segment && index >= 0) segments[index] = segment;
  }
  return again.length === 0 ? tail : countLines(segments);
}

function checkIdentity(place: LedgerPlace, loaded: Loaded): Loaded {
  const { app, stage, lineage } = loaded.head;
  if (lineage === undefined || (app === place.app && stage === place.stage)) return loaded;
  throw new EngineError(
    "STATE_IDENTITY",
    `The state found for "${place.app}/${place.stage}" belongs to "${app}/${stage}". The store does not tell the two names apart (upper and lower case?). Choose another stage or app name.`,
  );
}
