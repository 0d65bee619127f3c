/** Where the journal stands: folded line by line, without the resources. */
import type { Entry, Line, OpenRecord, Settled } from "./entry.js";
import { NO_DIGEST } from "./entry.js";
import type { Segment } from "./segment.js";

export interface OpenSession {
  readonly session: string;
  readonly record: OpenRecord;
}

export interface Head {
  readonly app: string;
  readonly stage: string;
  /** Random name of the ledger; undefined while nothing was ever written. */
  readonly lineage: string | undefined;
  /** The newest entry, 0 where there is none. */
  readonly seq: number;
  /** Lines of that entry that count. */
  readonly lines: number;
  /** Digest of the last of them. */
  readonly digest: string;
  /** That entry is a segment: its session may add lines to it. */
  readonly grows: boolean;
  /** Sequence numbers that a paused writer could still aim at; never trimmed. */
  readonly guards: readonly number[];
  /** The session that was opened last, unless it has been closed. */
  readonly open: OpenSession | undefined;
  /** Version of the library that opened the last session. */
  readonly version: string | undefined;
}

export function emptyHead(app: string, stage: string): Head {
  return {
    app,
    stage,
    lineage: undefined,
    seq: 0,
    lines: 0,
    digest: NO_DIGEST,
    grows: false,
    guards: [],
    open: undefined,
    version: undefined,
  };
}

export function advance(head: Head, line: Line): Head {
  const { entry, digest } = line;
  const guards = isGuard(head, entry) ? [...head.guards, entry.seq] : head.guards;
  const opened = entry.open ? { session: entry.session, record: entry.open } : head.open;
  const first = entry.seq !== head.seq;
  return {
    app: entry.open?.genesis?.app ?? head.app,
    stage: entry.open?.genesis?.stage ?? head.stage,
    lineage: entry.open?.genesis?.lineage ?? head.lineage,
    seq: entry.seq,
    lines: first ? 1 : head.lines + 1,
    digest,
    grows: first ? entry.grows === true : head.grows,
    guards,
    open: entry.close ? undefined : opened,
    version: entry.open?.version ?? head.version,
  };
}

/** The first entry, and every session that began before the one before it had closed. */
function isGuard(head: Head, entry: Entry): boolean {
  return entry.open !== undefined && (entry.seq === 1 || head.open !== undefined);
}

/**
 * True where a line may follow this head: it names the line before. An `open` that brought nothing along was written
 * before its session could know where a growing segment ends: it may name an earlier line.
 */
export function follows(head: Head, entry: Entry): boolean {
  if (entry.seq === head.seq) return entry.prev === head.digest;
  if (entry.seq !== head.seq + 1) return false;
  const unsure = entry.open !== undefined && head.grows && !entry.ops && !entry.close;
  return unsure || entry.prev === head.digest;
}

export interface CountedLines {
  readonly segment: Segment;
  readonly lines: readonly Line[];
}

export interface Tail {
  readonly counted: readonly CountedLines[];
  /** Segments whose length nobody has recorded though another session has begun since. */
  readonly unsettled: readonly Segment[];
  /** A segment of which fewer lines were read than a later session has counted. */
  readonly short: Segment | undefined;
}

/**
 * How much of each segment counts: up to its `close`; else as many lines as a later session recorded; else all of it.
 * Goes backwards, for only lines that count can say what counts before them.
 */
export function countLines(segments: readonly Segment[]): Tail {
  const settled = new Map<number, Settled>();
  const counted: CountedLines[] = [];
  const unsettled: Segment[] = [];
  let short: Segment | undefined;
  for (const segment of segments.toReversed()) {
    const said = segment.closed ? undefined : settled.get(segment.seq);
    const lines = said ? segment.lines.slice(0, said.lines) : segment.lines;
    if (said && lines.at(-1)?.digest !== said.digest) short = segment;
    if (!said && !segment.closed && segment.grows && segment !== segments.at(-1)) unsettled.unshift(segment);
    counted.unshift({ segment, lines });
    for (const { entry } of lines) for (const one of entry.settled ?? []) settled.set(one.seq, one);
  }
  return { counted, unsettled, short };
}
