import { isWholeUpTo } from "../checkpoint/digested-text.js";
import { type LedgerLocation, seqOf } from "../keys.js";
import { type Line, parseLine, type SegmentLength } from "./entry.js";

/** The value of one journal key: a single entry, or a segment that grew line by line. */
export interface Segment {
  readonly seq: number;
  /** The intact lines, up to and including a `close`. */
  readonly lines: readonly Line[];
  readonly grows: boolean;
  readonly closed: boolean;
  /** In characters. */
  readonly size: number;
}

/**
 * Reads a segment. A torn last line, that is, an incomplete line without line break, does not count. Returns undefined
 * if any byte differs from the written text.
 */
export function readSegment(seq: number, text: string): Segment | undefined {
  const lines: Line[] = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const line = parseLine(text.slice(from, end < 0 ? undefined : end));
    if (!line) {
      if (end >= 0 || hasLostItsBreak(text.slice(from))) return undefined;
      break;
    }
    if (line.entry.seq !== seq) return undefined;
    lines.push(line);
    if (line.entry.close || end < 0) break;
    from = end + 1;
  }
  const grows = lines[0]?.entry.grows === true;
  const intact = grows ? lines : lines.slice(0, 1);
  return { seq, lines: intact, grows, closed: intact.at(-1)?.entry.close !== undefined, size: text.length };
}

/** A whole line whose line break was altered is damage, not a torn write; part of a next line may follow. */
function hasLostItsBreak(rest: string): boolean {
  const end = endOfObject(rest);
  return end !== undefined && isWholeUpTo(rest, end);
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Returns the end of the JSON object at the start of the text. Visits each character once. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) at += character === BACKSLASH ? 1 : 0;
    else if (character === OPEN) depth++;
    else if (character === CLOSE && --depth <= 0) return at + 1;
  }
  return undefined;
}

/** The lines of a segment that count. */
export interface CountedLines {
  readonly segment: Segment;
  readonly lines: readonly Line[];
}

interface Counted {
  readonly counted: readonly CountedLines[];
  /** Segments without a recorded length although another session has begun since. */
  readonly unsettled: readonly Segment[];
  /** Segments from which fewer lines were read than a later session counted. */
  readonly short: readonly Segment[];
}

/**
 * Counts the lines of each segment. A segment counts as far as a later session recorded, even if a `close` was added
 * after that: its owner got an error, because it came too late. Without a recorded length, the whole segment counts, up
 * to its `close`.
 *
 * Works backwards, because only lines that count can define how many lines before them count.
 */
export function countLines(segments: readonly Segment[]): Counted {
  const settled = new Map<number, SegmentLength>();
  const counted: CountedLines[] = [];
  const unsettled: Segment[] = [];
  const short: Segment[] = [];
  for (const segment of segments.toReversed()) {
    const said = settled.get(segment.seq);
    const lines = said ? segment.lines.slice(0, said.lines) : segment.lines;
    if (said && lines.at(-1)?.digest !== said.digest) short.unshift(segment);
    if (!said && !segment.closed && segment.grows && segment !== segments.at(-1)) unsettled.unshift(segment);
    counted.unshift({ segment, lines });
    for (const { entry } of lines) for (const one of entry.settled ?? []) settled.set(one.seq, one);
  }
  return { counted, unsettled, short };
}

/** The most entries that are worth a request each. */
const MOST_ENTRIES = 256;

/**
 * Returns the owners whose data sessions other than `since.session` wrote in the entries after `since.seq`. Undefined:
 * some of these entries were trimmed, or there are too many.
 */
export async function dataWrittenSince(
  { store, keys }: Pick<LedgerLocation, "store" | "keys">,
  end: number,
  since: { readonly session: string; readonly seq: number },
): Promise<ReadonlySet<string> | undefined> {
  if (end - since.seq > MOST_ENTRIES) return undefined;
  const seqs = Array.from({ length: Math.max(0, end - since.seq) }, (_, index) => since.seq + 1 + index);
  const texts = seqs.length > 0 ? await store.getMany(seqs.map((seq) => keys.entry(seq))) : [];
  const owners = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const segment = text === undefined ? undefined : readSegment(seqs[index] ?? 0, text);
    if (!segment) return undefined;
    for (const { entry } of segment.lines) {
      if (entry.session === since.session) continue;
      for (const change of entry.ops ?? [])
        if (change.op === "data" || change.op === "forget") owners.add(change.owner);
    }
  }
  return owners;
}

/** Numbers of the existing keys, oldest first. */
export interface KeyList {
  readonly checkpoints: readonly number[];
  readonly entries: readonly number[];
  readonly histories: readonly number[];
}

/** Lists the whole stage at once: that takes no more requests than a part of it. */
export async function listKeys({ store, keys }: Pick<LedgerLocation, "store" | "keys">): Promise<KeyList> {
  const seen: string[] = [];
  for await (const key of store.list(keys.root)) seen.push(key);
  return {
    checkpoints: seqsOf(seen, keys.checkpoints),
    entries: seqsOf(seen, keys.entries),
    histories: seqsOf(seen, keys.histories),
  };
}

/** The checkpoints that the store lists, oldest first. */
export async function listCheckpoints({
  store,
  keys,
}: Pick<LedgerLocation, "store" | "keys">): Promise<readonly number[]> {
  const seen: string[] = [];
  for await (const key of store.list(keys.checkpoints)) seen.push(key);
  return seqsOf(seen, keys.checkpoints);
}

/**
 * True once a checkpoint newer than `base` exists: entries after `base` may have been trimmed. Another run may keep
 * fewer checkpoints than this one.
 */
export function isOvertaken({ checkpoints }: KeyList, base: number): boolean {
  return checkpoints.some((seq) => seq > base);
}

function seqsOf(keys: readonly string[], prefix: string): number[] {
  const seqs = keys.flatMap((key) => (key.startsWith(prefix) ? (seqOf(key) ?? []) : []));
  return seqs.sort((a, b) => a - b);
}
