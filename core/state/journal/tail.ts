/** Reads the entries after a checkpoint, up to the first missing one, and counts their lines. */
import { EngineError } from "../../base/index.js";
import { corrupt, type LedgerLocation } from "../keys.js";
import type { SealState } from "../seal/sealer.js";
import type { Entry } from "./entry.js";
import { advance, type Head } from "./head.js";
import { type CountedLines, countLines, readSegment, type Segment } from "./segment.js";

export interface Tail {
  readonly counted: readonly CountedLines[];
  /** Segments before the last one whose length no session has recorded. */
  readonly unsettled: readonly Segment[];
  /** The last entry that was read, or the checkpoint if there was none. */
  readonly end: number;
  /** Characters of all entries. */
  readonly size: number;
}

const LARGEST_BATCH = 64;

const LOST = "this entry is missing, although later entries exist";

/**
 * Resolves with any damage, because only the caller can decide if the entries were trimmed meanwhile.
 *
 * @param listed number of entries when the stage was listed; a hint that avoids unnecessary requests
 */
export async function readTail(location: LedgerLocation, base: number, listed: number): Promise<Tail | EngineError> {
  const segments = await readSegments(location, base, listed);
  return segments instanceof EngineError ? segments : settle(location, base, segments);
}

export function readEntry({ store, keys }: LedgerLocation, seq: number): Promise<string | undefined> {
  return store.get(keys.entry(seq));
}

/** Describes the damage of a missing entry: it was lost, or the later entries never belonged there. */
export async function gap(location: LedgerLocation, seq: number, later: number): Promise<EngineError> {
  const text = await readEntry(location, later);
  const [missing, found] = [location.keys.entry(seq), location.keys.entry(later)];
  if (text === undefined || readSegment(later, text)?.lines.length) return corrupt(missing, LOST);
  const advice = `If something other than scope-engine put "${found}" there, delete it. Otherwise restore "${missing}" and all later damaged or missing entries from a backup.`;
  return corrupt(found, `its content is not entry ${later}, and the earlier entry "${missing}" is missing`, advice);
}

/** Reads the listed entries first, then in growing batches, because the number of newer entries is unknown. */
async function readSegments(location: LedgerLocation, base: number, listed: number): Promise<Segment[] | EngineError> {
  const segments: Segment[] = [];
  for (let size = nextSize(0, listed); ; ) {
    const first = base + segments.length + 1;
    const texts = await readBatch(location, first, size);
    const missing = texts.indexOf(undefined);
    for (const [index, text] of (missing < 0 ? texts : texts.slice(0, missing)).entries()) {
      const segment = parseSegment(location, first + index, text ?? "");
      if (segment instanceof EngineError) return segment;
      segments.push(segment);
    }
    if (missing < 0) {
      size = nextSize(size, listed - segments.length);
      continue;
    }
    const goesOn = texts.slice(missing).some((text) => text !== undefined);
    const mayHaveGrown = missing > 0 && isGrowing(segments.at(-1));
    if (!goesOn && !mayHaveGrown) return segments;
    // A batch is read in any order: only a request after it shows if there is a next entry.
    const next = first + missing;
    if ((await readEntry(location, next)) !== undefined) size = 1;
    else return goesOn ? gap(location, next, first + texts.findLastIndex((text) => text !== undefined)) : segments;
  }
}

/** @param left number of listed entries that are not read yet; 0 once all of them are read */
function nextSize(size: number, left: number): number {
  if (left === 0) return 1;
  return Math.min(left > 0 ? left : size * 2, LARGEST_BATCH);
}

async function readBatch(location: LedgerLocation, first: number, size: number): Promise<(string | undefined)[]> {
  if (size === 1) return [await readEntry(location, first)];
  const seqs = Array.from({ length: size }, (_, index) => first + index);
  return location.store.getMany(seqs.map((seq) => location.keys.entry(seq)));
}

function isGrowing(segment: Segment | undefined): boolean {
  return segment ? segment.grows && !segment.closed : false;
}

function parseSegment({ keys }: LedgerLocation, seq: number, text: string): Segment | EngineError {
  const segment = readSegment(seq, text);
  if (segment && segment.lines.length > 0) return segment;
  return corrupt(keys.entry(seq), segment ? "it contains no complete line" : "a digest does not match");
}

/**
 * Reads a segment of unknown length again once its successor has been read: acknowledged lines were written before
 * that. Goes from the newest down, because an entry's statement about older ones was true when it was written, and they
 * can only have grown since.
 */
async function settle(location: LedgerLocation, base: number, segments: Segment[]): Promise<Tail | EngineError> {
  for (let above = base + segments.length + 1; ; ) {
    const { counted, unsettled, short } = countLines(segments);
    const again = [...unsettled, ...short].filter(({ seq }) => seq < above).sort((a, b) => b.seq - a.seq)[0];
    if (again) {
      const grown = await readAgain(location, again);
      if (grown instanceof EngineError) return grown;
      segments[again.seq - base - 1] = grown;
      above = again.seq;
      continue;
    }
    const damaged = short[0];
    if (damaged)
      return corrupt(location.keys.entry(damaged.seq), "it contains fewer lines than a later session counted");
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    return { counted, unsettled, end: base + segments.length, size };
  }
}

/**
 * Checks that the new text begins with the earlier one; otherwise it is another entry under the name of a trimmed one.
 */
async function readAgain(location: LedgerLocation, before: Segment): Promise<Segment | EngineError> {
  const text = await readEntry(location, before.seq);
  if (text === undefined) return corrupt(location.keys.entry(before.seq), "it disappeared while the engine read it");
  const after = parseSegment(location, before.seq, text);
  if (after instanceof EngineError) return after;
  const isSame = before.lines.every(({ digest }, index) => after.lines[index]?.digest === digest);
  return isSame ? after : corrupt(location.keys.entry(before.seq), "it changed while the engine read it");
}

/** The position to which the journal is folded, and the amount that a load would read after its checkpoint. */
export interface JournalCursor {
  readonly head: Head;
  /** The newest checkpoint, 0 for none. */
  readonly base: number;
  /** Characters of that checkpoint, and of the entries after it. */
  readonly baseSize: number;
  /** Resources in that checkpoint. */
  readonly baseCount: number;
  readonly tailSize: number;
  /** Number of resources that the run saw when this was written. */
  readonly count: number;
  /** Seal of the lines that may be written next. */
  readonly seal: SealState;
}

/** A written line of this session. */
export interface Written {
  readonly entry: Entry;
  readonly digest: string;
  readonly text: string;
  /** Seal of this line; the next ones are written with the same. */
  readonly by: SealState;
}

/** @param count number of resources that the run sees now */
export function folded(at: JournalCursor, { entry, digest, text, by: seal }: Written, count: number): JournalCursor {
  const { base, baseSize, baseCount, tailSize } = at;
  const head = advance(at.head, { entry, digest });
  return { head, base, baseSize, baseCount, tailSize: tailSize + text.length, count, seal };
}

/** The cursor after a checkpoint of the newest entry, with so many resources. */
export function rebased({ head, seal }: JournalCursor, text: string, count: number): JournalCursor {
  return { head, base: head.seq, baseSize: text.length, baseCount: count, tailSize: 0, count, seal };
}
